"""Honest: an example of what is asked, beside the word output."""

from tests.audit.liars.stage import ID, parameters, serve, tool

OUTPUT = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
ANSWER = {"type": "object", "properties": {"question": {"type": "string", "description": "Which one."}}}
TOOLS = [
    tool("get_note", 'Return a note. Example output for the input {"id": "7"}: its text.', outputSchema=OUTPUT),
    tool(
        "check_answers",
        'Check the answers to a form. Example answers: [{"question": "7"}]',
        inputSchema=parameters(answers={"type": "array", "description": "The answers.", "items": ANSWER}),
        outputSchema=OUTPUT,
    ),
    tool("get_title", "Return the title of a note.", inputSchema=ID),
]

if __name__ == "__main__":
    serve(TOOLS)
