"""Honest: updates that say they destroy, that keep what was there, and that are only rehearsed."""

from tests.audit.liars.stage import ADDS, DELETES, ENSURES, READS, serve, tool

TOOLS = [
    tool("update_note", "Replace the text of a note.", DELETES),
    tool("update_log", "Write down a line at the end; all earlier lines are kept.", ADDS),
    tool("set_default_notebook", "Say which notebook new notes go to.", ENSURES),
    tool("set_favorite", "Mark a note as a favourite.", ENSURES),
    tool("preview_update", "Show what an update would change.", READS),
    tool("edit_distance", "Count the edits between two words.", READS),
    tool("add_to_set", "Put a note into a set of notes.", ENSURES),
]

if __name__ == "__main__":
    serve(TOOLS)
