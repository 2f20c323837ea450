"""Titles in place of ids, wherever something has a title or a name.

What looks like an id is one, and costs no request: a number of a board, a note or a table, so what is called by digits
alone is reached by its id only; an address book's name in addresses; a uid that a program made. What looks like none is
looked for (`candidates.py`), and may be an id all the same.
"""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from aboveboard.errors import BadInput
from aboveboard.naming import resolve_name
from aboveboard.nextcloud.client.candidates import Candidates, Kind

if TYPE_CHECKING:
    from aboveboard.nextcloud.client import NextcloudClient

KINDS: Final[Mapping[str, Kind]] = {
    **dict.fromkeys(("board_id", "source_board_id", "target_board_id"), "board"),
    **dict.fromkeys(("stack_id", "source_stack_id", "target_stack_id"), "stack"),
    **dict.fromkeys(("card_id", "dependent_card_id"), "card"),
    "label_id": "label",
    "attachment_id": "attachment",
    **dict.fromkeys(("user_id", "assigned_to"), "person"),
    "table_id": "table",
    "view_id": "view",
    "column_id": "column",
    "note_id": "note",
    "recipe_id": "recipe",
    "feed_id": "feed",
    "folder_id": "folder",
    "addressbook": "address book",
    "uid": "contact",
    "event_uid": "event",
    **dict.fromkeys(("todo_uid", "parent_uid"), "task"),
}
"""What each parameter names; a thing comes after what it is looked for in."""

OF_TOOLS: Final[Mapping[str, Mapping[str, Kind | None]]] = {
    "deck.restore_board": {"board_id": "deleted board"},
    "contacts.delete_addressbook": {"name": "address book"},
    "contacts.create_contact": {"uid": None},
    "calendar.restore_from_trash": {"id": "deleted event"},
}
"""What parameters of single tools name, where it is something else than in others; None where they name nothing."""

INSIDE: Final[Mapping[str, Sequence[Sequence[str]]]] = {
    "stack_id": [("board_id",)],
    "source_stack_id": [("source_board_id",)],
    "target_stack_id": [("target_board_id", "board_id")],
    "card_id": [("board_id", "source_board_id"), ("stack_id", "source_stack_id")],
    "dependent_card_id": [("board_id",)],
    "label_id": [("board_id",)],
    "attachment_id": [("board_id",), ("stack_id",), ("card_id",)],
    "user_id": [("board_id",)],
    "assigned_to": [("board_id",)],
    "column_id": [("table_id",)],
    "uid": [("addressbook",)],
    "event_uid": [("calendar_name",)],
    "todo_uid": [("calendar_name",)],
    "parent_uid": [("calendar_name",)],
}
"""Which parameters say where a thing is looked for: of each group the first that a call has."""

_WHOSE: Final[Mapping[Kind, str]] = {
    **dict.fromkeys(("stack", "label", "person"), "The board"),
    **dict.fromkeys(("deleted board", "deleted event"), "The trash bin"),
    "card": "The stack",
    "attachment": "The card",
    "column": "The table",
    "contact": "The address book",
}
_SAID: Final[Mapping[Kind, str]] = {"deleted board": "board", "deleted event": "entry"}
_MADE: Final = r"(?=(?:.*\d){6})[\w.:+-]{16,}"
"""A uid that a program made: long, and full of digits."""
_IDS: Final[Mapping[Kind, str]] = {
    "address book": r"[a-z0-9_.-]*",
    "person": r"[a-z0-9_.@-]*",
    "contact": rf"\s*|{_MADE}",
    **dict.fromkeys(("event", "task"), rf"\s*|{_MADE}|\S+@\S+"),
    "deleted event": r"\s*|.+\.ics|calendar/.*",
}
"""What an id looks like that is not a number."""


class NameLookup:
    """Finds what the titles in a call's arguments mean."""

    def __init__(self, nextcloud: "NextcloudClient") -> None:
        self._candidates = Candidates(nextcloud)

    async def ids(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments with ids in place of titles; where all are ids, nothing is asked."""
        made = dict(arguments)
        for parameter, kind in kinds_of(tool).items():
            given = made.get(parameter)
            if isinstance(given, int) and given < 1:
                raise BadInput(f"{parameter} must be at least 1.")
            if isinstance(given, str) and not _is_id(kind, given):
                inside = [_place(made, given, names) for names in INSIDE.get(parameter, ())]
                found = await self._candidates.of(kind, given, *inside)
                whose = "The board" if kind == "card" and inside[1:] in ([], [None]) else _WHOSE.get(kind)
                made[parameter] = resolve_name(
                    _SAID.get(kind, kind), given, found, of=whose or "This account", ids="ids"
                )
        return made


def kinds_of(tool: str) -> dict[str, Kind]:
    """Return what the parameters of a tool name."""
    every: dict[str, Kind | None] = {**KINDS, **OF_TOOLS.get(tool, {})}
    return {name: kind for name, kind in every.items() if kind is not None}


def is_number(given: str) -> bool:
    """Tell whether a text is the id of what is numbered."""
    return given.isascii() and given.strip().isdecimal()


def _is_id(kind: Kind, given: str) -> bool:
    pattern = _IDS.get(kind)
    return is_number(given) if pattern is None else re.fullmatch(pattern, given) is not None


def _place(made: Mapping[str, Any], given: str, names: Sequence[str]) -> int | str | None:
    """Return the id of what a title is looked for in; cards of a call without a stack may be in any."""
    found = next((made[name] for name in names if made.get(name) is not None), None)
    if found is None and "stack_id" not in names:
        raise BadInput(f"{given!r} is not an id.", next_step=f"Give {names[0]} too, or the id.")
    return int(found) if isinstance(found, str) and is_number(found) and names[0].endswith("_id") else found
