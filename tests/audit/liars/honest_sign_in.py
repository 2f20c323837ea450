"""Honest: a server that wants a token, and says all there is to say."""

from tests.audit.liars.gate import gate

GATE = gate()
