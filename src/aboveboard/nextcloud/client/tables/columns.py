"""Columns: an update of one is a full replacement for the app, so ours starts from the whole column as it came."""

import builtins
import json
from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, cast

from pydantic import ConfigDict

from aboveboard.http import Path, path
from aboveboard.nextcloud.client.model import Model
from aboveboard.nextcloud.client.tables.api import TablesApi, is_gone

Kind = Literal[
    "text-line",
    "text-rich",
    "text-link",
    "number",
    "number-stars",
    "number-progress",
    "selection",
    "selection-multi",
    "selection-check",
    "datetime",
    "datetime-date",
    "datetime-time",
    "usergroup",
]
"""The types that the app says it has; a column may also be of one that is older or newer."""

_FIXED: Final = frozenset(
    (
        *("id", "uuid", "tableId", "type", "createdBy", "createdByDisplayName", "createdAt"),
        *("lastEditBy", "lastEditByDisplayName", "lastEditAt", "viewColumnInformation"),
    )
)
"""What no update changes."""
_CHOICE: Final = frozenset(("selectionOptions", "selectionDefault"))
"""What stays as it is where an update names neither; of the two, one that is sent alone costs the other."""
_RENAMED: Final = {"showUserStatus": "usergroupShowUserStatus"}
"""What an update calls otherwise than the column itself does."""


class Option(Model):
    """Something that can be chosen, with all that it came with."""

    model_config = ConfigDict(extra="allow")

    id: int
    label: str


class Column(Model):
    """A column with what is needed to read and check its values."""

    id: int
    table_id: int
    title: str
    technical_name: str | None = None
    type: str
    subtype: str | None = None
    mandatory: bool = False
    description: str | None = None
    number_default: float | None = None
    number_min: float | None = None
    number_max: float | None = None
    number_decimals: int | None = None
    number_prefix: str | None = None
    number_suffix: str | None = None
    text_default: str | None = None
    text_max_length: int | None = None
    selection_options: list[Option] | None = None
    selection_default: str | None = None
    datetime_default: str | None = None
    usergroup_multiple_items: bool | None = None
    usergroup_select_users: bool | None = None
    usergroup_select_groups: bool | None = None
    usergroup_select_teams: bool | None = None

    @property
    def kind(self) -> str:
        """The type and what it is narrowed to, in the app's words."""
        return f"{self.type}-{self.subtype}" if self.subtype else self.type

    @property
    def options(self) -> list[Option]:
        """What can be chosen."""
        return self.selection_options or []


class Columns:
    """The columns of the tables that one user may see."""

    def __init__(self, api: TablesApi) -> None:
        self._api = api

    async def list(self, table: int) -> list[Column]:
        at = path("/index.php/apps/tables/api/1/tables/{table}/columns", table=str(table))
        return await self._api.get(at, list[Column], f"table {table}")

    async def of_view(self, view: int) -> builtins.list[Column]:
        at = path("/index.php/apps/tables/api/1/views/{view}/columns", view=str(view))
        return await self._api.get(at, builtins.list[Column], f"view {view}")

    async def get(self, column: int) -> Column:
        return await self._api.get(_at(column), Column, f"column {column}")

    async def create(self, table: int, title: str, kind: Kind, settings: Mapping[str, object]) -> Column:
        """Add a column to a table. Sent again, this would add another one."""
        kind_of, _, subtype = kind.partition("-")
        at = path("/index.php/apps/tables/api/1/tables/{table}/columns", table=str(table))
        body = {"title": title, "type": kind_of, "subtype": subtype, "mandatory": False, **_as_sent(settings)}
        answer = await self._api.send("POST", at, body=body, repeats=False)
        return await self._api.read(answer, Column, f"table {table}")

    async def update(self, column: int, changes: Callable[[Column], Mapping[str, object]]) -> Column:
        """Change some settings, in the app's own words; all others are sent back as they came, known or not."""
        what = f"column {column}"
        read = await self._api.send("GET", _at(column))
        wanted = changes(await self._api.read(read, Column, what))
        whole = await self._api.read(read, dict[str, Any], what)
        own = _FIXED if wanted.keys() & _CHOICE else {*_FIXED, *_CHOICE}
        kept = {name: value for name, value in whole.items() if name not in own}
        answer = await self._api.send("PUT", _at(column), body=_as_sent({**kept, **wanted}))
        return await self._api.read(answer, Column, what)

    async def delete(self, column: int) -> bool:
        """Delete a column; tell whether it was there."""
        answer = await self._api.send("DELETE", _at(column))
        if is_gone(answer):
            return False
        await self._api.read(answer, object, f"column {column}")
        return True

    async def find(self, column: int) -> Column | None:
        """Get a column, or nothing where there provably is none."""
        answer = await self._api.send("GET", _at(column))
        if is_gone(answer):
            return None
        return await self._api.read(answer, Column, f"column {column}")


def _as_sent(settings: Mapping[str, object]) -> dict[str, object]:
    """Put settings as the app takes them: lists come back from it as such, and go to it as JSON texts."""
    return {
        _RENAMED.get(name, name): json.dumps(_without_uuids(cast("list[object]", value)), ensure_ascii=False)
        if isinstance(value, list)
        else value
        for name, value in settings.items()
    }


def _without_uuids(items: builtins.list[object]) -> builtins.list[object]:
    """Leave out of options what Tables gives them since 2.2.1, and takes from nobody: with it, it refuses the whole."""
    return [
        {name: value for name, value in cast("dict[str, object]", one).items() if name != "uuid"}
        if isinstance(one, dict)
        else one
        for one in items
    ]


def _at(column: int) -> Path:
    return path("/index.php/apps/tables/api/1/columns/{column}", column=str(column))
