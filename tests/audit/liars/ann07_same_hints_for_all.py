"""ANN07: five tools with one set of hints."""

from tests.audit.liars.stage import RUNS, serve, tool

RULE = "ANN07"
TOOLS = [
    tool("list_notes", "List the notes of one notebook, and mark them as seen.", RUNS),
    tool("get_note", "Return one note by its id, with its text. Marks it as seen.", RUNS),
    tool("create_note", "Write down a new note and return its id.", RUNS),
    tool("update_note", "Replace the text of a note.", RUNS),
    tool("delete_note", "Delete a note for good.", RUNS),
    tool("count_notes", "Count the notes that match, and log the question.", RUNS),
]

if __name__ == "__main__":
    serve(TOOLS)
