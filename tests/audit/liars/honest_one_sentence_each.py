"""Honest: descriptions that follow one pattern."""

from tests.audit.liars.stage import ADDS, DELETES, serve, tool

TOOLS = [
    tool("create_label", "Make a new label of this name.", ADDS),
    tool("update_label", "Give a label a new name.", DELETES),
    tool("delete_label", "Delete a label; notes that had it lose it.", DELETES),
    tool("get_label", "Return a label by its id, and how many notes have it."),
    tool("get_book", "Return a book by its id, and how many notes it has."),
]

if __name__ == "__main__":
    serve(TOOLS)
