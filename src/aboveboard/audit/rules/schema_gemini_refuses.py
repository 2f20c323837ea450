"""SCH10."""

from collections.abc import Iterator, Mapping
from typing import Any, cast

from aboveboard.audit.evidence import Schema, Tool, example, nodes
from aboveboard.audit.rule import Finding, Profile, Rule, Severity, weigh

_REFUSED = ("oneOf", "allOf", "const")
_FORMATS = ("date-time", "enum")


def _of(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": {"due": {"description": "The day.", **schema}}}


class SchemaGeminiRefuses(Rule[Tool]):
    """The input schema says something in a way that Gemini does not take.

    Its `parameters` are a part of OpenAPI 3.0: one type at each place, choices of text only, lists that say what they
    hold, no `oneOf`, `allOf` or `const`, required properties that are there, and of text the format `date-time` alone.
    Clients that send `parametersJsonSchema` instead are freer; many adapters do not, and guess.
    """

    id = "SCH10"
    severity = Severity.ERROR
    by_profile = weigh(spec=None, anthropic=None, openai=None, strict=None, gemini=Severity.ERROR)
    why = "Gemini refuses the whole request, so one such tool switches off every tool of every server."
    fix = "Say it in the part of JSON Schema that all providers take, and check the rest in the tool."
    bad = example(inputSchema=_of({"type": ["string", "integer"]}))
    good = example(inputSchema=_of({"type": "string", "format": "date-time"}))
    shown_under = Profile.GEMINI

    def check(self, evidence: Tool) -> Iterator[Finding]:
        for place, node in nodes(evidence.input_schema):
            for problem in _problems(node):
                parameter = place.split("/")[2] if place.startswith("/properties/") else None
                yield self.finding(evidence.name, f"{problem} at {place or '/'}", parameter=parameter)


def _problems(node: Schema) -> Iterator[str]:
    kind = node.get("type")
    if isinstance(kind, list):
        yield "has several types"
    if kind == "array" and not node.get("items"):
        yield "has a list of anything"
    if not all(isinstance(one, str) for one in _listed(node, "enum")):
        yield "has choices that are not text"
    if kind == "string" and node.get("format") not in (None, *_FORMATS):
        yield f"has the format {node['format']}"
    properties = node.get("properties")
    known = list(cast("Schema", properties)) if isinstance(properties, dict) else []  # what is no text can be no key
    if lost := [name for name in _listed(node, "required") if name not in known]:
        yield f"requires {', '.join(map(str, lost))}, which it does not describe,"
    if used := [keyword for keyword in _REFUSED if keyword in node]:
        yield f"uses {', '.join(used)}"


def _listed(node: Schema, key: str) -> list[Any]:
    value = node.get(key)
    return cast("list[Any]", value) if isinstance(value, list) else []
