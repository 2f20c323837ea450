"""Honest: the challenge names no scope, and there is but one, which the document about the resource lists."""

from tests.audit.liars.gate import gate

GATE = gate(challenge={"scope": None}, resource={"scopes_supported": ["read"]})
