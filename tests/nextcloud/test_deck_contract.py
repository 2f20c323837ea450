"""Deck has no document of its API: what we send is held to recorded requests that worked, what we read to answers."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from typing import Any, Final, cast

import httpx2
import pytest
from pydantic import BaseModel
from tests.nextcloud.calls import VALUES
from tests.nextcloud.sandbox.recordings import FOLDER, Step, load
from tests.nextcloud.sessions import connected, serving
from tests.plans import arrange, good_cases
from tests.sessions import raw_path

from aboveboard.http import Response
from aboveboard.nextcloud.client.deck.models import Attachment, Board, Card, Comment, Label, Member, Stack
from aboveboard.nextcloud.client.model import checked
from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = [pytest.mark.anyio, pytest.mark.skipif(not FOLDER.is_dir(), reason=f"no recordings at {FOLDER}")]

# What a share with a card is sent to is not Deck's own.
_DECK: Final = re.compile(r"/apps/deck/")
Shape = dict[str, set[str]]


def _steps() -> list[Step]:
    return [step for step in load() if _DECK.search(step.path) and step.status == 200]


def _route(method: str, path: str) -> str:
    return f"{method} {re.sub(r'/[0-9]+(?=/|$)', '/{id}', path)}"


@cache
def _recorded() -> dict[str, Shape]:
    """Which keys, with which types, a body has had that worked, by route."""
    found: dict[str, Shape] = defaultdict(lambda: defaultdict(set))
    for step in _steps():
        shape = found[_route(step.method, step.path)]
        if isinstance(step.body, str) and step.body.startswith("{"):
            for name, value in json.loads(step.body).items():
                shape[name].add(type(value).__name__)
    return found


def _faults(request: httpx2.Request) -> Iterator[str]:
    route = _route(request.method, raw_path(request))
    if route not in _recorded():
        yield f"{route} was never recorded"
    elif request.content.startswith(b"{"):
        known = _recorded()[route]
        for name, value in json.loads(request.content).items():
            if type(value).__name__ not in known[name]:
                yield f"{route} with {name}: {value!r}"


async def test_every_request_is_one_that_worked_on_a_real_deck(sandbox: Sandbox) -> None:
    faults: set[str] = set()
    routes: Counter[str] = Counter()
    async with connected(service := serving(sandbox)) as session:
        for case in good_cases("nextcloud"):
            if case.tool.startswith("deck_"):
                await session.ask(case.tool, **await arrange(session, case, VALUES))
                sandbox.reset()
    for request in service.arrived:
        if _DECK.search(request.url.path):
            routes[_route(request.method, raw_path(request))] += 1
            faults |= set(_faults(request))
    assert faults == set()
    assert len(routes) > 30


_KINDS: Final[dict[str, tuple[type[BaseModel], frozenset[str]]]] = {
    "board": (Board, frozenset({"title", "permissions", "users"})),
    "stack": (Stack, frozenset({"title", "isDoneColumn"})),
    "card": (Card, frozenset({"title", "stackId", "archived"})),
    "label": (Label, frozenset({"title", "color", "cardId"})),
    "member": (Member, frozenset({"participant", "permissionEdit"})),
    "attachment": (Attachment, frozenset({"cardId", "extendedData", "data"})),
    "comment": (Comment, frozenset({"message", "actorId"})),
}


def test_every_recorded_thing_is_read_whatever_its_form() -> None:
    read: Counter[str] = Counter()
    answer = Response(200, httpx2.Headers(), b"")
    for step in _steps():
        for thing in _objects(step.answer):
            for kind, (model, keys) in _KINDS.items():
                if keys <= thing.keys() and thing.get("id") is not None:
                    checked(thing, model, answer)
                    read[kind] += 1
    assert min(read[kind] for kind in _KINDS) > 10, read


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    """Go through all that an answer holds, at any depth."""
    if isinstance(value, list):
        for one in cast("list[Any]", value):
            yield from _objects(one)
    elif isinstance(value, dict):
        fields = cast("dict[str, Any]", value)
        yield fields
        for one in fields.values():
            yield from _objects(one)
