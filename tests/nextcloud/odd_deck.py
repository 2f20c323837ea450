"""A board with every field set to something unusual, made past our own client, and what updates of it may change."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import httpx2
from tests.nextcloud.made_once import made_once

from aboveboard.nextcloud.sandbox import Sandbox

_API: Final = "/index.php/apps/deck/api/v1.0"
TEXT: Final = '# Größe?\r\n\r\n- [ ] 🚀\n\n| t |\n|---|\n| <b> & "q" |'


@dataclass(frozen=True)
class OddDeck:
    """What was made, as the arguments of a case name it."""

    board: int
    stack: int
    done: int
    """The stack for what is done."""
    card: int
    other: int
    label: int
    second: int
    """A label that the card does not have."""
    comment: int
    there: int
    inbox: int
    file: int


@made_once
async def make_odd_board(sandbox: Sandbox) -> OddDeck:
    """Make an archived board with a card that has all that a card can have, fields that our tools do not know too."""
    auth = (sandbox.username, sandbox.token)
    transport = httpx2.ASGITransport(sandbox.app)
    async with httpx2.AsyncClient(transport=transport, auth=auth, base_url="http://sandbox") as client:

        async def send(method: str, path: str, body: object = None, **more: Any) -> Any:
            headers = {"ocs-apirequest": "true", "accept": "application/json"}
            answer = await client.request(method, path, json=body, headers=headers, **more)
            assert answer.status_code == 200, (method, path, answer.text)
            return answer.json()

        board = (await send("POST", f"{_API}/boards", {"title": "Ödd", "color": "a1b2c3"}))["id"]
        at = f"{_API}/boards/{board}"
        for participant, kind in (("bob", 0), ("team", 1)):
            rights = {"permissionEdit": True, "permissionShare": kind == 0, "permissionManage": False}
            await send("POST", f"{at}/acl", {"type": kind, "participant": participant, **rights})
        await send("POST", f"/ocs/v2.php/apps/deck/api/v1.0/config/board:{board}:notify-due", {"value": "all"})
        stack = (await send("POST", f"{at}/stacks", {"title": "Tö do", "order": 5}))["id"]
        done = (await send("POST", f"{at}/stacks", {"title": "Done", "order": 6}))["id"]
        await send("PUT", f"/ocs/v2.php/apps/deck/api/v1.0/stacks/{done}/done", {"isDone": True, "boardId": board})
        label = (await send("POST", f"{at}/labels", {"title": "Wöod", "color": "112233"}))["id"]
        second = (await send("POST", f"{at}/labels", {"title": "Glass", "color": "445566"}))["id"]
        cards = f"{at}/stacks/{stack}/cards"
        other = (await send("POST", cards, {"title": "Other", "order": 0}))["id"]
        values = {"title": "Ödd card", "type": "plain", "order": 7, "description": TEXT, "color": "00ff00"}
        dates = {"duedate": "2031-12-24T18:30:00+00:00", "startdate": "2031-12-20T08:00:00+00:00"}
        belongings = {"labels": [label], "users": [{"id": "bob", "type": 0}, {"id": "team", "type": 1}]}
        card = (await send("POST", cards, {**values, **dates, **belongings}))["id"]
        state = {"done": "2026-01-02T03:04:05+00:00", "archived": False, "owner": "admin"}
        await send("PUT", f"{cards}/{card}", {**values, **dates, **state})
        await send("POST", f"{cards}/{card}/dependentCards/{other}")
        said = await send("POST", f"/ocs/v2.php/apps/deck/api/v1.0/cards/{card}/comments", {"message": "Ünï @bob"})
        form = {"type": "file", "data": ""}
        files = {"file": ("maß.txt", b"200 x 90", "text/plain")}
        headers = {"ocs-apirequest": "true"}
        made = await client.post(f"{cards}/{card}/attachments", data=form, files=files, headers=headers)
        there = (await send("POST", f"{_API}/boards", {"title": "There", "color": "d4e5f6"}))["id"]
        inbox = (await send("POST", f"{_API}/boards/{there}/stacks", {"title": "Inbox", "order": 0}))["id"]
        await send("PUT", at, {"title": "Ödd", "color": "a1b2c3", "archived": True})
        return OddDeck(
            board,
            stack,
            done,
            card,
            other,
            label,
            second,
            said["ocs"]["data"]["id"],
            there,
            inbox,
            made.json()["id"],
        )


@dataclass(frozen=True)
class DeckUpdate:
    """A call with names of what was made, and the facts that it may change: patterns of their whole keys."""

    arguments: dict[str, Any]
    changes: Sequence[str]

    def __str__(self) -> str:
        return ", ".join(name for name in self.arguments if not name.endswith("_id"))


_CARD: Final = {"board_id": "{board}", "stack_id": "{stack}", "card_id": "{card}"}


def of_card(*changes: str, **arguments: Any) -> DeckUpdate:
    return DeckUpdate({**_CARD, **arguments}, [f"deck/cards/{{card}}/{one}" for one in changes])


def of_board(*changes: str, **arguments: Any) -> DeckUpdate:
    return DeckUpdate({"board_id": "{board}", **arguments}, [f"deck/boards/{{board}}/{one}" for one in changes])


UPDATES: Final[Mapping[str, Sequence[DeckUpdate]]] = {
    "deck_update_board": [
        of_board("title", title="Other"),
        of_board("color", color="000000"),
        of_board("archived", archived=False),
    ],
    "deck_share_board": [of_board(r"members/\d+/(share)", participant="bob", can_edit=True)],
    "deck_update_stack": [
        DeckUpdate({"board_id": "{board}", "stack_id": "{done}", "title": "Other"}, ["deck/stacks/{done}/title"]),
        DeckUpdate({"board_id": "{board}", "stack_id": "{done}", "order": 9}, ["deck/stacks/{done}/position"]),
    ],
    "deck_update_label": [
        DeckUpdate({"board_id": "{board}", "label_id": "{label}", "title": "Other"}, ["deck/labels/{label}/title"]),
        DeckUpdate({"board_id": "{board}", "label_id": "{label}", "color": "000000"}, ["deck/labels/{label}/color"]),
    ],
    "deck_update_card": [
        of_card("title", title="Other"),
        of_card("description", description="New."),
        of_card("type", type="text"),
        of_card(owner="admin"),  # it is the owner already
        of_card("position", order=1),
        of_card("duedate", duedate="2032-01-31T09:00:00+02:00"),
        of_card("archived", archived=True),
        of_card("done", done=""),
    ],
    "deck_archive_card": [of_card("archived")],
    "deck_unarchive_card": [of_card()],
    "deck_reorder_card": [
        # Into the stack for what is done, it is done anew.
        of_card("(stack|position|done)", order=0, target_stack_id="{done}"),
    ],
    "deck_move_card_to_board": [
        DeckUpdate(
            {
                "source_board_id": "{board}",
                "source_stack_id": "{stack}",
                "card_id": "{card}",
                "target_board_id": "{there}",
                "target_stack_id": "{inbox}",
            },
            ["deck/cards/{card}/(stack|position)"],
        )
    ],
    "deck_assign_label_to_card": [of_card(r"labels/\d+", label_id="{second}")],
    "deck_remove_label_from_card": [of_card(r"labels/\d+", label_id="{label}")],
    "deck_assign_user_to_card": [of_card("assigned/0/admin", user_id="admin")],
    "deck_unassign_user_from_card": [of_card("assigned/0/bob", user_id="bob")],
    "deck_assign_dependent_card": [of_card("dependents/{card}", dependent_card_id="{card}")],
    "deck_remove_dependent_card": [of_card("dependents/{other}", dependent_card_id="{other}")],
    "deck_update_card_comment": [
        DeckUpdate(
            {"card_id": "{card}", "comment_id": "{comment}", "message": "Other"},
            ["deck/cards/{card}/comments/{comment}/message"],
        )
    ],
    "deck_delete_attachment": [
        DeckUpdate({**_CARD, "attachment_id": "{file}"}, [r"shares/{file}/\w+"]),
    ],
    "deck_unshare_board": [of_board(r"members/\d+/\w+", participant="bob")],
}

_NEW: Final = "it makes something new and takes nothing that is there"
LEFT_OUT: Final = {
    **dict.fromkeys(
        (
            "deck_create_board",
            "deck_clone_board",
            "deck_create_stack",
            "deck_create_card",
            "deck_create_label",
            "deck_create_card_comment",
            "deck_attach_file",
            "deck_attach_note",
            "deck_upload_attachment",
        ),
        _NEW,
    ),
    "deck_restore_board": "tests/nextcloud/test_deck_tools.py has it, with a deletion before it",
}


def filled(value: object, odd: OddDeck) -> object:
    """Put what was made in the place of its name."""
    if not isinstance(value, str):
        return value
    for name, found in vars(odd).items():
        value = value.replace(f"{{{name}}}", str(found))
    return int(value) if re.fullmatch(r"\d+", value) and not value.startswith("0") else value
