"""DSC04: two tools in the same words."""

from tests.audit.liars.stage import GET, serve, tool

RULE = "DSC04"
TOOLS = [GET, tool("read_note", "Return one note by its id, with labels and its text!")]

if __name__ == "__main__":
    serve(TOOLS)
