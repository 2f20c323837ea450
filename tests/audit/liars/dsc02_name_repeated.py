"""DSC02: a description that repeats the name."""

from tests.audit.liars.stage import GET, serve

RULE = "DSC02"
TOOLS = [{**GET, "description": "Gets the note."}]

if __name__ == "__main__":
    serve(TOOLS)
