"""How many tools a client takes, known by the name it gives itself; beyond its limit tools are dropped without a word.

A person has other servers too, so one of ours takes at most half of the room: with both, a client's limit just holds.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Known:
    """A client with a limit."""

    name: str
    """As people know it."""
    spelled: tuple[str, ...]
    """How the name begins that it gives itself, in small letters."""
    takes: int
    """Tools of all servers together."""

    @property
    def room(self) -> int:
        """Tools that one of our servers shows it."""
        return self.takes // 2


CLIENTS: Final = (
    Known("Cursor", ("cursor",), 40),
    Known("Windsurf", ("windsurf", "codeium", "cascade"), 100),
    Known("VS Code", ("visual studio code", "vscode", "vs code", "code - "), 128),
    Known("ChatGPT and other clients of OpenAI", ("openai", "chatgpt"), 128),
)


def room_of(client: str | None) -> int | None:
    """Return how many tools a client of this name is shown at most; None knows no limit."""
    name = (client or "").strip().lower()
    return next((one.room for one in CLIENTS if name.startswith(one.spelled)), None)
