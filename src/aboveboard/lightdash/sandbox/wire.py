"""Requests and answers as Express handles them: decoding, bodies, ETags, the envelope around a result."""

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from typing import cast
from urllib.parse import unquote_to_bytes

from aboveboard.sandbox.wire import JSON_TYPE, Response, to_json

VERSION = "1.237.0"
LARGEST_BODY = 5 * 1024 * 1024
LARGEST_HEAD = 16 * 1024

_BAD_ESCAPE = re.compile(rb"%(?![0-9A-Fa-f]{2})")
_BRACKETS = re.compile(r"([^\[]+)\[([^\]]*)\]")


class ServiceError(Exception):
    """An error that the service answers with, in the words it uses."""

    def __init__(self, status: int, name: str, message: str, data: Mapping[str, object] | None = None) -> None:
        super().__init__(message)
        self.status, self.name, self.message, self.data = status, name, message, data or {}

    def payload(self, event: str | None) -> dict[str, object]:
        """The error envelope, with the id of the report if there was one."""
        error: dict[str, object] = {
            "statusCode": self.status,
            "name": self.name,
            "message": self.message,
            "data": self.data,
        }
        if event:
            error["sentryEventId"] = event
        return {"status": "error", "error": error}


class CrashError(ServiceError):
    """The real server's own code failed, most often in the database; it says little or nothing about why."""

    def __init__(
        self, name: str = "UnexpectedServerError", message: str = "Something went wrong.", *, reported: bool = True
    ) -> None:
        super().__init__(500, name, message)
        self.reported = reported


def missing(message: str) -> ServiceError:
    """There is no such thing."""
    return ServiceError(404, "NotFoundError", message)


def forbidden(message: str = "You don't have access to this resource or action") -> ServiceError:
    """The caller may not."""
    return ServiceError(403, "ForbiddenError", message)


def unknown_route() -> ServiceError:
    """No route takes this method and path."""
    return missing("API endpoint not found")


def json_response(payload: object, status: int = 200) -> Response:
    """An answer with a JSON body."""
    body = to_json(payload)
    return Response(status, {"content-type": JSON_TYPE, "etag": etag(body)}, body)


def etag(body: bytes) -> str:
    """The weak ETag that Express gives a body."""
    digest = base64.b64encode(hashlib.sha1(body, usedforsecurity=False).digest()).decode().rstrip("=")
    return f'W/"{len(body):x}-{digest}"'


def decode(part: bytes) -> str | None:
    """Percent-decoding that fails, with None, where decodeURIComponent throws."""
    if _BAD_ESCAPE.search(part):
        return None
    try:
        return unquote_to_bytes(part).decode("utf-8")
    except UnicodeDecodeError:
        return None


def read_query(raw: bytes) -> dict[str, object]:
    """A query string as the qs library reads it: repeated keys and a[] are lists, a[b] is a map."""
    found: dict[str, object] = {}
    for pair in filter(None, raw.split(b"&")):
        key, _, value = (_lenient(part) for part in pair.partition(b"="))
        nested = _BRACKETS.fullmatch(key)
        if nested and nested[2]:
            inside = found.get(nested[1])
            found[nested[1]] = {
                **(cast("dict[str, object]", inside) if isinstance(inside, dict) else {}),
                nested[2]: value,
            }
            continue
        name = nested[1] if nested else key
        before = found.get(name)
        if isinstance(before, list):
            found[name] = [*cast("list[object]", before), value]
        elif name in found:
            found[name] = [before, value]
        else:
            found[name] = [value] if nested else value
    return found


def _lenient(part: bytes) -> str:
    part = part.replace(b"+", b" ")
    text = decode(part)
    return part.decode("latin-1") if text is None else text


def read_body(content_type: str, encoding: str, raw: bytes) -> object:
    """A body as the body parsers read it; any other kind of content counts as an empty object."""
    kind, _, options = content_type.partition(";")
    kind = kind.strip().lower()
    if not raw or kind not in {"application/json", "application/x-www-form-urlencoded"}:
        return {}
    if encoding not in {"", "identity"}:
        raise CrashError(reported=False)
    if kind == "application/x-www-form-urlencoded":
        return read_query(raw)
    charset = options.partition("charset=")[2].strip().strip('"').lower()
    if charset and not charset.startswith("utf"):
        raise CrashError(reported=False)
    try:
        value: object = json.loads(raw.decode("utf-8", "replace"))
    except ValueError:
        value = None
    if not isinstance(value, dict | list):
        raise CrashError(reported=False)
    return cast("object", value)


def too_large() -> ServiceError:
    """The body is over the limit."""
    return ServiceError(413, "PayloadTooLargeError", "Request payload exceeds the maximum allowed size")


def head_size(target: bytes, headers: Iterable[tuple[bytes, bytes]]) -> int:
    """How many bytes of the request Node counts against its header limit."""
    return len(target) + sum(len(name) + len(value) + 4 for name, value in headers)
