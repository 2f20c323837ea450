"""What is wrong with a document, said before it is written: Lightdash takes charts of no explore, tiles of no chart."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

from aboveboard.errors import BadInput, explain_unknown
from aboveboard.kit.call import Call
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.client.code import Kind
from aboveboard.lightdash.tools.queries.calculations import check_expression

Document = Mapping[str, Any]

_NEEDED: dict[Kind, dict[str, type]] = {
    "charts": {"name": str, "spaceSlug": str, "tableName": str, "metricQuery": dict, "chartConfig": dict},
    "dashboards": {"name": str, "spaceSlug": str, "tiles": list, "tabs": list},
}
_WITH_SQL: Final = {
    "tableCalculations": "table calculation",
    "additionalMetrics": "custom metric",
    "customDimensions": "custom dimension",
}
"""What of a chart's query holds SQL of its own."""


def check_form(kind: Kind, document: Document) -> None:
    """Refuse a document that lacks what each of its kind has."""
    needed = _NEEDED[kind]
    if lacking := [key for key, form in needed.items() if not isinstance(document.get(key), form)]:
        raise BadInput(f"The document lacks {', '.join(lacking)}, or has it in another form.", next_step=_EXAMPLE)


def check_sql(call: Call, document: Document, now: Sequence[Document]) -> None:
    """Hold SQL inside a chart's document to the rules, but for what the chart has in it already."""
    known = {sql for one in now for _, sql in _expressions(one)}
    for what, sql in _expressions(document):
        if sql not in known:
            check_expression(call, what, sql)


def _expressions(chart: Document) -> Iterator[tuple[str, str]]:
    query = cast("Document", chart.get("metricQuery") or {})
    for key, what in _WITH_SQL.items():
        for one in _all(query, key):
            if isinstance(one.get("sql"), str):
                yield f"{what} {one.get('name') or one.get('id')}", one["sql"]


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
            raise BadInput(explain_unknown("tab", str(tab), tabs, of="The document"))
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
