"""AUT03: a challenge that does not say what for."""

from tests.audit.liars.gate import gate

RULE = "AUT03"
GATE = gate(challenge={"scope": None})
