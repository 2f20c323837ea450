"""SCH07."""

from collections.abc import Iterator

from aboveboard.audit.evidence import Schema, Tool, example, words
from aboveboard.audit.rule import Finding, Rule

_SECRET = {"password", "passwd", "secret", "token", "credential", "credentials", "apikey", "passphrase"}
_PRIMITIVE = ("string", "integer", "number", "boolean")


def _taking(name: str, kind: str = "string") -> Schema:
    one = {"type": kind, "description": "Sent along.", "x-mcp-header": name.title()}
    return {"type": "object", "properties": {name: one}}


class HeaderForASecret(Rule[Tool]):
    """A parameter is mirrored into an HTTP header, and is a secret or no plain value."""

    id = "SCH07"
    why = "Headers are logged by every proxy on the way. A header for a list or an object makes clients drop the tool."
    fix = "Remove `x-mcp-header` from it: only plain values that anyone may read belong in a header."
    bad = example(inputSchema=_taking("token"))
    good = example(inputSchema=_taking("region"))

    def check(self, evidence: Tool) -> Iterator[Finding]:
        for name, schema in evidence.parameters.items():
            if "x-mcp-header" not in schema:
                continue
            if not _SECRET.isdisjoint(words(name)) or words(name)[-2:] == ["api", "key"]:
                yield self.finding(evidence.name, f"sends {name} in an HTTP header, where proxies log it")
            elif schema.get("type") not in _PRIMITIVE:
                yield self.finding(evidence.name, f"sends {name} in an HTTP header, and it is not a plain value")
