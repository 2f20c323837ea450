"""How a module says what it answers: a `Routes` per module, a function per method and path.

    routes = Routes()

    @routes.get("/api/v1/projects/{project}/tags")
    def list_tags(call: Call) -> object:
        project = access.project(call)
        return [...]  # becomes {"status": "ok", "results": [...]}

A module anywhere below the sandbox's package is found with all that it declares: its routes, its tables, its seed.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from sqlite3 import Row

from aboveboard.lightdash.sandbox.store import Store
from aboveboard.lightdash.sandbox.wire import CrashError, ServiceError, decode
from aboveboard.sandbox.routes import Route, register

Handler = Callable[["Call"], object]
Deprecated = str | tuple[str, str, str]
"""Advice alone, with the dates that most routes have; or the days of deprecation and of removal, and the advice."""

DONE = object()
"""What a handler returns when the answer has no results at all."""

_UUID = re.compile(r"(?:[0-9a-fA-F]{4}-?){7}[0-9a-fA-F]{4}")


@dataclass(frozen=True)
class Created:
    """A result that is answered with 201."""

    results: object


class Routes:
    """The routes of one module."""

    def __init__(self) -> None:
        self.list: list[Route[Handler]] = []

    def get(self, path: str, *, public: bool = False, deprecated: Deprecated = "") -> Callable[[Handler], Handler]:
        """Answer GET, and HEAD with it."""
        return self.on("GET", path, public=public, deprecated=deprecated)

    def post(self, path: str, *, deprecated: Deprecated = "") -> Callable[[Handler], Handler]:
        """Answer POST."""
        return self.on("POST", path, deprecated=deprecated)

    def put(self, path: str, *, deprecated: Deprecated = "") -> Callable[[Handler], Handler]:
        """Answer PUT."""
        return self.on("PUT", path, deprecated=deprecated)

    def patch(self, path: str, *, deprecated: Deprecated = "") -> Callable[[Handler], Handler]:
        """Answer PATCH."""
        return self.on("PATCH", path, deprecated=deprecated)

    def delete(self, path: str, *, deprecated: Deprecated = "") -> Callable[[Handler], Handler]:
        """Answer DELETE."""
        return self.on("DELETE", path, deprecated=deprecated)

    def on(
        self, method: str, path: str, *, public: bool = False, deprecated: Deprecated = ""
    ) -> Callable[[Handler], Handler]:
        """Register a handler; `deprecated` is what the warning header says behind its first sentence."""
        headers = _deprecation(deprecated) if deprecated else None
        return register(self.list, method, path, public=public, headers=headers)


def _deprecation(deprecated: "Deprecated") -> dict[str, str]:
    since, until, advice = (
        ("Wed, 10 Jun 2026", "Thu, 10 Sep 2026", deprecated) if isinstance(deprecated, str) else deprecated
    )
    sunset = f"{until} 00:00:00 GMT"
    text = f"This API endpoint is deprecated and will be removed after {sunset}. {advice}".rstrip()
    return {"deprecation": f"{since} 00:00:00 GMT", "sunset": sunset, "warning": f'299 - "{text}"'}


def read_params(raw: Mapping[str, str]) -> dict[str, str]:
    """The parameters of a path by name, decoded after routing."""
    values = {name: decode(value.encode("latin-1")) for name, value in raw.items()}
    if None in values.values():
        raise ServiceError(400, "URIError", "Invalid URI encoding")
    return {name: value or "" for name, value in values.items()}


@dataclass
class Call:
    """One request, as a handler sees it."""

    store: Store
    caller: Row | None
    params: Mapping[str, str]
    query: Mapping[str, object]
    body: object
    headers: Mapping[str, str]
    address: str

    @cached_property
    def user(self) -> Row:
        """The row of the person whose token was sent; only public routes have none."""
        if self.caller is None:
            raise CrashError
        return self.caller

    def uuid(self, name: str) -> str:
        """A parameter that Postgres must be able to read as a UUID, in its plain form."""
        return as_uuid(self.params[name])


def is_uuid(text: str) -> bool:
    """Whether Postgres would take this for a UUID."""
    return bool(_UUID.fullmatch(text[1:-1] if text[:1] == "{" and text[-1:] == "}" else text))


def as_uuid(text: str) -> str:
    """The plain form of whatever Postgres takes for a UUID; anything else crashes the real server."""
    if not is_uuid(text):
        raise CrashError
    digits = text.strip("{}").replace("-", "").lower()
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def storable(text: str, longest: int | None = None) -> str:
    """A text as Postgres stores it: no NUL, no more than the column takes; lone surrogates become U+FFFD."""
    if "\0" in text or (longest is not None and len(text) > longest):
        raise CrashError
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
