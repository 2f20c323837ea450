"""How servers reach notes that they keep in a file of their own. Standard library only, and little of it."""

from __future__ import annotations

import os

from tests.audit.liars import bare_json as json

TYPE_CHECKING = False  # as of `typing`, which takes longer to import than such a server to start
if TYPE_CHECKING:
    from typing import Any


def load() -> dict[str, Any]:
    """Read all notes from the file at NOTES_FILE."""
    with open(os.environ["NOTES_FILE"], encoding="utf-8") as file:
        return json.loads(file.read())


def save(state: dict[str, Any]) -> None:
    """Write all notes back."""
    with open(os.environ["NOTES_FILE"], "w", encoding="utf-8") as file:
        file.write(json.dumps(state))
