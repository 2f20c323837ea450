"""AUT03: the same, where only the place to sign in names scopes."""

from tests.audit.liars.gate import gate

RULE = "AUT03"
GATE = gate(challenge={"scope": None}, resource={"scopes_supported": None})
