"""What a deletion answers: what is gone, by the name that people know it by, and how it comes back.

A sentence that names a tool begins with the tool's short name, so that the rest can be data: the server puts the full
name there, and touches nothing else (`tests/test_deletions.py` holds every tool that deletes to all of this).
"""

import json
from collections.abc import Callable
from typing import Final, Self

from pydantic import BaseModel

FOR_GOOD: Final = "It cannot be brought back."
UNSEEN: Final = "The trash bin does not show it: it may be gone for good."
GONE_BEFORE: Final = "It was gone before: this call changed nothing."
LONGEST: Final = 80


class Gone(BaseModel):
    """What a call took away, and in one sentence how to get it back."""

    gone: str
    to_get_back: str

    def in_full(self, named: Callable[[str], str]) -> Self:
        """Return it with the full name of the tool that the sentence begins with, if it begins with one."""
        first, space, rest = self.to_get_back.partition(" ")
        return self.model_copy(update={"to_get_back": f"{named(first)}{space}{rest}"})


def by_calling(tool: str, does: str = "brings it back", /, **arguments: object) -> str:
    """Say that a tool brings something back when it is called with these arguments; what is None is left out."""
    given = {name: value for name, value in arguments.items() if value is not None}
    return f"{tool} with {json.dumps(given, ensure_ascii=False)} {does}."


def shorten_text(text: str) -> str:
    """Return the start of a text: enough to know which one it was."""
    return f"{text[:LONGEST]}…" if len(text) > LONGEST else text
