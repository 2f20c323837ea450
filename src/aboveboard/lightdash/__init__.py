"""The MCP server for Lightdash: projects, charts, dashboards, spaces and people."""
