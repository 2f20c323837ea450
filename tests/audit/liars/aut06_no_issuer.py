"""AUT06: a resource that names no place to sign in."""

from tests.audit.liars.gate import gate

RULE = "AUT06"
GATE = gate(resource={"authorization_servers": []})
