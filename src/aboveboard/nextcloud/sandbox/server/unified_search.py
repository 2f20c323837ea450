"""The unified search: an app that can be searched declares a Provider."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from aboveboard.nextcloud.sandbox.calls import PACKAGE, Call, Routes
from aboveboard.nextcloud.sandbox.ocs import OcsError, Tagged
from aboveboard.nextcloud.sandbox.server.server import facts, missing_apps
from aboveboard.sandbox.parts import collect, load_modules

DEFAULT_LIMIT = 5

routes = Routes()


@dataclass(frozen=True)
class Provider:
    """Where one can search: the entries for a folded term, the best first."""

    id: str
    name: str
    search: Callable[[Call, str], list[dict[str, Any]]]


def fold_case(text: str) -> str:
    """A text without the case of ASCII letters, which is all that the real server folds."""
    return "".join(char.lower() if char.isascii() else char for char in text)


@cache
def _providers() -> dict[str, Provider]:
    return {provider.id: provider for provider in collect(load_modules(PACKAGE), Provider)}


@routes.ocs("GET", "/search/providers")
def providers(call: Call) -> Tagged:
    """Where one can search."""
    return Tagged([entry for entry in facts(call, "providers") if entry["appId"] not in missing_apps()])


@routes.ocs("GET", "/search/providers/{provider}/search")
def search(call: Call) -> dict[str, Any]:
    """A page of what one provider finds; the cursor goes on even where nothing follows."""
    provider, term = call.text("provider"), call.text("term")
    found = _providers().get(provider)
    if found is None:
        raise OcsError(500, "Internal Server Error\n", code=996)
    if not term:
        raise OcsError(400, data="No valid filters provided")
    limit = call.number("limit") or DEFAULT_LIMIT
    start = call.number("cursor")
    return {
        "name": found.name,
        "isPaginated": True,
        "entries": found.search(call, fold_case(term))[start : start + limit],
        "cursor": start + limit,
    }
