"""What a request asks for, as the door sees it: the scope that it needs, and what the audit log tells of it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, cast

from pydantic_core import from_json

from aboveboard.effects import READ, Effect
from aboveboard.kit.service import Catalogue
from aboveboard.observing import Kind

COMPLETION: Final = "completion/complete"
"""The one method of 2026 that names what it is about in its body alone."""


@dataclass(frozen=True)
class Asked:
    """A tool, a resource, a prompt or a completion that somebody wants."""

    kind: Kind
    name: str
    scope: str
    arguments: Iterable[str] = ()
    effect: Effect = READ


def asked_in(catalogue: Catalogue[Any], body: bytes) -> Asked | None:
    """Return what a message asks for; None where that needs no scope."""
    try:
        message = from_json(body)
    except ValueError:
        return None  # the transport says what is wrong with it
    if not isinstance(message, dict):
        return None
    called = cast("dict[str, Any]", message)
    return asked_by(catalogue, str(called.get("method")), _map(called.get("params")))


def asked_by(catalogue: Catalogue[Any], method: str, params: Mapping[str, Any]) -> Asked | None:
    """Return what a method asks for with its parameters; None where that needs no scope."""
    name, uri, given = str(params.get("name")), str(params.get("uri")), _map(params.get("arguments"))
    if method == COMPLETION:
        about = _map(params.get("ref"))
        of = asked_by(catalogue, "resources/read" if "uri" in about else "prompts/get", about)
        argument = str(_map(params.get("argument")).get("name"))
        return None if of is None else replace(of, kind="completion", arguments=[argument])
    if method == "tools/call":
        name = catalogue.aliases.get(name, name)
        tool = catalogue.tools.get(name)
        return None if tool is None else Asked("tool", name, tool.scope, given, tool.effect)
    if method == "prompts/get":
        prompt = catalogue.prompts.get(name)
        return None if prompt is None else Asked("prompt", name, prompt.scope, given)
    if method == "resources/read":
        return _resource(catalogue, uri)
    return None


def _resource(catalogue: Catalogue[Any], uri: str) -> Asked | None:
    for one in catalogue.resources:
        parts = one.match(uri)
        if one.uri == uri or parts is not None:
            return Asked("resource", one.uri, one.scope, parts or ())
    return None


def _map(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
