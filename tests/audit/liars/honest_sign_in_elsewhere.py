"""Honest: people sign in on another host, which is not asked."""

from tests.audit.liars.gate import gate

GATE = gate(resource={"authorization_servers": ["https://accounts.example.com"]})
