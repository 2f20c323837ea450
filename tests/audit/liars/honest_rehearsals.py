"""Honest: tools that only say what a write would do."""

from tests.audit.liars.stage import serve, tool

TOOLS = [
    tool("preview_delete", "Show which notes a delete would take."),
    tool("plan_update", "Work out the steps of an update, and return them."),
    tool("validate_create_request", "Tell whether a note could be made of this."),
    tool("delete_note_dry_run", "Say what a delete would do; nothing is deleted."),
    tool("update_note_check", "Tell whether a note is in a state that allows changes."),
    tool("create_upload_url", "Return a URL that takes one upload within an hour."),
]

if __name__ == "__main__":
    serve(TOOLS)
