"""AUT04: a resource that is another server on the same host."""

from tests.audit.liars.gate import gate

RULE = "AUT04"
GATE = gate(resource={"resource": "http://127.0.0.1:9/mcp"})
