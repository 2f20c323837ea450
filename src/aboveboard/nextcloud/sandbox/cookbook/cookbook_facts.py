"""Everyone's recipes as facts, by the id of the folder that each is: one for every field of its file."""

import json
from collections.abc import Iterator
from typing import Any, cast

from aboveboard.sandbox.table import Fact, Rows

_FILES = (
    "SELECT folder.id, folder.owner, file.content FROM nodes file JOIN nodes folder ON file.parent = folder.id"
    " WHERE file.name = 'recipe.json' AND folder.parent IS NOT NULL ORDER BY folder.id"
)
_DATES = {"dateCreated", "dateModified"}


def tell_recipes(rows: Rows) -> Iterator[Fact]:
    """The settings of the app, and the fields of every recipe wherever its folder stands."""
    for row in rows.all("SELECT * FROM cookbook_config"):
        yield f"cookbook/{row['uid']}/config/{row['key']}", json.loads(row["value"])
    for row in rows.all(_FILES):
        for name, value in _read(row["content"]).items():
            derived = "derived/" if name in _DATES else ""
            yield f"{derived}cookbook/{row['owner']}/recipes/{row['id']}/{name}", value


def _read(content: bytes | None) -> dict[str, Any]:
    try:
        found = json.loads(content or b"")
    except ValueError:
        return {}
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}
