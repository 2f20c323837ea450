"""Deck has no document of its API: what we send is held to recorded requests that worked, what we read to answers."""

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final, cast

import httpx2
import pytest
from pydantic import BaseModel
from tests.nextcloud.recorded_requests import RecordedApi
from tests.nextcloud.sandbox.recordings import FOLDER

from aboveboard.http import Response
from aboveboard.nextcloud.client.deck.models import Attachment, Board, Card, Comment, Label, Member, Stack
from aboveboard.nextcloud.client.model import check_value
from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = [pytest.mark.anyio, pytest.mark.skipif(not FOLDER.is_dir(), reason=f"no recordings at {FOLDER}")]

# What a share with a card is sent to is not Deck's own.
DECK: Final = RecordedApi(r"/apps/deck/")


async def test_every_request_is_one_that_worked_on_a_real_deck(sandbox: Sandbox) -> None:
    faults, routes = await DECK.held(sandbox, "deck_")
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
    for step in DECK.steps():
        for thing in _objects(step.answer):
            for kind, (model, keys) in _KINDS.items():
                if keys <= thing.keys() and thing.get("id") is not None:
                    check_value(thing, model, answer)
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
