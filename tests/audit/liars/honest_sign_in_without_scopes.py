"""Honest: no scopes, so the challenge names none; older clients may register."""

from tests.audit.liars.gate import HOME, gate

GATE = gate(
    challenge={"scope": None},
    resource={"scopes_supported": None},
    sign_in={
        "scopes_supported": ["openid", "offline_access"],
        "client_id_metadata_document_supported": None,
        "registration_endpoint": f"{HOME}/register",
    },
)
