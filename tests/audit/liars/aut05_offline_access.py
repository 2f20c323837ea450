"""AUT05: lasting access as a scope of the resource."""

from tests.audit.liars.gate import gate

RULE = "AUT05"
GATE = gate(resource={"scopes_supported": ["read", "offline_access"]})
