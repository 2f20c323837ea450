"""How servers reach notes that they keep in a file of their own. Standard library only."""

import json
import os
from pathlib import Path
from typing import Any


def load() -> dict[str, Any]:
    """Read all notes from the file at NOTES_FILE."""
    return json.loads(Path(os.environ["NOTES_FILE"]).read_text("utf-8"))


def save(state: dict[str, Any]) -> None:
    """Write all notes back."""
    Path(os.environ["NOTES_FILE"]).write_text(json.dumps(state), "utf-8")
