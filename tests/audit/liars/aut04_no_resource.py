"""AUT04: a resource without a name."""

from tests.audit.liars.gate import gate

RULE = "AUT04"
GATE = gate(resource={"resource": None})
