"""Cells: what the app makes of a value that comes in, and what it shows of one that it keeps.

A value that does not fit becomes null, and nobody is told; ranges are not looked at. Refused is only a text that is too
long, or that another row has where there may be one alone, and whom nobody knows.
"""

import json
import re
import sqlite3
from typing import Any, cast

from aboveboard.nextcloud.sandbox.tables.access import Access, api_refusal
from aboveboard.nextcloud.sandbox.tables.table_facts import read_column

ORDER = ("text", "number", "datetime", "selection", "usergroup", "relation")
"""The app keeps cells by type, and shows them in this order."""
_MOMENTS = {
    "": re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?"),
    "date": re.compile(r"\d{4}-\d\d-\d\d"),
    "time": re.compile(r"\d\d:\d\d(:\d\d)?"),
}
_MOST = {"stars": 5, "progress": 100}


def take_cell(access: Access, column: sqlite3.Row, value: Any, row: int | None = None) -> Any:
    """A value of a row, which may be new, as the app takes it, and first answers it."""
    settings = read_column(column["settings"])
    if settings["textUnique"]:
        _refuse_second(access, column, value, row)
    if settings["type"] == "usergroup":
        _refuse_unknown(access, value)
    reader = {
        "text": _text,
        "number": _number,
        "datetime": _moment,
        "selection": _selection,
        "usergroup": _people,
    }.get(settings["type"], _as_is)
    return reader(column["title"], settings, value)


def _refuse_second(access: Access, column: sqlite3.Row, value: Any, row: int | None) -> None:
    text = json.dumps(value, ensure_ascii=False)
    others = access.store.all("SELECT row_id FROM data_cells WHERE column_id = ? AND value = ?", column["id"], text)
    if any(other["row_id"] != row for other in others):
        raise api_refusal(400, f'Column "{column["title"]}" contains a non-unique value.')


def _refuse_unknown(access: Access, value: Any) -> None:
    for one in cast("list[dict[str, Any]]", value) if isinstance(value, list) else ():
        kind, table, key = ("User", "users", "uid") if one["type"] == 0 else ("Group", "groups", "gid")
        if access.store.one(f"SELECT 1 FROM {table} WHERE {key} = ?", one["id"]) is None:  # noqa: S608
            raise api_refusal(400, f"{kind} not found")


def _as_is(_: str, __: dict[str, Any], value: Any) -> Any:
    return value


def _linked(value: str, allowed: str | None) -> bool:
    """Whether a link is complete; a provider that it names must be one that the column lists."""
    try:
        link = json.loads(value)
        provider = link.get("providerId")
    except (ValueError, AttributeError):
        return value.startswith(("http://", "https://"))
    known = provider is None or provider in (allowed or "").split(",")
    return known and "title" in link and "value" in link


def _text(title: str, settings: dict[str, Any], value: Any) -> Any:
    longest = settings["textMaxLength"]
    if settings["subtype"] == "line" and longest and len(str(value or "")) > longest:
        raise api_refusal(400, f"Value for column {title} exceeds maximum length of {longest}")
    if settings["subtype"] == "link" and value is not None and not _linked(str(value), settings["textAllowedPattern"]):
        return None
    return None if value is None else str(value)


def _number(_: str, settings: dict[str, Any], value: Any) -> Any:
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    whole = int(number) if number.is_integer() else number
    most = _MOST.get(settings["subtype"])
    return None if most is not None and not 0 <= number <= most else whole


def _moment(_: str, settings: dict[str, Any], value: Any) -> Any:
    return value if isinstance(value, str) and _MOMENTS[settings["subtype"]].fullmatch(value) else None


def _selection(_: str, settings: dict[str, Any], value: Any) -> Any:
    options: list[dict[str, Any]] = settings["selectionOptions"] or []
    known = {option["id"] for option in options}
    if settings["subtype"] == "check":
        return None if value is None else "true" if value in (True, "true", 1, "1") else "false"
    if settings["subtype"] == "multi":
        return [one for one in cast("list[Any]", value) if one in known] if isinstance(value, list) else None
    return str(value) if str(value).isdecimal() and int(value) in known else None


def _people(_: str, __: dict[str, Any], value: Any) -> Any:
    if isinstance(value, str):
        value = json.loads(value)
    if not isinstance(value, list):
        return None
    return [{"id": one["id"], "type": one["type"]} for one in cast("list[dict[str, Any]]", value)]


def show_cell(access: Access, settings: dict[str, Any], value: Any) -> Any:
    """A value as later answers have it: a number without decimals that its column does not have, 0 for none."""
    if settings["type"] == "number":
        rounded = round(float(value or 0), settings["numberDecimals"] or 0)
        return int(rounded) if rounded.is_integer() else rounded
    if settings["type"] == "selection" and settings["subtype"] == "":
        return None if value is None else int(value)
    if settings["type"] == "usergroup":
        return [{**one, "displayName": access.name_of(one["id"])} for one in value]
    return value


def is_empty(value: Any) -> bool:
    """Whether a mandatory column would not take this."""
    return value in (None, "", [])
