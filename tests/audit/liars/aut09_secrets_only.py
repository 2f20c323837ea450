"""AUT09: documents of clients are taken, and clients without a secret are not."""

from tests.audit.liars.gate import gate

RULE = "AUT09"
GATE = gate(sign_in={"token_endpoint_auth_methods_supported": None})
