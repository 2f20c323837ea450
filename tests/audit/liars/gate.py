"""What the servers of this folder that want credentials say to strangers: all that they should, but for one thing."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

HOME: Final = "HOME"
"""Stands for the origin of the server, which is known when it listens."""
RESOURCE: Final = "/.well-known/oauth-protected-resource/mcp"
ISSUER: Final = "/.well-known/oauth-authorization-server"
_CHALLENGE: Final = {"resource_metadata": HOME + RESOURCE, "scope": "read"}
_RESOURCE: Final = {
    "resource": f"{HOME}/mcp",
    "authorization_servers": [HOME],
    "scopes_supported": ["read", "write"],
    "bearer_methods_supported": ["header"],
}
SIGN_IN: Final = {
    "issuer": HOME,
    "authorization_endpoint": f"{HOME}/authorize",
    "token_endpoint": f"{HOME}/token",
    "scopes_supported": ["read", "write", "offline_access"],
    "response_types_supported": ["code"],
    "code_challenge_methods_supported": ["S256"],
    "token_endpoint_auth_methods_supported": ["none"],
    "client_id_metadata_document_supported": True,
    "authorization_response_iss_parameter_supported": True,
}


@dataclass(frozen=True)
class Gate:
    """The challenge, and the documents by their paths."""

    challenge: str
    documents: Mapping[str, str]

    def at(self, home: str) -> "Gate":
        """Put the origin in."""
        documents = {path: text.replace(HOME, home) for path, text in self.documents.items()}
        return Gate(self.challenge.replace(HOME, home), documents)


def gate(
    *,
    challenge: Mapping[str, Any] | None = None,
    resource: Mapping[str, Any] | None = None,
    sign_in: Mapping[str, Any] | None = None,
    without: str = "",
    moved: Mapping[str, str] | None = None,
) -> Gate:
    """Make a gate with fields said otherwise (None leaves one out), without a document, or with one elsewhere."""
    parts = _with(_CHALLENGE, challenge)
    header = "Bearer" + (" " if parts else "") + ", ".join(f'{name}="{value}"' for name, value in parts.items())
    documents = {RESOURCE: _with(_RESOURCE, resource), ISSUER: _with(SIGN_IN, sign_in)}
    places = moved or {}
    return Gate(header, {places.get(path, path): json.dumps(one) for path, one in documents.items() if path != without})


def _with(usual: Mapping[str, Any], fields: Mapping[str, Any] | None) -> dict[str, Any]:
    return {key: value for key, value in {**usual, **(fields or {})}.items() if value is not None}
