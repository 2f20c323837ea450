"""Honest: a private key's usual place, as a default."""

from tests.audit.liars.stage import serve, tool

KEY = {"type": "string", "description": "The private key to use.", "default": "~/.ssh/id_rsa"}
TOOLS = [
    tool("list_hosts", "List the hosts one can log in to.", inputSchema={"type": "object", "properties": {"key": KEY}})
]

if __name__ == "__main__":
    serve(TOOLS)
