"""The kit: what any MCP server needs to say what its tools do, and to be held to it."""
