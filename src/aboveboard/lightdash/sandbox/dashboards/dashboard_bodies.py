"""What a body that makes or changes a dashboard must look like, and how its tiles are stored."""

from collections.abc import Mapping
from typing import Any, cast

from aboveboard.lightdash.sandbox.contracts import (
    ANYTHING,
    FLAG,
    MAP,
    NUMBER,
    TEXT,
    UNDEFINED,
    All,
    Filled,
    Kind,
    List,
    Maybe,
    Nullable,
    Object,
    OneOf,
    Optional,
    Union,
)
from aboveboard.lightdash.sandbox.routes import Call, as_uuid
from aboveboard.lightdash.sandbox.wire import CrashError, missing

_TYPES = ("saved_chart", "sql_chart", "markdown", "loom", "heading", "data_app")
_PLACE = Object(type=OneOf(*_TYPES), w=NUMBER, h=NUMBER, y=NUMBER, x=NUMBER)
# What a tile shows beside its chart, with what is filled in where it is left out.
_PROPERTIES: dict[str, dict[str, object]] = {
    "saved_chart": {"title": "", "hideTitle": False},
    "sql_chart": {"title": "", "hideTitle": False, "savedSqlUuid": None},
    "markdown": {"title": "", "hideTitle": False, "content": "", "hideFrame": False},
    "loom": {"title": "", "hideTitle": False, "url": ""},
    "heading": {"text": "", "showDivider": False},
    "data_app": {"title": "", "hideTitle": False, "appUuid": None},
}


def _tile(kind: str, **properties: Kind) -> All:
    return All(_PLACE, Object(properties=Object(**properties), type=OneOf(kind)))


_TAB = Object(order=NUMBER, name=Filled(), uuid=TEXT)
_FLAGS = Object(isDateZoomDisabled=FLAG)
_FILTERS = Object(tableCalculations=List(ANYTHING), metrics=List(ANYTHING), dimensions=List(ANYTHING))
_TILE = Union(
    _tile("saved_chart", savedChartUuid=Nullable(TEXT)),
    _tile("markdown", content=TEXT, title=TEXT),
    _tile("loom", url=TEXT, title=TEXT),
    _tile("sql_chart", chartName=TEXT, savedSqlUuid=Nullable(TEXT)),
    _tile("heading", text=TEXT, title=Optional(UNDEFINED)),
    _tile("data_app", appUuid=TEXT),
)
_COPY = Object(dashboardDesc=TEXT, dashboardName=TEXT)
CREATE = Union(
    _COPY,
    Object(
        config=Optional(_FLAGS),
        tabs=List(ANYTHING),
        spaceUuid=Maybe(TEXT),
        tiles=List(_TILE),
        description=Optional(TEXT),
        name=TEXT,
    ),
)
_NAMED = Object(name=TEXT, description=Optional(Union(TEXT, UNDEFINED)))
_FILLED = Object(
    parameters=Optional(Union(MAP, UNDEFINED)),
    filters=Optional(Union(_FILTERS, UNDEFINED)),
    tabs=List(_TAB),
    config=Optional(Union(_FLAGS, UNDEFINED)),
    tiles=List(_TILE),
)
UPDATE = All(Union(_NAMED, _FILLED, All(_NAMED, _FILLED)))
WITH_CHARTS = Object(spaceUuid=TEXT, charts=List(ANYTHING), name=TEXT, description=Maybe(TEXT))


def read_tiles(call: Call, tiles: object) -> list[dict[str, Any]]:
    """Tiles as rows; one that names a chart which is not there is refused."""
    if not isinstance(tiles, list):
        raise CrashError
    rows = [read_tile(call, place, tile) for place, tile in enumerate(cast("list[Any]", tiles))]
    for chart in {row["chart"] for row in rows} - {None}:
        if call.store.one("SELECT 1 FROM charts WHERE uuid = ?", chart) is None:
            raise missing("Saved chart not found")
    return rows


def read_tile(call: Call, place: int, tile: Mapping[str, Any]) -> dict[str, Any]:
    """One tile as a row; an id that was sent is kept."""
    kind = tile.get("type") if isinstance(tile, dict) else None
    if kind not in _PROPERTIES:
        raise CrashError
    given = cast("dict[str, Any]", tile.get("properties") or {})
    chart = given.get("savedChartUuid") if kind == "saved_chart" else None
    return {
        "uuid": as_uuid(str(tile["uuid"])) if tile.get("uuid") else call.store.new_uuid(),
        "position": place,
        "tab": tile.get("tabUuid"),
        "type": kind,
        **{name: tile.get(name, 0) for name in ("x", "y", "w", "h")},
        "chart": as_uuid(str(chart)) if chart else None,
        "properties": {name: given.get(name, default) for name, default in _PROPERTIES[kind].items()},
    }


def read_tabs(tabs: object) -> list[dict[str, Any]]:
    """A dashboard's tabs; one that does not say that it is hidden is not."""
    given = cast("list[dict[str, Any]]", tabs) if isinstance(tabs, list) else []
    return [
        {name: tab[name] for name in ("uuid", "name", "order", "slug") if name in tab}
        | {"hidden": bool(tab.get("hidden"))}
        for tab in given
    ]


def read_filters(filters: object) -> dict[str, object]:
    """A dashboard's filters, each kind of them there."""
    given = cast("dict[str, object]", filters) if isinstance(filters, dict) else {}
    return {kind: given.get(kind, []) for kind in ("metrics", "dimensions", "tableCalculations")}
