"""AUT08: a place to sign in that knows PKCE as plain text only."""

from tests.audit.liars.gate import gate

RULE = "AUT08"
GATE = gate(sign_in={"code_challenge_methods_supported": ["plain"]})
