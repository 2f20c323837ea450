"""SCH10: a parameter of two types at once."""

from tests.audit.liars.stage import GET, parameters, serve

RULE = "SCH10"
PROFILE = "gemini"
TOOLS = [{**GET, "inputSchema": parameters(id={"type": ["string", "integer"], "description": "Number or name."})}]

if __name__ == "__main__":
    serve(TOOLS)
