"""Honest: a filter by action, in a list that only reads."""

from tests.audit.liars.stage import serve, tool

ACTION = {"type": "string", "enum": ["create", "update", "delete"], "description": "Only deeds of this kind."}
SCHEMA = {"type": "object", "properties": {"action": ACTION}}
TOOLS = [tool("list_audit_events", "List who did what to which note, the newest first.", inputSchema=SCHEMA)]

if __name__ == "__main__":
    serve(TOOLS)
