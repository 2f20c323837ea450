"""What surprises in a real Deck, by the recordings, and what our tools make of it: a test for each they can meet."""

from typing import Any

import httpx2
import pytest
from tests.nextcloud.boards import API, Somebody, make_card
from tests.nextcloud.client.people import scripted
from tests.nextcloud.odd_things import ODD_BOARD, bring
from tests.nextcloud.sessions import connected, facts, serving

from aboveboard.effects import ENSURE, under
from aboveboard.errors import DOUBT
from aboveboard.http import retry
from aboveboard.nextcloud.client.deck.cards import Spot
from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio


async def test_a_due_date_keeps_its_moment_whatever_its_zone(sandbox: Sandbox) -> None:
    """Deck keeps the time on the clock and forgets the zone, though its answer still has it."""
    async with connected(serving(sandbox)) as session:
        made = await make_card(session, duedate="2026-12-24T18:30:00+02:00")
        assert (await session.ask("deck_get_card", **made.spot))["duedate"] == "2026-12-24T16:30:00Z"
        await session.ask("deck_update_card", **made.spot, duedate="2026-12-20T08:00:00-05:00", done="2026-12-19")
        read = await session.ask("deck_get_card", **made.spot)
    assert (read["duedate"], read["done"]) == ("2026-12-20T13:00:00Z", "2026-12-19T00:00:00Z")


@pytest.mark.parametrize("word", ["tomorrow", "false", "true", "1798137000"])
async def test_a_word_for_a_date_is_refused_before_deck_makes_something_of_it(sandbox: Sandbox, word: str) -> None:
    """`done: false` would mark the card as done, `tomorrow` works by chance, a number is a failure of the server."""
    async with connected(service := serving(sandbox)) as session:
        made = await make_card(session)
        before = len(service.arrived)
        for field in ("done", "duedate"):
            said = await session.refusal("deck_update_card", **made.spot, **{field: word})
            assert said.startswith(f"{word!r} is not a date."), said
        assert len(service.arrived) == before


async def test_a_card_that_is_not_done_stays_so_when_something_else_changes(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        made = await make_card(session)
        assert "done" not in await session.ask("deck_update_card", **made.spot, title="Gate")
        await session.ask("deck_update_card", **made.spot, done="2026-01-01T12:00:00Z")
        assert (await session.ask("deck_update_card", **made.spot, order=4))["done"] == "2026-01-01T12:00:00Z"
        assert "done" not in await session.ask("deck_update_card", **made.spot, done="")


async def test_a_wrong_stack_moves_nothing_and_deletes_nothing(sandbox: Sandbox) -> None:
    """Deck looks at the card's id alone, and a PUT moves the card to the stack of its path."""
    async with connected(serving(sandbox)) as session:
        made = await make_card(session)
        other = (await session.ask("deck_create_stack", board_id=made.board, title="Doing", order=1))["id"]
        before = facts(sandbox)
        wrong = {**made.spot, "stack_id": other}
        for tool, more in _WITH_A_CARD.items():
            said = await session.refusal(tool, **wrong, **more)
            assert said.startswith(f"Card {made.card} is in stack {made.stack}, not in stack {other}."), (tool, said)
        assert facts(sandbox) == before


_WITH_A_CARD: dict[str, dict[str, Any]] = {
    "deck_get_card": {},
    "deck_update_card": {"title": "Gate"},
    "deck_delete_card": {},
    "deck_archive_card": {},
    "deck_unarchive_card": {},
    "deck_assign_label_to_card": {"label_id": 1},
    "deck_remove_label_from_card": {"label_id": 1},
    "deck_assign_user_to_card": {"user_id": "admin"},
    "deck_unassign_user_from_card": {"user_id": "admin"},
    "deck_assign_dependent_card": {"dependent_card_id": 1},
    "deck_remove_dependent_card": {"dependent_card_id": 1},
    "deck_upload_attachment": {"filename": "a.txt", "content": "x"},
}


async def test_what_was_deleted_is_not_brought_back_by_an_update(sandbox: Sandbox) -> None:
    """A PUT of a deleted card or stack undoes the deletion."""
    async with connected(serving(sandbox)) as session:
        made = await make_card(session)
        await session.ask("deck_delete_card", **made.spot)
        said = await session.refusal("deck_update_card", **made.spot, title="Gate")
        assert said.startswith(f"The card {made.card} was deleted.")
        await session.ask("deck_delete_stack", board_id=made.board, stack_id=made.stack)
        said = await session.refusal("deck_update_stack", board_id=made.board, stack_id=made.stack, title="x")
        assert said.startswith(f"Board {made.board} has no stack {made.stack}.")
        stacks = await session.ask("deck_get_stacks", board_id=made.board, status="all")
    assert stacks["items"] == []


async def test_a_card_of_a_deleted_stack_is_on_no_list_and_comes_back_with_the_stack(sandbox: Sandbox) -> None:
    """Deck keeps it, and answers whoever knows its id: so it is read and changed as Deck has it."""
    async with connected(serving(sandbox)) as session:
        made = await make_card(session)
        stack = {"board_id": made.board, "stack_id": made.stack}
        await session.ask("deck_delete_stack", **stack)
        await session.ask("deck_update_card", **made.spot, title="Gate")
        assert (await session.refusal("deck_get_cards", **stack)).startswith(f"Board {made.board} has no stack")
        assert (await session.ask("deck_get_stacks", board_id=made.board, status="all"))["items"] == []
        at = f"{API}/boards/{made.board}/stacks/{made.stack}"
        await Somebody(sandbox).send("PUT", at, {"title": "To do", "order": 0})  # which undoes the deletion
        listed = (await session.ask("deck_get_cards", **stack))["items"]
    assert [(one["id"], one["title"]) for one in listed] == [(made.card, "Gate")]


async def test_a_stack_or_label_of_another_board_is_left_alone(sandbox: Sandbox) -> None:
    """The board in the path is not looked at either."""
    async with connected(serving(sandbox)) as session:
        odd = await bring(sandbox, *ODD_BOARD)
        before = facts(sandbox)
        stack, label = {"stack_id": odd["stack"]}, {"label_id": odd["label"]}
        for tool, thing in (
            ("deck_update_stack", {**stack, "title": "x"}),
            ("deck_delete_stack", stack),
            ("deck_update_label", {**label, "title": "x"}),
            ("deck_get_label", label),
        ):
            said = await session.refusal(tool, board_id=odd["there"], **thing)
            assert said.startswith(f"Board {odd['there']} has no "), (tool, said)
        assert (await session.ask("deck_delete_label", board_id=odd["there"], **label))["already_gone"]
        assert facts(sandbox) == before


async def test_a_second_deletion_is_a_success_that_says_so_whatever_deck_answers(sandbox: Sandbox) -> None:
    """Deck answers 403 for boards, labels, members and shared files, 200 for stacks and own files, 404 for comments."""
    async with connected(serving(sandbox)) as session:
        odd = await bring(sandbox, *ODD_BOARD)
        spot = {"board_id": odd["board"], "stack_id": odd["stack"], "card_id": odd["card"]}
        deletions: list[tuple[str, dict[str, Any]]] = [
            ("deck_remove_dependent_card", {**spot, "dependent_card_id": odd["other"]}),
            ("deck_remove_label_from_card", {**spot, "label_id": odd["label"]}),
            ("deck_unassign_user_from_card", {**spot, "user_id": "bob"}),
            ("deck_delete_attachment", {**spot, "attachment_id": odd["file"]}),
            ("deck_delete_card_comment", {"card_id": odd["card"], "comment_id": odd["comment"]}),
            ("deck_delete_card", spot),
            ("deck_delete_label", {"board_id": odd["board"], "label_id": odd["label"]}),
            ("deck_delete_stack", {"board_id": odd["board"], "stack_id": odd["stack"]}),
            ("deck_unshare_board", {"board_id": odd["board"], "participant": "bob"}),
            ("deck_delete_board", {"board_id": odd["board"]}),
        ]
        for tool, arguments in deletions:
            assert "already_gone" not in await session.ask(tool, **arguments), tool
            after = facts(sandbox)
            assert (await session.ask(tool, **arguments))["already_gone"] is True, tool
            assert facts(sandbox) == after, tool


async def test_a_deletion_that_deck_forbids_is_no_success(sandbox: Sandbox) -> None:
    """The same 403 says that something is gone and that it is somebody else's."""
    async with connected(serving(sandbox), user="bob") as bob:
        odd = await bring(sandbox, *ODD_BOARD)
        before = facts(sandbox)
        said = await bob.refusal("deck_delete_board", board_id=odd["board"])
        assert said.startswith(f"There is no board {odd['board']}, or you may not change it."), said
        said = await bob.refusal("deck_delete_card_comment", card_id=odd["card"], comment_id=odd["comment"])
        assert "Only authors" in said
        assert facts(sandbox) == before


async def test_a_board_that_deck_fails_to_delete_and_deletes_all_the_same_is_reported_as_deleted(
    sandbox: Sandbox,
) -> None:
    """A member whom nobody knows, which others let Deck have, makes the deletion a 500."""
    async with connected(serving(sandbox)) as session:
        made = await make_card(session)
        rights = {"permissionEdit": False, "permissionShare": False, "permissionManage": False}
        stranger = {"type": 0, "participant": "nobody-here", **rights}
        await Somebody(sandbox).send("POST", f"{API}/boards/{made.board}/acl", stranger)
        gone = await session.ask("deck_delete_board", board_id=made.board)
        assert (gone["id"], "already_gone" in gone) == (made.board, False)
        boards = (await session.ask("deck_get_boards"))["items"]
    assert next(board for board in boards if board["id"] == made.board)["deleted"]


async def test_someone_whom_nobody_knows_gets_no_board(sandbox: Sandbox) -> None:
    async with connected(service := serving(sandbox)) as session:
        made = await make_card(session)
        said = await session.refusal("deck_share_board", board_id=made.board, participant="nobody-here")
        assert said.startswith("There is no user 'nobody-here' to share with.")
        assert [line for line in service.lines if line.startswith("POST") and line.endswith("/acl")] == []


async def test_sharing_again_says_anew_what_someone_may_do_and_the_same_again_sends_nothing(sandbox: Sandbox) -> None:
    """A second time is a failure of Deck, and one permission alone is another."""
    async with connected(service := serving(sandbox)) as session:
        made = await make_card(session)
        who = {"board_id": made.board, "participant": "bob"}
        await session.ask("deck_share_board", **who, can_edit=True)
        changed = await session.ask("deck_share_board", **who, can_share=True)
        assert (changed["can_edit"], changed["can_share"]) == (False, True)
        service.arrived.clear()
        assert await session.ask("deck_share_board", **who, can_share=True) == changed
        assert [request.method for request in service.arrived] == ["GET"]


async def test_a_label_is_on_a_card_once_however_often_it_is_assigned(sandbox: Sandbox) -> None:
    """Deck adds it a second time, and shows it twice."""
    async with connected(serving(sandbox)) as session:
        made = await make_card(session)
        label = (await session.ask("deck_get_labels", board_id=made.board))["items"][0]["id"]
        for _ in range(2):
            card = await session.ask("deck_assign_label_to_card", **made.spot, label_id=label)
            assert [one["id"] for one in card["labels"]] == [label]
        somebody = Somebody(sandbox)
        assert len((await somebody.card(made))["labels"]) == 1
        at = f"{API}/boards/{made.board}/stacks/{made.stack}/cards/{made.card}/assignLabel"
        await somebody.send("PUT", at, {"labelId": label})
        assert len((await session.ask("deck_get_card", **made.spot))["labels"]) == 1
        await session.ask("deck_remove_label_from_card", **made.spot, label_id=label)
        assert "labels" not in await session.ask("deck_get_card", **made.spot)


async def test_an_update_that_changes_nothing_is_not_sent(sandbox: Sandbox) -> None:
    """Deck would tell everyone that the due date was changed."""
    async with connected(service := serving(sandbox)) as session:
        made = await make_card(session, duedate="2026-12-24T18:30:00+02:00")
        service.arrived.clear()
        await session.ask("deck_update_card", **made.spot, title="Door", duedate="2026-12-24T16:30:00Z", archived=False)
        await session.ask("deck_update_board", board_id=made.board, title="Workshop", archived=False)
        await session.ask("deck_update_stack", board_id=made.board, stack_id=made.stack, order=0)
        assert {request.method for request in service.arrived} == {"GET"}


async def test_an_archived_board_stays_archived_when_its_title_changes(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        odd = await bring(sandbox, "deck_update_board", "another title")
        assert (await session.ask("deck_update_board", board_id=odd["board"], title="Other"))["archived"] is True


@pytest.mark.parametrize("lost", [False, True])
async def test_a_refusal_of_what_is_archived_leaves_doubt_only_where_an_answer_before_it_was_lost(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, *, lost: bool
) -> None:
    monkeypatch.setattr(retry, "pause", lambda *_: 0.0)  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]

    class Archiving(httpx2.ASGITransport):
        """Somebody archives the card's board, perhaps right after a write whose answer is lost."""

        writes = 0

        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            if request.method != "PUT":
                return await super().handle_async_request(request)
            self.writes += 1
            if lost and self.writes == 1:
                raise httpx2.ReadError("gone")
            message = "Operation not allowed. This board is archived."
            return httpx2.Response(500, json={"status": 500, "message": message})

    async with connected(serving(sandbox)) as session:
        made = await make_card(session)
    async with connected(Archiving(sandbox.app)) as session:
        said = await session.refusal("deck_update_card", **made.spot, title="Other")
    assert "its board is archived. " in said
    assert said.endswith("deck_update_board with archived=false brings the board back.")
    assert (DOUBT in said) is lost


async def test_a_text_for_a_truth_value_does_not_archive(sandbox: Sandbox) -> None:
    """For Deck, "false" is true."""
    async with connected(serving(sandbox)) as session:
        made = await make_card(session)
        before = facts(sandbox)
        await session.call("deck_update_card", **made.spot, archived="false")
    assert facts(sandbox) == before


async def test_a_card_that_moves_to_another_board_says_what_is_foreign_there(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        odd = await bring(sandbox, *ODD_BOARD)
        source = {"source_board_id": odd["board"], "source_stack_id": odd["stack"], "card_id": odd["card"]}
        target = {"target_board_id": odd["there"], "target_stack_id": odd["inbox"]}
        moved = await session.ask("deck_move_card_to_board", **source, **target)
        spot = {"board_id": odd["there"], "stack_id": odd["inbox"], "card_id": odd["card"]}
        read = await session.ask("deck_get_card", **spot)
    assert moved["warning"] == (
        "It keeps labels of the old board: Wöod. It stays assigned to people who are not on this board: bob."
    )
    assert moved["url"].endswith(f"/apps/deck/board/{odd['there']}/card/{odd['card']}")
    assert (read["duedate"], read["color"]) == ("2031-12-24T18:30:00Z", "00ff00")


async def test_the_stack_for_what_is_done_marks_and_unmarks_what_is_moved(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        odd = await bring(sandbox, *ODD_BOARD)
        spot = {"board_id": odd["board"], "stack_id": odd["stack"], "card_id": odd["other"]}
        assert "done" in await session.ask("deck_reorder_card", **spot, order=0, target_stack_id=odd["done"])
        spot["stack_id"] = odd["done"]
        assert "done" not in await session.ask("deck_reorder_card", **spot, order=0, target_stack_id=odd["stack"])


async def test_an_empty_comment_is_refused_and_a_long_one_never_sent(sandbox: Sandbox) -> None:
    """Deck takes the one, and fails over the other."""
    async with connected(service := serving(sandbox)) as session:
        odd = await bring(sandbox, *ODD_BOARD)
        service.arrived.clear()
        assert await session.refusal("deck_create_card_comment", card_id=odd["card"], message=" \n") == (
            "The comment is empty."
        )
        whose = {"card_id": odd["card"], "comment_id": odd["comment"]}
        assert "1000 character" in await session.refusal("deck_update_card_comment", **whose, message="x" * 1001)
        assert service.arrived == []


async def test_an_answer_stays_one_when_its_words_change_and_when_what_it_answers_is_gone(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        odd = await bring(sandbox, *ODD_BOARD)
        made = await session.ask(
            "deck_create_card_comment", card_id=odd["card"], message="Yes.", parent_id=odd["comment"]
        )
        answer = made["items"][0]["id"]
        assert made["items"][0]["reply_to"] == odd["comment"]
        await session.ask("deck_update_card_comment", card_id=odd["card"], comment_id=answer, message="No.")
        shown = (await session.ask("deck_get_card_comments", card_id=odd["card"]))["items"]
        assert [(one["message"], one.get("reply_to")) for one in shown] == [("No.", odd["comment"]), ("Ünï @bob", None)]
        await session.ask("deck_delete_card_comment", card_id=odd["card"], comment_id=odd["comment"])
        shown = (await session.ask("deck_get_card_comments", card_id=odd["card"]))["items"]
    assert [(one["message"], one.get("reply_to")) for one in shown] == [("No.", None)]


async def test_two_attachments_of_one_id_are_told_apart(sandbox: Sandbox) -> None:
    """Deck counts its own files and shared ones each by itself."""
    async with connected(serving(sandbox)) as session:
        made = await make_card(session)
        shared = await session.ask("deck_upload_attachment", **made.spot, filename="a.txt", content="shared")
        kept: dict[str, Any] = {"id": 0}
        while kept["id"] < shared["id"]:
            kept = await session.ask(
                "deck_upload_attachment", **made.spot, filename="b.txt", content="kept", type="deck_file"
            )
        which = {**made.spot, "attachment_id": shared["id"]}
        assert (await session.refusal("deck_delete_attachment", **which)).endswith("Give the type too.")
        await session.ask("deck_delete_attachment", **which, type="deck_file")
        left = (await session.ask("deck_list_attachments", **made.spot))["items"]
    assert (shared["id"], "file") in [(one["id"], one["type"]) for one in left]
    assert (shared["id"], "deck_file") not in [(one["id"], one["type"]) for one in left]


async def test_a_file_is_attached_once_and_stays_when_it_is_detached(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        made = await make_card(session)
        which = {"card_id": made.card, "path": "Documents/letter.txt"}
        first = await session.ask("deck_attach_file", **which)
        again = await session.ask("deck_attach_file", **which)
        assert again == {**first, "already_attached": True}
        await session.ask("deck_delete_attachment", **made.spot, attachment_id=first["attachment_id"])
        assert (await session.ask("deck_list_attachments", **made.spot))["items"] == []
        assert (await session.ask("nc_webdav_read_file", path="Documents/letter.txt"))["size"] > 0


async def test_a_group_that_is_called_like_someone_is_not_taken_for_them() -> None:
    group = {"participant": {"uid": "bob"}, "type": 1}
    card = {"id": 3, "title": "T", "stackId": 2, "owner": "ada", "order": 0, "archived": False}

    def deck(request: httpx2.Request) -> httpx2.Response:
        shown = {**card, "assignedUsers": [group]} if request.method == "GET" else {**group, "type": 0}
        return httpx2.Response(200, json=shown)

    nextcloud = scripted(deck)
    with under(ENSURE):
        await nextcloud.deck.card_changes.assign(Spot(1, 2, 3), "bob")
    assert nextcloud.sent == ["GET", "PUT", "GET"]
    await nextcloud.aclose()
