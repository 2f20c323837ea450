"""Deck 1.16, which Nextcloud 32 has: what a real one answers otherwise than 1.18, and what our tools make of it."""

import json
from collections.abc import AsyncGenerator
from typing import Any

import httpx2
import pytest
from tests.nextcloud.boards import make_card
from tests.nextcloud.sessions import connected, serving

from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio


class OlderDeck(httpx2.AsyncBaseTransport):
    """The sandbox, whose Deck answers as 1.16.7 does."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = serving(sandbox)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        deed = request.url.path.rpartition("/")[2]
        if deed == "undo_delete":
            return httpx2.Response(403, json={"status": 403, "message": "Permission denied"})
        if request.method == "POST" and deed == "shares":
            return httpx2.Response(500, json=_FAILED)
        if "/dependentCards/" in request.url.path:
            return httpx2.Response(405, headers={"content-type": "text/html"})
        answer = await self._sandbox.handle_async_request(request)
        if deed in {"assignLabel", "removeLabel"}:
            return httpx2.Response(answer.status_code, content=b"null", headers=_JSON)
        if deed in {"archive", "unarchive"} or request.method == "DELETE":
            raw = await answer.aread()
            return httpx2.Response(answer.status_code, json=_uncounted(json.loads(raw)), headers=_JSON)
        return answer


_FAILED: dict[str, Any] = {
    "ocs": {"meta": {"status": "failure", "statuscode": 500, "message": "Internal Server Error"}, "data": []}
}
_JSON = {"content-type": "application/json; charset=utf-8"}


def _uncounted(told: dict[str, object]) -> dict[str, object]:
    """A card of which nobody counted the files; anything else stays as it is."""
    return {name: None if name == "attachmentCount" else value for name, value in told.items()}


@pytest.fixture
async def older(sandbox: Sandbox) -> AsyncGenerator[Any]:
    async with connected(OlderDeck(sandbox)) as session:
        yield session


async def test_a_card_is_archived_brought_back_and_deleted_though_deck_counts_none_of_its_files(older: Any) -> None:
    made = await make_card(older)
    assert (await older.ask("deck_archive_card", **made.spot))["archived"] is True
    assert "archived" not in await older.ask("deck_unarchive_card", **made.spot)
    await older.ask("deck_delete_card", **made.spot)


async def test_a_label_is_given_and_taken_though_deck_says_nothing_of_the_card(older: Any) -> None:
    made = await make_card(older)
    label = (await older.ask("deck_create_label", board_id=made.board, title="Wood", color="112233"))["id"]
    labelled = await older.ask("deck_assign_label_to_card", **made.spot, label_id=label)
    assert [one["title"] for one in labelled["labels"]] == ["Wood"]
    await older.ask("deck_remove_label_from_card", **made.spot, label_id=label)
    assert "labels" not in await older.ask("deck_get_card", **made.spot)


async def test_what_came_later_is_refused_with_the_version_that_has_it(older: Any) -> None:
    made = await make_card(older)
    said = await older.refusal("deck_assign_dependent_card", **made.spot, dependent_card_id=made.card)
    assert said == "This Deck does not know cards that depend on others: that came with 1.18. A newer Deck does it."
    await older.ask("deck_delete_board", board_id=made.board)
    said = await older.refusal("deck_restore_board", board_id=made.board)
    assert said.startswith(f"Deck does not give board {made.board} back: before 1.17 it refuses that to everybody.")


async def test_a_file_for_a_card_that_is_not_there_is_no_doubt(older: Any) -> None:
    made = await make_card(older)
    said = await older.refusal("deck_attach_file", card_id=99999999, path="Documents/letter.txt")
    assert said.startswith("There is no card 99999999, or it is not shared with you.")
    assert "Whether it was done is unknown" in await older.refusal(
        "deck_attach_file", card_id=made.card, path="Documents/letter.txt"
    )
