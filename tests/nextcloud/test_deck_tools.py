"""Deck's tools: what lists show, what is made and brought back, and how many requests each tool costs."""

from typing import Any, Final

import mcp_types as mcp
import pytest
from tests.nextcloud.boards import API, Somebody, make_card
from tests.nextcloud.calls import FEW, arranged
from tests.nextcloud.odd_things import ODD_BOARD, bring
from tests.nextcloud.sessions import TOOLS, Session, connected, facts, serving

from aboveboard.nextcloud.sandbox import Sandbox
from aboveboard.nextcloud.tools.deck.selecting import MOST_READ
from aboveboard.nextcloud.tools.deck.views import UNTOLD

pytestmark = pytest.mark.anyio


async def _product(session: Session) -> dict[str, Any]:
    boards = (await session.ask("deck_get_boards"))["items"]
    return next(board for board in boards if board["title"] == "Product")


def _titles(stacks: dict[str, Any]) -> list[str]:
    return [card["title"] for stack in stacks["items"] for card in stack["cards"]]


OPEN: Final = ["Offline mode", "Dark theme", "Übersetzung 🇩🇪", "Login with a key", "Search is slow", "Handbook"]


@pytest.mark.parametrize(
    ("choice", "titles"),
    [
        ({}, OPEN),
        ({"status": "done"}, ["Sign up"]),
        ({"status": "archived"}, ["First logo"]),
        ({"status": "all"}, [*OPEN, "Sign up", "First logo"]),
        ({"label": "bug"}, ["Search is slow"]),
        ({"label": "Feature", "status": "all"}, ["Offline mode", "Dark theme", "Login with a key", "Sign up"]),
        ({"assigned_to": "bob"}, ["Login with a key", "Search is slow"]),
        ({"label": "Bug", "assigned_to": "admin"}, []),
    ],
    ids=str,
)
async def test_a_list_shows_every_card_that_is_asked_for_and_no_other(
    sandbox: Sandbox, choice: dict[str, str], titles: list[str]
) -> None:
    async with connected(serving(sandbox)) as session:
        board = (await _product(session))["id"]
        stacks = await session.ask("deck_get_stacks", board_id=board, **choice)
        overview = await session.ask("deck_get_board_overview", board_id=board, **choice)
        assert _titles(stacks) == titles
        assert _titles({"items": overview["stacks"]}) == titles
        for stack in stacks["items"]:
            assert stack["total"] == len(stack["cards"])
            where = {"board_id": board, "stack_id": stack["id"]}
            assert (await session.ask("deck_get_cards", **where, **choice))["items"] == stack["cards"]
            alone = await session.ask("deck_get_stack", **where, **choice)
            assert {name: value for name, value in alone.items() if name != "note"} == stack


async def test_archived_cards_are_found_by_label_and_person_though_deck_does_not_list_these(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        odd = await bring(sandbox, *ODD_BOARD)
        spot = {"board_id": odd["board"], "stack_id": odd["stack"], "card_id": odd["card"]}
        await session.ask("deck_archive_card", **spot)
        bare = await session.ask("deck_get_archived_stacks", board_id=odd["board"])
        assert _titles(bare) == ["Ödd card"]
        assert (bare["note"], bare["items"][0]["cards"][0].get("labels")) == (UNTOLD, None)
        for choice in ({"label": "WÖOD"}, {"label": str(odd["label"])}, {"assigned_to": "bob"}):
            told = await session.ask("deck_get_archived_stacks", board_id=odd["board"], **choice)
            assert _titles(told) == ["Ödd card"]
            assert "note" not in told
            assert told["items"][0]["cards"][0]["labels"][0]["title"] == "Wöod"
        assert _titles(await session.ask("deck_get_archived_stacks", board_id=odd["board"], label="Glass")) == []


async def test_summaries_cut_descriptions_and_say_so(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        made = await make_card(session, description="Größe:\n\n" + "lang " * 100)
        where = {"board_id": made.board, "stack_id": made.stack}
        [short] = (await session.ask("deck_get_cards", **where))["items"]
        assert short["preview"] == ("Größe: " + "lang " * 100)[:140] + "…"
        assert (short["description_length"], "description" in short) == (508, False)
        [full] = (await session.ask("deck_get_cards", **where, detail="full"))["items"]
        assert (len(full["description"]), "description_length" in full) == (508, False)
        [cut] = (await session.ask("deck_get_cards", **where, detail="full", description_max_length=6))["items"]
        assert (cut["description"], cut["description_length"]) == ("Größe:", 508)
        [none] = (await session.ask("deck_get_cards", **where, description_preview_length=0))["items"]
        assert none["preview"] == "…"


async def test_a_thousand_cards_are_listed_with_one_request_and_none_is_missing(sandbox: Sandbox) -> None:
    async with connected(service := serving(sandbox)) as session:
        made = await make_card(session)
        somebody = Somebody(sandbox)
        for number in range(999):
            at = f"{API}/boards/{made.board}/stacks/{made.stack}/cards"
            await somebody.send("POST", at, {"title": f"Card {number}", "order": number})
        service.arrived.clear()
        stacks = await session.ask("deck_get_stacks", board_id=made.board)
        assert len(set(_titles(stacks))) == stacks["items"][0]["total"] == 1000
        assert len(service.arrived) == 1
        where = {"board_id": made.board, "stack_id": made.stack}
        last = await session.ask("deck_get_cards", **where, limit=300, offset=900)
        assert (len(last["items"]), last["total"], "next_offset" in last) == (100, 1000, False)
        page = await session.ask("deck_get_cards", **where)
        assert (len(page["items"]), page["next_offset"]) == (100, 100)
        overview = await session.ask("deck_get_board_overview", board_id=made.board)
        assert (len(overview["stacks"][0]["cards"]), overview["stacks"][0]["total"]) == (50, 1000)


async def test_too_many_archived_cards_are_not_read_one_by_one_for_a_filter(sandbox: Sandbox) -> None:
    async with connected(service := serving(sandbox)) as session:
        made = await make_card(session)
        somebody, at = Somebody(sandbox), f"{API}/boards/{made.board}/stacks/{made.stack}/cards"
        for _ in range(MOST_READ + 1):
            card = (await somebody.send("POST", at, {"title": "Old"}))["id"]
            await somebody.send("PUT", f"{at}/{card}/archive")
        assert len(_titles(await session.ask("deck_get_archived_stacks", board_id=made.board))) == MOST_READ + 1
        service.arrived.clear()
        said = await session.refusal("deck_get_archived_stacks", board_id=made.board, label="x")
        assert said.startswith(f"Of {MOST_READ + 1} archived cards")
        assert len(service.arrived) == 1


async def test_a_deleted_board_comes_back_with_all_it_had(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        odd = await bring(sandbox, *ODD_BOARD)
        before = facts(sandbox)
        await session.ask("deck_delete_board", board_id=odd["board"])
        assert "There is no board" in await session.refusal("deck_get_board", board_id=odd["board"])
        await session.ask("deck_restore_board", board_id=odd["board"])
        assert facts(sandbox) == before
        await session.ask("deck_restore_board", board_id=odd["board"])
        assert facts(sandbox) == before


async def test_a_clone_has_what_was_asked_for(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        odd = await bring(sandbox, *ODD_BOARD)
        for wanted, labels, people, due in (
            ({}, ["Wöod"], ["bob", "group:team"], "2031-12-24T18:30:00Z"),
            ({"with_labels": False, "with_assignments": False, "with_due_dates": False}, [], [], None),
        ):
            copy = await session.ask("deck_clone_board", board_id=odd["board"], **wanted)
            assert copy["title"] == "Ödd (copy)"
            stacks = await session.ask("deck_get_stacks", board_id=copy["id"])
            [card] = [one for stack in stacks["items"] for one in stack["cards"] if one["title"] == "Ödd card"]
            assert [label["title"] for label in card.get("labels", [])] == labels
            assert (card.get("assigned_to", []), card.get("duedate")) == (people, due)


async def test_a_long_comment_is_split_at_spaces_and_nothing_of_it_is_lost(sandbox: Sandbox) -> None:
    text = "Größe & Maß 🚪 " * 200
    async with connected(serving(sandbox)) as session:
        made = await make_card(session)
        said = await session.ask("deck_create_card_comment", card_id=made.card, message=text, overflow="split")
        listed = await session.ask(
            "deck_get_card_comments", card_id=made.card, order="oldest", detail="full", limit=len(said["items"])
        )
    parts = [one["message"] for one in listed["items"]]
    assert len(parts) > 1
    assert max(map(len, parts)) <= 1000
    assert " ".join(parts).split() == text.split()
    assert [one["id"] for one in listed["items"]] == [one["id"] for one in said["items"]]


async def test_comments_come_in_pages_from_either_end(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        made = await make_card(session)
        somebody = Somebody(sandbox)
        for number in range(250):
            at = f"/ocs/v2.php/apps/deck/api/v1.0/cards/{made.card}/comments"
            await somebody.send("POST", at, {"message": f"{number} " + "x" * 200})
        newest = await session.ask("deck_get_card_comments", card_id=made.card, limit=2)
        oldest = await session.ask("deck_get_card_comments", card_id=made.card, limit=2, offset=248, order="oldest")
    assert [one["message"][:4] for one in newest["items"]] == ["249 ", "248 "]
    assert (newest["next_offset"], newest["items"][0]["length"]) == (2, 204)
    assert [one["message"][:4] for one in oldest["items"]] == ["248 ", "249 "]
    assert "next_offset" not in oldest


async def test_an_uploaded_file_is_what_was_given_under_a_name_that_is_free(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        made = await make_card(session)
        names = ['Maß "1" #2.bin', "Maß.bin", "Maß.bin"]
        for name in names:
            await session.ask(
                "deck_upload_attachment", **made.spot, filename=name, content="AAEC/w==", content_encoding="base64"
            )
        listed = (await session.ask("deck_list_attachments", **made.spot))["items"]
    assert [one["name"] for one in listed][1:] == ["Maß.bin", "Maß (2).bin"]
    assert [one["size"] for one in listed] == [4, 4, 4]
    contents = [value for key, value in facts(sandbox).items() if "/Deck/" in key and key.endswith("/content")]
    assert len(contents) == 3
    assert len(set(map(str, contents))) == 1


COSTS: Final = {
    "deck_get_boards": 1,
    "deck_get_board": 1,
    "deck_get_board_overview": 2,
    "deck_create_board": 1,
    "deck_update_board": 3,
    "deck_delete_board": 1,
    "deck_restore_board": 2,
    "deck_clone_board": 1,
    "deck_share_board": 3,
    "deck_unshare_board": 2,
    "deck_get_stacks": 1,
    "deck_get_stack": 1,
    "deck_get_archived_stacks": 1,
    "deck_create_stack": 1,
    "deck_update_stack": 3,
    "deck_delete_stack": 2,
    "deck_get_cards": 1,
    "deck_get_card": 1,
    "deck_create_card": 1,
    "deck_update_card": 3,
    "deck_delete_card": 2,
    "deck_archive_card": 2,
    "deck_unarchive_card": 2,
    "deck_reorder_card": 4,
    "deck_move_card_to_board": 4,
    "deck_assign_dependent_card": 2,
    "deck_remove_dependent_card": 2,
    "deck_get_labels": 1,
    "deck_get_label": 1,
    "deck_create_label": 1,
    "deck_update_label": 3,
    "deck_delete_label": 2,
    "deck_assign_label_to_card": 4,
    "deck_remove_label_from_card": 2,
    "deck_assign_user_to_card": 3,
    "deck_unassign_user_from_card": 2,
    "deck_get_card_comments": 1,
    "deck_create_card_comment": 1,
    "deck_update_card_comment": 1,
    "deck_delete_card_comment": 2,
    "deck_attach_file": 1,
    "deck_attach_note": 2,
    "deck_list_attachments": 1,
    "deck_upload_attachment": 2,
    "deck_delete_attachment": 3,
}


async def test_every_tool_costs_as_many_requests_as_it_must(sandbox: Sandbox) -> None:
    spent: dict[str, int] = {}
    async with connected(service := serving(sandbox)) as session:
        for tool in [name for name in TOOLS if name.startswith("deck_")]:
            arguments = await arranged(session, tool)
            service.arrived.clear()
            await session.ask(tool, **arguments)
            spent[tool] = len(service.arrived)
            sandbox.reset()
    assert {tool: requests for tool, requests in spent.items() if requests > FEW or tool in COSTS} == COSTS


async def test_boards_and_all_on_them_are_resources(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        odd = await bring(sandbox, *ODD_BOARD)
        board = f"nc://Deck/boards/{odd['board']}"
        for uri, words in (
            ("nc://Deck/boards", "Product"),
            (board, "Wöod"),
            (f"{board}/stacks", "Other"),
            (f"{board}/stacks/{odd['stack']}", "Other"),
            (f"{board}/stacks/{odd['stack']}/cards", "Other"),
            (f"{board}/stacks/{odd['stack']}/cards/{odd['card']}", "Größe?"),
            (f"{board}/labels", "Glass"),
            (f"{board}/labels/{odd['label']}", "Wöod"),
        ):
            [content] = (await session.client.read_resource(uri)).contents
            assert isinstance(content, mcp.TextResourceContents)
            assert words in content.text, uri
        with pytest.raises(Exception, match="has no board 'x'"):
            await session.client.read_resource("nc://Deck/boards/x")


@pytest.mark.parametrize("era", ["legacy", "auto"])
async def test_completing_goes_by_the_board_and_the_stack_that_were_chosen(sandbox: Sandbox, era: Any) -> None:
    address = mcp.ResourceTemplateReference(uri="nc://Deck/boards/{board_id}/stacks/{stack_id}/cards/{card_id}")
    labels = mcp.ResourceTemplateReference(uri="nc://Deck/boards/{board_id}/labels/{label_id}")
    async with connected(serving(sandbox), era=era) as session:
        board = (await _product(session))["id"]
        stacks = (await session.ask("deck_get_stacks", board_id=board))["items"]
        own = (await session.ask("deck_get_labels", board_id=board))["items"]

        async def offered(about: Any, part: str, typed: str, **chosen: int) -> list[str]:
            context = {name: str(value) for name, value in chosen.items()}
            argument = {"name": part, "value": typed}
            return (await session.client.complete(about, argument, context_arguments=context)).completion.values

        assert await offered(address, "board_id", "prod") == [str(board)]
        assert await offered(address, "stack_id", "", board_id=board) == [str(one["id"]) for one in stacks]
        assert await offered(address, "stack_id", "") == []
        first = stacks[0]
        titles = {str(card["id"]): card["title"] for card in first["cards"]}
        found = await offered(address, "card_id", "", board_id=board, stack_id=first["id"])
        assert set(titles) <= set(found)
        word = next(iter(titles.values()))
        assert next(iter(titles)) in await offered(address, "card_id", word.upper(), board_id=board)
        assert await offered(labels, "label_id", "bug", board_id=board) == [
            str(one["id"]) for one in own if one["title"] == "Bug"
        ]


async def test_a_file_of_somebody_else_is_theirs_to_attach_again(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as ada, connected(serving(sandbox), user="bob") as bob:
        made = await make_card(ada)
        await ada.ask("deck_share_board", board_id=made.board, participant="bob", can_edit=True)
        theirs = (await bob.ask("deck_attach_file", card_id=made.card, path="Diary.md"))["attachment_id"]
        mine = (await ada.ask("deck_attach_file", card_id=made.card, path="Readme.md"))["attachment_id"]
        told = [
            (await ada.ask("deck_delete_attachment", **made.spot, attachment_id=one))["to_get_back"]
            for one in (theirs, mine)
        ]
    assert told[0] == "Only bob, whose file it is, can attach it again."
    assert told[1].startswith("deck_attach_file with ")
