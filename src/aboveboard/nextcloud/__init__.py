"""The MCP server for Nextcloud: client, tools, sandbox."""
