"""AUT11: answers that do not say whose they are."""

from tests.audit.liars.gate import gate

RULE = "AUT11"
GATE = gate(sign_in={"authorization_response_iss_parameter_supported": False})
