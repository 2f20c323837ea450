"""AUT12: tokens are given out over plain http."""

from tests.audit.liars.gate import gate

RULE = "AUT12"
GATE = gate(sign_in={"token_endpoint": "http://notes.example/token"})
