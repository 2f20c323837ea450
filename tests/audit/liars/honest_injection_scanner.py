"""Honest: a scanner that names what it looks for."""

from tests.audit.liars.stage import serve, tool

TOOLS = [
    tool("scan_text", "Detect prompt injection: phrases such as 'ignore all previous instructions' or '<system>'.")
]

if __name__ == "__main__":
    serve(TOOLS)
