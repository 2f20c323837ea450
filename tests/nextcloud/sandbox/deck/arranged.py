"""What the recorded scenarios of Deck begin with, and what happens between their steps without being recorded.

The ids of the recording are ours here: the counters are set to where they stood, and everything else follows.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from tests.nextcloud.sandbox.replay import Replay

Arrange = Callable[[Replay], Awaitable[None]]
_API: Final = "/index.php/apps/deck/api/v1.0"
_WELCOME: Final = {"title": "Welcome to Nextcloud Deck!", "color": "bf678b"}
_STACKS: Final = ("Custom lists - click to rename!", "To Do", "In Progress", "Done")
_CARD: Final = {
    "title": "Full card",
    "type": "plain",
    "owner": "admin",
    "order": 7,
    "description": '# Head\n\n- [ ] a\n- [x] b\n\n| t |\n|---|\n| ü |\n\n<b>html</b> & "q"',
    "duedate": "2026-12-24T18:30:00+02:00",
    "startdate": "2026-12-20T08:00:00-05:00",
    "color": "00ff00",
    "done": "2026-11-10T10:00:00+01:00",
    "archived": False,
}


def _count_from(replay: Replay, **counters: int) -> None:
    """Let the next row of each table have the number that follows."""
    store = replay.sandbox._state  # pyright: ignore[reportPrivateUsage] - no request can do that
    for table, number in counters.items():
        store.run("DELETE FROM sqlite_sequence WHERE name = ?", table)
        store.run("INSERT INTO sqlite_sequence VALUES (?, ?)", table, number)


def _empty(replay: Replay) -> None:
    """Be rid of the boards for good, for which a real server has a job at night; count from the beginning."""
    replay.sandbox._state.run("DELETE FROM deck_boards")  # pyright: ignore[reportPrivateUsage]
    kinds = ("boards", "labels", "stacks", "cards", "members", "assigned", "comments", "attachments")
    _count_from(replay, **{f"deck_{kind}": 0 for kind in kinds})


async def _welcome(replay: Replay, user: str) -> None:
    """The board that everyone finds on the first day, as far as anyone looks at it."""
    person = replay.admin if user == "admin" else replay.bob
    board = (await person.post(f"{_API}/boards", _WELCOME)).json["id"]
    await person.post(f"{_API}/boards/{board}/labels", {"title": "Read more inside", "color": "CC317C"})
    for order, title in enumerate(_STACKS):
        stack = (await person.post(f"{_API}/boards/{board}/stacks", {"title": title, "order": order})).json["id"]
        await person.post(f"{_API}/boards/{board}/stacks/{stack}/cards", {"title": "Open to learn more"})


async def first_day(replay: Replay) -> None:
    _empty(replay)
    await _welcome(replay, "admin")


async def _first_day_of_bob(replay: Replay) -> None:
    await _welcome(replay, "bob")
    _count_from(replay, deck_stacks=8, deck_cards=10)


def _file(name: str, content: str, share: int) -> Arrange:
    async def arrange(replay: Replay) -> None:
        await replay.admin.put(name, content)
        _count_from(replay, shares=share - 1)

    return arrange


def _next_share(share: int) -> Arrange:
    async def arrange(replay: Replay) -> None:
        _count_from(replay, shares=share - 1)

    return arrange


async def _second_day(replay: Replay) -> None:
    """The day on which things with every field were recorded: both have their first board."""
    _empty(replay)
    for user in ("admin", "bob"):
        await _welcome(replay, user)
    _count_from(replay, deck_boards=2, deck_labels=10, deck_stacks=8, deck_cards=10, deck_comments=2)
    change = {"key": "email", "value": "ada@example.org"}
    await replay.login.post("/ocs/v2.php/cloud/users/admin", change, "PUT")


async def two_boards(replay: Replay) -> None:
    """Boards of which one is written to through the address of the other."""
    _empty(replay)
    _count_from(replay, deck_boards=2, deck_labels=9)
    for title in ("board A", "board B"):
        await replay.admin.post(f"{_API}/boards", {"title": title, "color": "112233"})


async def _two_cards(replay: Replay) -> None:
    """The other card of the scenario, made after the first one."""
    await replay.admin.post(f"{_API}/boards/3/stacks/9/cards", {"title": "Other"})


async def _set_again(replay: Replay, **more: Any) -> None:
    """The card as it was in the beginning."""
    await replay.admin.post(f"{_API}/boards/3/stacks/9/cards/11", {**_CARD, **more}, "PUT")


async def _again(replay: Replay) -> None:
    await _set_again(replay)


async def _target(replay: Replay) -> None:
    await _set_again(replay)
    await replay.admin.post(f"{_API}/boards", {"title": "Target board", "color": "0000ff"})
    await replay.admin.post(f"{_API}/boards/4/stacks", {"title": "T", "order": 0})


SCENARIOS: Final[Mapping[str, Arrange]] = {
    "deck:boards": first_day,
    "objects/deck:board": _second_day,
    "objects/deck:move-card": _target,
}
STEPS: Final[Mapping[str, Arrange]] = {
    "deck:boards/24-bob-list": _first_day_of_bob,
    "deck:comments-and-attachments/23-attach-file-v1.1": _next_share(3),
    "deck:comments-and-attachments/24-attach-file-type-v1.0": _next_share(5),
    "deck:comments-and-attachments/38-attach-by-share": _file("rec-attach.txt", "attached", 7),
    "deck:comments-and-attachments/50-share-with-bob-after": _file("rec-after.txt", "x", 9),
    "objects/deck:card/02-assign-label": _two_cards,
    "objects/deck:card/10-attach-file": _next_share(11),
    "objects/deck:card/17-get-set-again": _again,
    "objects/deck:card/20-put-whole-get": _again,
    "objects/deck:card/28-ocs-put-whole": _again,
    "objects/deck:card/33-internal-rename": _again,
    "objects/deck:card/51-put-same-1": _again,
}
