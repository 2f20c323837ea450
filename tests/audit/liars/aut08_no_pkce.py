"""AUT08: a place to sign in that does not announce PKCE."""

from tests.audit.liars.gate import gate

RULE = "AUT08"
GATE = gate(sign_in={"code_challenge_methods_supported": None})
