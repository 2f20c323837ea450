"""AUT01: a server that wants a token, and says nowhere where to get one."""

from tests.audit.liars.gate import RESOURCE, gate

RULE = "AUT01"
GATE = gate(challenge={"resource_metadata": None, "scope": None}, without=RESOURCE)
