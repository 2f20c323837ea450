"""Recorded exchanges with a real Lightdash, as the replay needs them."""

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

from tests.lightdash.sandbox import content_steps, query_steps
from tests.shared import SHARED

FOLDER = SHARED / "recordings" / "lightdash"

_ID = "[^/]+"
ENDPOINTS = tuple(
    re.compile(f"{method} {path.replace('*', _ID)}/?", re.IGNORECASE)
    for method, path in (
        ("GET", "/api/v1/health"),
        ("GET", "/api/v1/(livez|readyz)"),
        ("GET", "/api/v1/user"),
        ("GET", "/api/v1/org"),
        ("GET", "/api/v1/org/projects"),
        ("GET", "/api/v1/projects/*"),
        ("(GET|POST)", "/api/v1/projects/*/spaces"),
        ("(GET|PATCH|DELETE)", "/api/v1/projects/*/spaces/*"),
        ("GET", "/api/v1/projects/*/spaces/*/delete-impact"),
        ("GET", "/api/v2/content"),
        ("(GET|DELETE)", "/api/(v1|v2/projects/*)/saved/*"),
        ("GET", "/api/v1/projects/*/dashboards"),
        ("(GET|DELETE)", "/api/(v1|v2/projects/*)/dashboards/*"),
        ("GET", "/api/v1/org/users"),
        ("GET", "/api/v1/org/users/(email/)?*"),
        ("GET", "/api/v1/org/groups"),
        ("GET", "/api/v1/groups/*"),
        ("GET", "/api/v1/groups/*/members"),
        *query_steps.ENDPOINTS,
        *content_steps.ENDPOINTS,
    )
)
# Requests that no route takes, the same whatever the endpoints are.
ROUTELESS = re.compile(
    r"errors routes/.*|.*/(raw-dotdot|raw-jump|double-slash|project-empty|livez-root)"
    r"|(tags|users) .*/(get-one|wrong-path)"
)


@dataclass(frozen=True)
class Step:
    """One recorded request and its answer."""

    area: str
    name: str
    person: str
    request: dict[str, Any]
    status: int
    headers: dict[str, str]
    body: Any
    endpoint: int | None

    @property
    def id(self) -> str:
        return f"{self.area} {self.name}"

    @property
    def covered(self) -> bool:
        return self.endpoint is not None or bool(ROUTELESS.fullmatch(self.id))


@cache
def load() -> tuple[Step, ...]:
    """Every recorded step, in the order of its area; empty where the recordings are not at hand."""
    return tuple(_step(path.stem, raw) for path in sorted(FOLDER.glob("*.json")) for raw in _read(path))


def _read(path: Path) -> list[dict[str, Any]]:
    return cast("list[dict[str, Any]]", json.loads(path.read_text()))


def _step(area: str, raw: dict[str, Any]) -> Step:
    request, response = raw["request"], raw["response"]
    line = f"{request['method']} {request['path'].partition('?')[0]}"
    endpoint = next((place for place, pattern in enumerate(ENDPOINTS) if pattern.fullmatch(line)), None)
    name = f"{raw['scenario']}/{raw['step']}"
    return Step(area, name, raw["as"], request, response["status"], response["headers"], response["body"], endpoint)
