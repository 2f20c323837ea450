"""Honest: an issuer with a path, found by the rules of OpenID Connect; it lists offline_access, as it may."""

from tests.audit.liars.gate import HOME, ISSUER, gate

GATE = gate(
    resource={"resource": HOME, "authorization_servers": [f"{HOME}/tenant"]},
    sign_in={"issuer": f"{HOME}/tenant"},
    moved={ISSUER: "/tenant/.well-known/openid-configuration"},
)
