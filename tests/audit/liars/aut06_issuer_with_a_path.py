"""AUT06: an issuer with a path, whose document is at the root only."""

from tests.audit.liars.gate import HOME, gate

RULE = "AUT06"
GATE = gate(resource={"authorization_servers": [f"{HOME}/tenant"]}, sign_in={"issuer": f"{HOME}/tenant"})
