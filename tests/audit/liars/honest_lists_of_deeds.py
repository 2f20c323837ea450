"""Honest: lists of what was deleted, created and sent."""

from tests.audit.liars.stage import serve, tool

TOOLS = [
    tool("list_deleted_notes", "List the notes in the bin, the newest first."),
    tool("get_created_by", "Return who made a note, and when."),
    tool("count_sent_messages", "Count the messages that went out this month."),
    tool("update_log_get", "Return the log of updates, page by page."),
]

if __name__ == "__main__":
    serve(TOOLS)
