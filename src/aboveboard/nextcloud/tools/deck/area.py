"""What the tools of Deck share: the toolset, and parameters that many of them have."""

import re
from collections.abc import Collection
from typing import Annotated, Any, Literal

from pydantic import Field

from aboveboard.errors import BadInput
from aboveboard.kit.gone import GONE_BEFORE, by_calling
from aboveboard.kit.toolset import Toolset
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.deck.cards import Spot
from aboveboard.nextcloud.tools.ids import AS_TEXT, OrTitle

tools = Toolset[NextcloudClient](
    "deck", title="Deck", icon="M4 4h5v16H4zm6 0h5v10h-5zm6 0h4v13h-4z", prefix="deck_", app="deck"
)

BoardId = Annotated[int, OrTitle, AS_TEXT, Field(description="Board id or title.")]
DeletedBoardId = Annotated[int, OrTitle, AS_TEXT, Field(description="Deleted board's id or title.")]
OfBoard = Annotated[int | None, OrTitle, AS_TEXT, Field(description="Its board, if card_id is a title.")]
StackId = Annotated[int, OrTitle, AS_TEXT, Field(description="Stack id or title.")]
CardId = Annotated[int, OrTitle, AS_TEXT, Field(description="Card id or title.")]
OtherCardId = Annotated[int, OrTitle, AS_TEXT, Field(description="Card id, or title on this board.")]
LabelId = Annotated[int, OrTitle, AS_TEXT, Field(description="Label id or title.")]
Title = Annotated[str, Field(description="Title.", min_length=1, max_length=100)]
NewTitle = Annotated[str | None, Field(description="New title.", min_length=1, max_length=100)]
Order = Annotated[int, Field(description="Place among the others; 0 is first.", ge=0)]
Detail = Annotated[Literal["summary", "full"], Field(description="full adds whole descriptions and more fields.")]
Status = Annotated[
    Literal["all", "open", "done", "archived"], Field(description="Which cards; open: neither done nor archived.")
]
LabelFilter = Annotated[str | None, Field(description="Only cards with this label, by title or id.")]
PersonFilter = Annotated[str | None, Field(description="Only cards of this user (id or name).")]
Longest = Annotated[int | None, Field(description="Cut descriptions to so many characters.", ge=0)]
PreviewLength = Annotated[int, Field(description="Characters of description in summaries.", ge=0, le=2000)]
DueDate = Annotated[
    str | None, Field(description="When it is due, such as 2026-12-24T18:30:00+01:00; UTC unless it says.")
]

Color = Annotated[str, Field(description="In hexadecimal, such as 31CC7C.")]
NewColor = Annotated[str | None, Field(description="New colour, such as 31CC7C.")]

ON_THE_PAGE = "Only Deck's web page can bring it back."

_HEX = re.compile("[0-9a-fA-F]{6}")


def board_url(nextcloud: NextcloudClient, board: int) -> str:
    """Return where people open a board."""
    return f"{nextcloud.app_url('deck')}board/{board}"


def card_url(nextcloud: NextcloudClient, card: int) -> str:
    """Return where people open a card whose board is not known: Deck leads on to it."""
    return f"{nextcloud.app_url('deck')}card/{card}"


def hex_color(given: str) -> str:
    """Return a colour as Deck keeps it; it would take any word of six letters."""
    if not _HEX.fullmatch(given.removeprefix("#")):
        raise BadInput(f"{given!r} is not a colour.", next_step="Write it in hexadecimal, such as 31CC7C.")
    return given.removeprefix("#")


def tell_taken_off(tool: str, what: str, spot: Spot, was_there: bool, /, **other: object) -> dict[str, Any]:
    """Tell what was taken off a card, and that a tool puts it there again, unless it was not there."""
    if not was_there:
        return {"gone": what, "to_get_back": GONE_BEFORE, "already_gone": True}
    back = by_calling(tool, board_id=spot.board, stack_id=spot.stack, card_id=spot.card, **other)
    return {"gone": what, "to_get_back": back}


def changes(cleared: Collection[str] = (), **given: object) -> dict[str, object]:
    """Return what is to be changed, also what is to be cleared, or say that it is nothing."""
    found = {name: value for name, value in given.items() if value is not None or name in cleared}
    if not found:
        raise BadInput("There is nothing to change.", next_step="Give at least one new value.")
    return found
