"""Honest: descriptions that say what to call before, and when a tool fits."""

from tests.audit.liars.stage import GET, serve, tool

TOOLS = [
    {**GET, "description": "Return one note by its id. Call list_notes first to find the id."},
    tool("list_notes", "List the notes of one notebook. Use this tool when you need ids."),
    tool("fill_form", "Fill in a form of several fields. Always prefer this tool over several calls of fill."),
    tool("learn_api", "Return how the notes work. It must be called before any other Notes tools."),
    tool("who_am_i", "Return who is signed in. When someone asks for their own notes, call this first."),
    tool("list_notebooks", "List the notebooks. If no notebook is named, call this first with a name."),
    tool("list_switched_off", "List what is switched off. Run this tool first when another one is missing."),
    tool("find_notes", "Find notes by their words. Always use this tool with a short text."),
]

if __name__ == "__main__":
    serve(TOOLS)
