"""AUT07: an issuer that differs by a closing slash."""

from tests.audit.liars.gate import HOME, gate

RULE = "AUT07"
GATE = gate(sign_in={"issuer": f"{HOME}/"})
