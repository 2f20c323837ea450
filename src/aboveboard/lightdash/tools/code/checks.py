"""What is wrong with a document, said before it is written: Lightdash takes charts of no explore, tiles of no chart."""

from collections.abc import Mapping
from typing import Any, cast

from aboveboard.errors import BadInput, unknown
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.client.code import Kind

Document = Mapping[str, Any]

_NEEDED: dict[Kind, dict[str, type]] = {
    "charts": {"name": str, "spaceSlug": str, "tableName": str, "metricQuery": dict, "chartConfig": dict},
    "dashboards": {"name": str, "spaceSlug": str, "tiles": list, "tabs": list},
}


def check_form(kind: Kind, document: Document) -> None:
    """Refuse a document that lacks what each of its kind has."""
    needed = _NEEDED[kind]
    if lacking := [key for key, form in needed.items() if not isinstance(document.get(key), form)]:
        raise BadInput(f"The document lacks {', '.join(lacking)}, or has it in another form.", next_step=_EXAMPLE)


async def check_parts(lightdash: LightdashClient, kind: Kind, project: str | None, document: Document) -> None:
    """Refuse a document that speaks of what is not there."""
    if kind == "charts":
        await _check_fields(lightdash, project, document)
    else:
        await _check_tiles(lightdash, project, document)


async def _check_fields(lightdash: LightdashClient, project: str | None, chart: Document) -> None:
    explore = await lightdash.explores.get(project, chart["tableName"])
    query: Document = chart["metricQuery"]
    for one in _all(query, "customDimensions"):
        if one.get("type") == "bin" and "binType" not in one:
            raise BadInput(f"The bin dimension {one.get('id')} lacks its binType.", next_step=_EXAMPLE)
    own = {str(one.get("id")) for one in _all(query, "customDimensions")}
    own |= {f"{one.get('table')}_{one.get('name')}" for one in _all(query, "additionalMetrics")}
    for name in _names(query, "dimensions") - own:
        explore.field(name, "dimension")
    for name in _names(query, "metrics") - own:
        explore.field(name, "metric")


async def _check_tiles(lightdash: LightdashClient, project: str | None, dashboard: Document) -> None:
    tabs = [str(tab.get("slug")) for tab in _all(dashboard, "tabs")]
    charts: list[str] = []
    for tile in _all(dashboard, "tiles"):
        if (tab := tile.get("tabSlug")) and tab not in tabs:
            raise BadInput(unknown("tab", str(tab), tabs, of="The document"))
        shown = cast("Document", tile.get("properties") or {})
        charts += [str(shown["chartSlug"])] if tile.get("type") == "saved_chart" and shown.get("chartSlug") else []
    if charts:
        found = await lightdash.code.list_some("charts", project, list(dict.fromkeys(charts)))
        if found.missing_ids:
            raise BadInput(
                f"The project has no chart with the slug {', '.join(found.missing_ids)}, for a tile to show."
            )


def _names(query: Document, key: str) -> set[str]:
    listed: object = query.get(key) or []
    if not isinstance(listed, list) or not all(isinstance(one, str) for one in cast("list[object]", listed)):
        raise BadInput(f"metricQuery.{key} must be a list of field ids.", next_step=_EXAMPLE)
    return set(cast("list[str]", listed))


def _all(document: Document, key: str) -> list[dict[str, Any]]:
    listed = cast("list[object]", document.get(key) or [])
    return [cast("dict[str, Any]", one) for one in listed if isinstance(one, dict)]


_EXAMPLE = "Take one that the list tool shows."
