"""SCH09: an object of which nothing is said."""

from tests.audit.liars.stage import GET, parameters, serve

RULE = "SCH09"
PROFILE = "gemini"
TOOLS = [{**GET, "inputSchema": parameters(filter={"type": "object", "description": "What to look for."})}]

if __name__ == "__main__":
    serve(TOOLS)
