"""Lightdash's published contract, held against what our client sends and what our sandbox answers.

    Held(transport), HeldApp(app)   what passes is checked
    check()                         fails where anything was wrong since the last check

A body is read as Lightdash's own validator reads it: null is not absent, a word is one of those listed, and what it
does not know is let through. Where a recording of the real product differs from its document, the recording is right.
"""

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, cast
from urllib.parse import parse_qs, urlsplit

import httpx2
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SHARED: Final = Path(os.environ.get("ABOVEBOARD_SHARED") or Path(__file__).parents[3] / "shared")
OPENAPI: Final = SHARED / "data" / "lightdash-openapi.json"
REQUEST, ANSWER = "request", "answer"
Pair = tuple[str, str]
Schema = dict[str, Any]

# What the document says of answers and the real product does not do; each is recorded.
OTHERWISE: Final = frozenset(
    {
        ".results[]: 'assigneeName' is a required property",  # roles: org-assignments/list
        ".results.spaces[].data: 'organizationUuid' is a required property",  # charts-as-code: upsert/new-space
    }
)
_broken: list[str] = []


def check() -> None:
    """Fail where something that passed since the last check breaks the contract."""
    broken = sorted(set(_broken))
    _broken.clear()
    assert not broken, "\n".join(broken)


class Held(httpx2.AsyncBaseTransport):
    """Passes requests on, and holds what passes to the contract."""

    def __init__(self, service: httpx2.AsyncBaseTransport) -> None:
        self._service = service

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        answer = await self._service.handle_async_request(request)
        target = request.url.raw_path.decode("ascii")
        # Only the sandbox says which version it is: what a test made up may be as poor as the test needs it.
        made_up = "lightdash-version" not in answer.headers
        content = await answer.aread()
        _judge(request.method, target, request.content, answer.status_code, b"" if made_up else content)
        return httpx2.Response(answer.status_code, headers=answer.headers, content=content)


class HeldApp:
    """The same for an app in this process."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass one request on."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        target = scope["raw_path"].decode("ascii") + (
            f"?{scope['query_string'].decode('ascii')}" if scope["query_string"] else ""
        )
        asked, answered, status = bytearray(), bytearray(), 0

        async def receiving() -> Message:
            message = await receive()
            asked.extend(message.get("body", b""))
            return message

        async def sending(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)
            answered.extend(message.get("body", b""))
            await send(message)

        await self._app(scope, receiving, sending)
        _judge(scope["method"], target, bytes(asked), status, bytes(answered))
        return None


def _judge(method: str, target: str, asked: bytes, status: int, answered: bytes) -> None:
    """Note what is wrong with an exchange; a request that the service refuses needs no second judge."""
    if OPENAPI.is_file() and 200 <= status < 300:
        _broken.extend(wrong_request(method, target, asked))
        _broken.extend(wrong_answer(method, target, answered))


def wrong_request(method: str, target: str, content: bytes) -> Iterator[str]:
    """Say what the real server would not take of a request, or would overlook."""
    at = urlsplit(target)
    route = route_of(method, at.path)
    if route is None:
        return
    for name in parse_qs(at.query, keep_blank_values=True):
        if name not in route.query_names:
            yield f"{route}: the query has {name}, which Lightdash does not know"
    if content or route.wants_body:
        yield from (f"{route}: body{one}" for one in route.wrong(REQUEST, content or b"null"))


def wrong_answer(method: str, target: str, content: bytes) -> Iterator[str]:
    """Say what the real server would not answer; a file is no matter of the document."""
    route = route_of(method, urlsplit(target).path)
    if route is not None and content.startswith(b"{"):
        yield from (f"{route}: answer{one}" for one in route.wrong(ANSWER, content) if one not in OTHERWISE)


class Route:
    """One operation of the document."""

    def __init__(self, method: str, path: str, operation: Mapping[str, Any]) -> None:
        self.pair: Pair = (method, path)
        self.pattern = re.compile(re.sub(r"\{\w+\}", "[^/]+", path), re.IGNORECASE)
        self.words = len(re.sub(r"\{\w+\}", "", path))
        self.query_names = {one["name"] for one in operation.get("parameters", ()) if one["in"] == "query"}
        asked: Schema = operation.get("requestBody") or {}
        self.wants_body = bool(asked.get("required"))
        answers: dict[str, Schema] = operation["responses"]
        good: Schema = next((one for status, one in answers.items() if status.startswith("2")), Schema())
        self._schemas = {REQUEST: _schema_in(asked), ANSWER: _schema_in(good)}
        self._validators: dict[str, Draft202012Validator] = {}
        self._judged: dict[tuple[str, bytes], tuple[str, ...]] = {}

    def __str__(self) -> str:
        return " ".join(self.pair)

    def wrong(self, side: str, content: bytes) -> tuple[str, ...]:
        """Say what is wrong with a body; the same body is judged once."""
        key = (side, content)
        if key not in self._judged:
            self._judged[key] = tuple(dict.fromkeys(self._wrong(side, json.loads(content))))
        return self._judged[key]

    def _wrong(self, side: str, body: Any) -> Iterator[str]:
        if side not in self._validators:
            schema = translated(self._schemas[side], side)
            self._validators[side] = Draft202012Validator(schema, registry=_registry())
        errors: Iterator[ValidationError] = self._validators[side].iter_errors(body)  # pyright: ignore
        for error in errors:
            yield f"{_place(error)}: {_problem(error)}"


@cache
def routes() -> Mapping[str, list[Route]]:
    """Return the operations of the document, by method."""
    found: dict[str, list[Route]] = {}
    for path, operations in _document()["paths"].items():
        for method, operation in operations.items():
            found.setdefault(method.upper(), []).append(Route(method.upper(), path, operation))
    return found


@cache
def route_of(method: str, path: str) -> Route | None:
    """Find the operation that a path belongs to; a word stands before a placeholder where both would do."""
    fitting = [route for route in routes().get(method, ()) if route.pattern.fullmatch(path)]
    return max(fitting, key=lambda route: route.words, default=None)


def translated(schema: Any, side: str) -> Any:
    """Turn OpenAPI 3.0 into JSON Schema: `nullable` is a type, formats and closed objects are not looked at."""
    if isinstance(schema, list):
        return [translated(one, side) for one in cast("list[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    given = cast("Schema", schema)
    new: Schema = {key: translated(given[key], side) for key in _KEYWORDS & given.keys()}
    if isinstance(new.get("additionalProperties"), bool):
        del new["additionalProperties"]
    if "properties" in given:
        required = given.get("required", ())
        new["properties"] = {
            name: _as_answered(translated(one, side), required=name in required)
            if side == ANSWER
            else translated(one, side)
            for name, one in given["properties"].items()
        }
    if "$ref" in given:
        new["$ref"] = given["$ref"].replace("#/components/schemas/", f"{side}:")
    return {"anyOf": [new, {"type": "null"}]} if given.get("nullable") else new


def _as_answered(schema: Schema, *, required: bool) -> Schema:
    """Allow what the recordings show everywhere: null in place of nothing, and what a database counted as text."""
    if schema == {"type": "number"}:
        schema = {"type": ["number", "string"], "pattern": "^[0-9]+$"}
    return schema if required else {"anyOf": [schema, {"type": "null"}]}


_KEYWORDS: Final = frozenset(
    (
        *("type", "required", "items", "enum", "allOf", "anyOf", "additionalProperties"),
        *("pattern", "minLength", "minimum", "maximum"),
    )
)


@cache
def _document() -> dict[str, Any]:
    return json.loads(OPENAPI.read_text())


@cache
def _registry() -> Registry[Any]:
    schemas = _document()["components"]["schemas"]

    def retrieve(uri: str) -> Resource[Any]:
        side, _, name = uri.partition(":")
        return Resource.from_contents(translated(schemas[name], side), default_specification=DRAFT202012)

    return Registry(retrieve=cast("Callable[[str], Resource[Any]]", cache(retrieve)))  # pyright: ignore


def _schema_in(part: Mapping[str, Any]) -> Schema:
    return part.get("content", {}).get("application/json", {}).get("schema", {})


def _place(error: ValidationError) -> str:
    return "".join("[]" if isinstance(part, int) else f".{part}" for part in error.absolute_path)


def _problem(error: ValidationError) -> str:
    inner = [f"{_place(one)}: {one.message[:120]}" for one in error.context or ()]
    return f"{error.message[:200]}{' (' + '; '.join(inner[:6]) + ')' if inner else ''}"
