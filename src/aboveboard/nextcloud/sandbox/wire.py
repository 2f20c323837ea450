"""Requests and answers as Apache and PHP handle them: paths, parameters, bodies, dates."""

import hashlib
import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email import message_from_bytes
from email.policy import HTTP
from typing import Any, cast
from urllib.parse import parse_qsl, unquote_to_bytes

from aboveboard.sandbox.wire import JSON_TYPE, Response, to_json

HTML_TYPE = "text/html; charset=UTF-8"
XML_TYPE = "application/xml; charset=utf-8"


class Kept(Response):
    """What was written stays written although the status says that something failed."""


class Halt(Exception):
    """The request ends here, with this answer, and nothing that it wrote is kept."""

    def __init__(self, response: Response) -> None:
        super().__init__(response.status)
        self.response = response


def json_response(value: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """An answer with a JSON body."""
    return Response(status, {"content-type": JSON_TYPE, **(headers or {})}, to_json(value))


def read_json(raw: bytes) -> dict[str, Any]:
    """A JSON object, empty for any other value; half a surrogate pair is an error, as for PHP."""
    value = json.loads(raw)
    json.dumps(value, ensure_ascii=False).encode()
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def bad_argument() -> Halt:
    """A missing or wrongly typed argument: 400 and not a word."""
    return Halt(Response(400))


def page(title: str, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """An HTML page for people; programs that meet one took a wrong turn."""
    body = (
        '<!DOCTYPE html>\n<html class="ng-csp" data-placeholder-focus="false" lang="en" data-locale="en"'
        ' translate="no" >\n\t<head\n data-requesttoken="">\n\t\t<meta charset="utf-8">\n\t\t<title>\n\t\t\tNextcloud'
        f"\t\t</title>\n\t</head>\n\t<body>\n\t\t<h2>{title}</h2>\n\t</body>\n</html>\n"
    )
    return Response(status, {"content-type": HTML_TYPE, **(headers or {})}, body.encode())


def apache_page(status: int, title: str, sentence: str) -> Response:
    """An answer of Apache itself: PHP never saw the request."""
    body = (
        '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">\n<html><head>\n'
        f"<title>{status} {title}</title>\n</head><body>\n<h1>{title}</h1>\n<p>{sentence}</p>\n</body></html>\n"
    )
    return Response(status, {"content-type": "text/html; charset=iso-8859-1"}, body.encode())


def tidy_path(raw: str) -> str:
    """The path as Apache hands it on: no dot segments; NUL and, but for app pages, an escaped slash are a 404."""
    if re.search("%00" if raw.startswith("/index.php/") else "%00|%2f", raw, re.IGNORECASE):
        raise Halt(apache_page(404, "Not Found", "The requested URL was not found on this server."))
    kept: list[str] = []
    for segment in raw.split("/")[1:]:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    return "/" + "/".join(kept) + ("/" if raw.endswith(("/..", "/.")) and kept else "")


def decode(escaped: str) -> str:
    """One path segment as text: UTF-8, or else Latin-1, and always composed."""
    raw = unquote_to_bytes(escaped)
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        text = raw.decode("latin-1")
    return compose_text(text)


def compose_text(text: str) -> str:
    """Text as names are stored: an é is one character, however it came."""
    return unicodedata.normalize("NFC", text)


def digest(text: str) -> str:
    """32 hex digits, the shape of most ETags and random names."""
    return hashlib.md5(text.encode("utf-8", "replace"), usedforsecurity=False).hexdigest()


def http_date(seconds: float) -> str:
    """A time as HTTP and WebDAV write it."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%a, %d %b %Y %H:%M:%S GMT")


def read_query(raw: str) -> dict[str, Any]:
    """Query or form parameters as PHP reads them: name[] makes a list, and of equal names the last one counts."""
    values: dict[str, Any] = {}
    for name, value in parse_qsl(raw, keep_blank_values=True):
        if name.endswith("[]"):
            values.setdefault(name[:-2], []).append(value)
        else:
            values[name] = value
    return values


@dataclass(frozen=True)
class Upload:
    """A file in a multipart form."""

    filename: str
    content: bytes


@dataclass
class Body:
    """What a body holds, once looked at through its content type."""

    raw: bytes
    content_type: str

    def json(self) -> dict[str, Any]:
        """The JSON object; anything else, broken JSON too, counts as nothing."""
        if "json" not in self.content_type:
            return {}
        try:
            return read_json(self.raw)
        except ValueError:
            return {}

    def form(self) -> dict[str, Any]:
        """The fields of a URL-encoded form."""
        if "x-www-form-urlencoded" not in self.content_type:
            return {}
        return read_query(self.raw.decode("utf-8", "replace"))

    def upload(self, name: str) -> Upload | None:
        """The file of this name in a multipart form."""
        for part in parts(self.raw, self.content_type):
            if part.fields.get("name") == name:
                return Upload(part.fields.get("filename", ""), part.content)
        return None


@dataclass(frozen=True)
class Part:
    """One part of a multipart body."""

    headers: Mapping[str, str]
    fields: Mapping[str, str]
    content: bytes


def parts(raw: bytes, content_type: str) -> list[Part]:
    """The parts of a multipart body, none where it is no such thing."""
    if not content_type.startswith("multipart/"):
        return []
    head = f"Content-Type: {content_type}\r\nMIME-Version: 1.0\r\n\r\n".encode("latin-1", "replace")
    message = message_from_bytes(head + raw, policy=HTTP)
    found: list[Part] = []
    for part in message.iter_parts() if message.is_multipart() else ():
        headers = {name.lower(): str(value) for name, value in part.items()}
        content = cast("bytes | None", part.get_payload(decode=True)) or b""
        disposition = part.get("content-disposition")
        fields = dict(disposition.params) if disposition is not None else {}
        found.append(Part(headers, fields, content))
    return found
