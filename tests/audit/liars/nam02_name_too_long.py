"""NAM02: a name of more than 64 characters."""

from tests.audit.liars.stage import GET, serve

RULE = "NAM02"
TOOLS = [{**GET, "name": "get_one_note_from_any_notebook_or_any_archive_of_the_whole_workspace"}]

if __name__ == "__main__":
    serve(TOOLS)
