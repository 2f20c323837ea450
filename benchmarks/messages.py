"""The JSON-RPC messages a client sends, in both protocol eras."""

import json
from typing import Any, Final

LEGACY: Final = "2025-11-25"
MODERN: Final = "2026-07-28"

Message = dict[str, Any]

INITIALIZED: Final[Message] = {"jsonrpc": "2.0", "method": "notifications/initialized"}
INITIALIZE: Final[Message] = {
    "jsonrpc": "2.0",
    "id": "initialize",
    "method": "initialize",
    "params": {
        "protocolVersion": LEGACY,
        "capabilities": {},
        "clientInfo": {"name": "benchmark", "version": "1"},
    },
}
_ENVELOPE: Final[Message] = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "benchmark", "version": "1"},
}


def list_tools(era: str = LEGACY) -> Message:
    """Ask for the tools."""
    return _request("tools", "tools/list", {}, era)


def call(tool: str, number: int, era: str = LEGACY) -> Message:
    """Call a tool that needs no arguments."""
    return _request(number, "tools/call", {"name": tool, "arguments": {}}, era)


def encoded(message: Message) -> bytes:
    """Write a message as compact JSON."""
    return json.dumps(message, separators=(",", ":"), ensure_ascii=False).encode()


def _request(number: int | str, method: str, params: Message, era: str) -> Message:
    if era == MODERN:
        params = {**params, "_meta": _ENVELOPE}
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
