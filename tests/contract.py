"""An API's published contract, held against what our clients send and what our sandboxes answer.

    contract = Contract("Lightdash", openapi)
    contract.held(transport), contract.held_app(app)   what passes is checked
    contract.check()                                   fails where anything was wrong since the last check

A body is read as a service's own validator reads it: null is not absent, a word is one of those listed, and what it
does not know is let through. Where a recording of the real product differs from its document, the recording is right.
"""

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final, cast
from urllib.parse import parse_qs, urlsplit

import httpx2
import jsonschema_rs
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012
from starlette.types import ASGIApp, Message, Receive, Scope, Send

REQUEST, ANSWER = "request", "answer"
Pair = tuple[str, str]
Schema = dict[str, Any]


class Contract:
    """What a service publishes of its routes, and what broke it since the last check.

    `otherwise` lists what the document says of answers and the real product does not do; `mended` puts right in the
    document itself what recordings show to be otherwise.
    """

    def __init__(
        self,
        service: str,
        openapi: Path,
        *,
        otherwise: Collection[str] = (),
        mended: Callable[[Schema], None] | None = None,
    ) -> None:
        self.service, self.openapi = service, openapi
        self._otherwise, self._mended = otherwise, mended
        self._broken: list[str] = []
        self._found: dict[Pair, Route | None] = {}

    def check(self) -> None:
        """Fail where something that passed since the last check breaks the contract."""
        broken = sorted(set(self._broken))
        self._broken.clear()
        assert not broken, "\n".join(broken)

    def held(
        self, service: httpx2.AsyncBaseTransport, *, made_up: Callable[[httpx2.Response], bool] = lambda _: False
    ) -> httpx2.AsyncBaseTransport:
        """Pass requests on, and hold what passes to the contract; an answer that a test made up may be poor."""
        return _Held(self, service, made_up)

    def held_app(self, app: ASGIApp) -> ASGIApp:
        """Do the same for an app in this process."""
        return _HeldApp(self, app)

    def judge(self, method: str, target: str, asked: bytes, status: int, answered: bytes) -> None:
        """Note what is wrong with an exchange; a request that the service refuses needs no second judge."""
        if self.openapi.is_file() and 200 <= status < 300:
            self._broken.extend(self.wrong_request(method, target, asked))
            self._broken.extend(self.wrong_answer(method, target, answered))

    def wrong_request(self, method: str, target: str, content: bytes) -> Iterator[str]:
        """Say what the real server would not take of a request, or would overlook."""
        at = urlsplit(target)
        route = self.route_of(method, at.path)
        if route is None:
            return
        for name in parse_qs(at.query, keep_blank_values=True):
            if name not in route.query_names:
                yield f"{route}: the query has {name}, which {self.service} does not know"
        if content or route.wants_body:
            yield from (f"{route}: body{one}" for one in route.wrong(REQUEST, content or b"null"))

    def wrong_answer(self, method: str, target: str, content: bytes) -> Iterator[str]:
        """Say what the real server would not answer; a file is no matter of the document."""
        route = self.route_of(method, urlsplit(target).path)
        if route is not None and content.startswith((b"{", b"[")):
            yield from (f"{route}: answer{one}" for one in route.wrong(ANSWER, content) if one not in self._otherwise)

    def route_of(self, method: str, path: str) -> "Route | None":
        """Find the operation that a path belongs to; a word stands before a placeholder where both would do."""
        if (method, path) not in self._found:
            fitting = [route for route in self.routes.get(method, ()) if route.pattern.fullmatch(path)]
            self._found[method, path] = max(fitting, key=lambda route: route.words, default=None)
        return self._found[method, path]

    @cached_property
    def routes(self) -> Mapping[str, list["Route"]]:
        """The operations of the document, by method."""
        found: dict[str, list[Route]] = {}
        for path, operations in self.document["paths"].items():
            for method, operation in operations.items():
                found.setdefault(method.upper(), []).append(Route(self, method.upper(), path, operation))
        return found

    @cached_property
    def document(self) -> Schema:
        """The document, put right where it has to be."""
        document = json.loads(self.openapi.read_text())
        if self._mended:
            self._mended(document)
        return document

    @cached_property
    def registry(self) -> Registry[Any]:
        """What the document's schemas refer to by name, translated for requests and for answers."""

        def retrieve(uri: str) -> Resource[Any]:
            return Resource.from_contents(self.schema_at(uri), default_specification=DRAFT202012)

        return Registry(retrieve=cast("Callable[[str], Resource[Any]]", cache(retrieve)))  # pyright: ignore

    def schema_at(self, uri: str) -> Schema:
        """Return a schema of the document, translated, by its name after the side that it is of."""
        side, _, name = uri.partition(":")
        return translated(self.document["components"]["schemas"][name], side)


class _Held(httpx2.AsyncBaseTransport):
    def __init__(
        self, contract: Contract, service: httpx2.AsyncBaseTransport, made_up: Callable[[httpx2.Response], bool]
    ) -> None:
        self._contract, self._service, self._made_up = contract, service, made_up

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        answer = await self._service.handle_async_request(request)
        target = request.url.raw_path.decode("ascii")
        content = await answer.aread()
        judged = b"" if self._made_up(answer) else content
        self._contract.judge(request.method, target, request.content, answer.status_code, judged)
        return answer


class _HeldApp:
    def __init__(self, contract: Contract, app: ASGIApp) -> None:
        self._contract, self._app = contract, app

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
        self._contract.judge(scope["method"], target, bytes(asked), status, bytes(answered))
        return None


class Route:
    """One operation of the document."""

    def __init__(self, contract: Contract, method: str, path: str, operation: Mapping[str, Any]) -> None:
        self.pair: Pair = (method, path)
        self.pattern = re.compile(re.sub(r"\{\w+\}", "[^/]+", path), re.IGNORECASE)
        self.words = len(re.sub(r"\{\w+\}", "", path))
        self.query_names = {one["name"] for one in operation.get("parameters", ()) if one["in"] == "query"}
        asked: Schema = operation.get("requestBody") or {}
        self.wants_body = bool(asked.get("required"))
        answers: dict[str, Schema] = operation["responses"]
        good: Schema = next((one for status, one in answers.items() if status.startswith("2")), Schema())
        self._contract = contract
        self._schemas = {REQUEST: _schema_in(asked), ANSWER: _schema_in(good)}
        self._validators: dict[str, tuple[jsonschema_rs.Draft202012Validator, Draft202012Validator]] = {}
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
            quick = jsonschema_rs.Draft202012Validator(schema, retriever=self._contract.schema_at)
            self._validators[side] = quick, Draft202012Validator(schema, registry=self._contract.registry)
        quick, telling = self._validators[side]
        if quick.is_valid(body):
            return
        errors: Iterator[ValidationError] = telling.iter_errors(body)  # pyright: ignore
        for error in errors:
            yield f"{_place(error)}: {_problem(error)}"


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


def _schema_in(part: Mapping[str, Any]) -> Schema:
    return part.get("content", {}).get("application/json", {}).get("schema", {})


def _place(error: ValidationError) -> str:
    return "".join("[]" if isinstance(part, int) else f".{part}" for part in error.absolute_path)


def _problem(error: ValidationError) -> str:
    inner = [f"{_place(one)}: {one.message[:120]}" for one in error.context or ()]
    return f"{error.message[:200]}{' (' + '; '.join(inner[:6]) + ')' if inner else ''}"
