"""AUT02: a challenge that names a document which is not there; it is at the well-known place."""

from tests.audit.liars.gate import HOME, gate

RULE = "AUT02"
GATE = gate(challenge={"resource_metadata": f"{HOME}/oauth/metadata.json"})
