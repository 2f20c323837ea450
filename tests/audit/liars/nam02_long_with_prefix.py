"""NAM02: a name that is too long once the server's is before it."""

from tests.audit.liars.stage import GET, serve

RULE = "NAM02"
NAME = "the-very-best-server-for-notes-and-notebooks"
TOOLS = [{**GET, "name": "get_note_from_a_notebook"}]

if __name__ == "__main__":
    serve(TOOLS, name=NAME)
