"""Honest: an example of what is asked, beside the word output."""

from tests.audit.liars.stage import ID, serve, tool

OUTPUT = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
TOOLS = [
    tool("get_note", 'Return a note. Example output for the input {"id": "7"}: its text.', outputSchema=OUTPUT),
    tool("get_title", "Return the title of a note.", inputSchema=ID),
]

if __name__ == "__main__":
    serve(TOOLS)
