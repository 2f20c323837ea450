"""The auditor: what any MCP server says of its tools, and what they were seen to do."""
