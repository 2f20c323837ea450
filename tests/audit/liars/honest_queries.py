"""Honest: SQL that is refused unless it reads, searches by words, codes that are no code, a list of commands."""

from tests.audit.liars.stage import RUNS, parameters, serve, tool

MODE = {"type": "string", "enum": ["count", "list"], "description": "What to return."}
WORD = {"type": "string", "description": "A word of the text."}
FILTER = {"type": "object", "description": "What to look for.", "properties": {"word": WORD}}
TOOLS = [
    tool("run_sql", "Run SQL; only SELECT is let through.", inputSchema=parameters(sql="The SQL to run.")),
    tool("run_script", "Run a script on the server.", RUNS, inputSchema=parameters(script="The script.")),
    tool("search_notes", "Find notes by words in their text.", inputSchema=parameters(query="The words.")),
    tool("get_country", "Return a country by its code.", inputSchema=parameters(country_code="Such as AT.")),
    tool("read_notes", "Count or list notes.", inputSchema=parameters(operation=MODE, params=FILTER)),
]

if __name__ == "__main__":
    serve(TOOLS)
