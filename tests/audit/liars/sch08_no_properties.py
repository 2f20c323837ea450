"""SCH08: an object without properties, which OpenAI refuses."""

from tests.audit.liars.stage import serve, tool

RULE = "SCH08"
PROFILE = "openai"
TOOLS = [tool("count_notes", "Count all notes there are.", inputSchema={"type": "object"})]

if __name__ == "__main__":
    serve(TOOLS)
