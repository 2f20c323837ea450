"""What the tools of Deck share: the toolset, and parameters that many of them have."""

import re
from collections.abc import Collection
from typing import Annotated, Literal

from pydantic import Field

from aboveboard.errors import BadInput
from aboveboard.kit.toolset import Toolset
from aboveboard.nextcloud.client import NextcloudClient

tools = Toolset[NextcloudClient](
    "deck", title="Deck", icon="M4 4h5v16H4zm6 0h5v10h-5zm6 0h4v13h-4z", prefix="deck_", app="deck"
)

BoardId = Annotated[int, Field(description="The board's id.", ge=1)]
StackId = Annotated[int, Field(description="The stack's id.", ge=1)]
CardId = Annotated[int, Field(description="The card's id.", ge=1)]
LabelId = Annotated[int, Field(description="The label's id.", ge=1)]
Title = Annotated[str, Field(description="Title.", min_length=1, max_length=100)]
NewTitle = Annotated[str | None, Field(description="New title.", min_length=1, max_length=100)]
Order = Annotated[int, Field(description="Place among the others; 0 is first.", ge=0)]
Detail = Annotated[Literal["summary", "full"], Field(description="full adds whole descriptions and more fields.")]
Status = Annotated[
    Literal["all", "open", "done", "archived"], Field(description="Which cards; open: neither done nor archived.")
]
LabelFilter = Annotated[str | None, Field(description="Only cards with this label, by title or id.")]
PersonFilter = Annotated[str | None, Field(description="Only cards assigned to this user id.")]
Longest = Annotated[int | None, Field(description="Cut descriptions to so many characters.", ge=0)]
PreviewLength = Annotated[int, Field(description="Characters of description in summaries.", ge=0, le=2000)]
DueDate = Annotated[
    str | None, Field(description="When it is due, such as 2026-12-24T18:30:00+01:00; UTC unless it says.")
]

Color = Annotated[str, Field(description="In hexadecimal, such as 31CC7C.")]
NewColor = Annotated[str | None, Field(description="New colour, such as 31CC7C.")]

_HEX = re.compile("[0-9a-fA-F]{6}")


def hex_color(given: str) -> str:
    """Return a colour as Deck keeps it; it would take any word of six letters."""
    if not _HEX.fullmatch(given.removeprefix("#")):
        raise BadInput(f"{given!r} is no colour.", next_step="Write it in hexadecimal, such as 31CC7C.")
    return given.removeprefix("#")


def changes(cleared: Collection[str] = (), **given: object) -> dict[str, object]:
    """Return what is to be changed, also what is to be cleared, or say that it is nothing."""
    found = {name: value for name, value in given.items() if value is not None or name in cleared}
    if not found:
        raise BadInput("There is nothing to change.", next_step="Give at least one new value.")
    return found
