"""Recorded exchanges with a real Nextcloud, as the replay needs them."""

import base64
import json
from dataclasses import dataclass
from functools import cache
from typing import Any, cast
from urllib.parse import urlencode

from tests.shared import SHARED

FOLDER = SHARED / "recordings" / "nextcloud"
OBJECTS = SHARED / "recordings" / "nextcloud-objects"

AREAS = (
    "capabilities-and-users",
    "files",
    "files-search-and-favorites",
    "files-trash-and-versions",
    "comments-and-tags",
    "notes",
    "sharing",
    "cookbook",
    "news",
    "errors",
    "contacts",
    "deck",
    "tables",
    "calendar-events",
    "calendar-admin",
    "calendar-todos",
)
OBJECT_AREAS = ("contacts", "cookbook", "deck", "news", "calendar", "tables")
"""What is recorded of whole objects; the steps of these are called `objects/contacts:...`."""
CONTINUED = tuple(f"{folder}{area}" for area in ("cookbook", "deck", "news", "tables") for folder in ("", "objects/"))
"""Areas whose scenarios go on where the one before ended."""


@dataclass(frozen=True)
class Step:
    """A recorded request and its answer."""

    area: str
    scenario: str
    name: str
    person: str
    method: str
    path: str
    query: str
    headers: dict[str, str]
    body: str | bytes
    status: int
    answer_headers: dict[str, str]
    answer: Any

    @property
    def id(self) -> str:
        return f"{self.area}:{self.scenario}/{self.name}"


@cache
def load() -> tuple[Step, ...]:
    """Every recorded step of our areas, in the order sent; empty where the recordings are not at hand."""
    if not FOLDER.is_dir():
        return ()
    files = [(area, FOLDER / f"{area}.json") for area in AREAS]
    files += [(f"objects/{area}", OBJECTS / f"{area}.json") for area in OBJECT_AREAS]
    return tuple(_step(area, raw) for area, file in files for raw in json.loads(file.read_text()))


def _step(area: str, raw: dict[str, Any]) -> Step:
    request, response = raw["request"], raw["response"]
    headers = {name.lower(): value for name, value in request["headers"].items()}
    body, more = _body(request["body"], headers.get("content-type", ""))
    return Step(
        area,
        raw["scenario"],
        raw["step"],
        raw["user"],
        request["method"],
        request["path"],
        urlencode(_pairs(request["query"])),
        headers | more,
        body,
        response["status"],
        response["headers"],
        response["body"],
    )


def _pairs(query: Any) -> list[tuple[str, Any]]:
    given = cast("dict[str, Any]", query).items() if isinstance(query, dict) else cast("list[list[Any]]", query)
    return [(name, value) for name, value in given]


def _body(body: Any, content_type: str) -> tuple[str | bytes, dict[str, str]]:
    """The bytes to send; a body of which only the start is kept goes on as it began."""
    if body is None or isinstance(body, str):
        return body or "", {}
    if "json" in body:
        return json.dumps(body["json"], ensure_ascii=False), {}
    if "form" in body:
        return urlencode(body["form"]), {}
    if "base64" in body:
        return base64.b64decode(body["base64"]), {}
    if "text" in body:
        return body["text"][:1] * body["bytes"], {}
    return _multipart(body["multipart"], content_type.partition("boundary=")[2]), {}


def _multipart(parts: list[dict[str, Any]], boundary: str) -> bytes:
    lines: list[bytes] = []
    for part in parts:
        name = f'form-data; name="{part["name"]}"'
        if "value" in part:
            head, content = [f"Content-Disposition: {name}"], part["value"]
        else:
            disposition = f'Content-Disposition: {name}; filename="{part["filename"]}"'
            head, content = [disposition, f"Content-Type: {part['content-type']}"], part["content"]
        raw = content.encode() if isinstance(content, str) else base64.b64decode(content["base64"])
        lines += [f"--{boundary}".encode(), *(line.encode() for line in head), b"", raw]
    return b"\r\n".join([*lines, f"--{boundary}--".encode(), b""])


def chains(area: str) -> list[list[tuple[str, str]]]:
    """The scenarios of an area; together those that go on from one another: in some, one uses what others made."""
    every = [(area, name) for name in dict.fromkeys(step.scenario for step in load() if step.area == area)]
    return [every] if area in CONTINUED else [[one] for one in every]


def steps_of(area: str, scenario: str) -> list[Step]:
    """The steps of a scenario, in order."""
    return [step for step in load() if (step.area, step.scenario) == (area, scenario)]


def recorded_json(step: Step) -> Any:
    """The JSON of a recorded answer."""
    return cast("dict[str, Any]", step.answer)["json"]
