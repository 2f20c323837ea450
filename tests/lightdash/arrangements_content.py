"""What the tools for analysts need before they can be called well."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from tests.lightdash.sessions import Session

Made = dict[str, Any]
Maker = Callable[[Session, Made], Awaitable[Any]]
PREPARED: Final = {"explore": "orders", "dimensions": ["orders_status"], "metrics": ["orders_order_count"]}


async def query_uuid(session: Session, made: Made) -> str:
    return (await session.ask("run_metric_query", project_uuid=made["project"], **PREPARED))["query_uuid"]


async def sql_chart(session: Session, made: Made) -> str:
    where = {"project_uuid": made["project"], "space_uuid": made["space"]}
    saved = await session.ask("create_sql_chart", name="Openings", sql="SELECT 1 AS one", description="d", **where)
    return saved["saved_sql_uuid"]


async def to_space_uuid(session: Session, made: Made) -> str:
    return (await session.ask("create_space", name="Elsewhere", project_uuid=made["project"]))["uuid"]


async def chart_version(session: Session, made: Made) -> str:
    which = {"chart": made["chart"], "project_uuid": made["project"]}
    await session.ask("update_chart", limit=3, **which)
    return (await session.ask("get_chart_history", **which))["items"][-1]["version_uuid"]


async def dashboard_version(session: Session, made: Made) -> str:
    which = {"dashboard": made["dashboard"], "project_uuid": made["project"]}
    tiles = (await session.ask("get_dashboard", **which))["tiles"]
    await session.ask("remove_dashboard_tile", tile_uuid=tiles[0]["uuid"], **which)
    return (await session.ask("get_dashboard_history", **which))["items"][-1]["version_uuid"]


async def chart_document(session: Session, made: Made) -> dict[str, Any]:
    found = await session.ask("list_charts_as_code", slugs=["revenue-by-month"], project_uuid=made["project"])
    return {**found["items"][0], "name": "Written as code"}


async def dashboard_document(session: Session, made: Made) -> dict[str, Any]:
    found = await session.ask("list_dashboards_as_code", slugs=["shop-overview"], project_uuid=made["project"])
    return {**found["items"][0], "name": "Written as code"}


async def deleted_chart(session: Session, made: Made) -> str:
    which = {"chart": made["chart"], "project_uuid": made["project"]}
    copy = (await session.ask("duplicate_chart", name="Doomed", **which))["uuid"]
    await session.ask("delete_content", kind="chart", item=copy, project_uuid=made["project"])
    return copy


async def mark(session: Session, made: Made) -> None:
    for kind in ("chart", "dashboard"):
        for tool in ("verify_content", "pin_content", "favorite_content"):
            await session.ask(tool, kind=kind, item=made[kind], project_uuid=made["project"])


async def another_version(session: Session, made: Made) -> None:
    which = {"chart": made["chart"], "project_uuid": made["project"]}
    old = (await session.ask("get_chart", **which))["metric_query"]["limit"]
    await session.ask("update_chart", limit=old + 1, **which)


async def another_layout(session: Session, made: Made) -> None:
    where = {"dashboard": made["dashboard"], "project_uuid": made["project"]}
    tabs = (await session.ask("get_dashboard", **where))["tabs"]
    await session.ask(
        "add_dashboard_tile", markdown="# One more", **where, **({"tab_uuid": tabs[0]["uuid"]} if tabs else {})
    )


async def another_verified(session: Session, made: Made) -> None:
    which = {"chart": made["chart"], "project_uuid": made["project"]}
    copy = (await session.ask("duplicate_chart", name="Checked", **which))["uuid"]
    await session.ask("verify_content", kind="chart", item=copy, project_uuid=made["project"])


LISTED: Final[Mapping[str, Callable[[Session, Made], Awaitable[Any]]]] = {
    "get_query_history": query_uuid,
    "get_chart_history": another_version,
    "get_dashboard_history": another_layout,
    "list_deleted_content": deleted_chart,
    "list_verified_content": another_verified,
}
MAKERS: Final[Mapping[str, Maker]] = {
    maker.__name__: maker
    for maker in (
        *(query_uuid, sql_chart, chart_version, dashboard_version, chart_document, dashboard_document),
        *(deleted_chart, to_space_uuid),
    )
}
ELSEWHERE: Final = {
    "rollback_chart": "chart_version",
    "rollback_dashboard": "dashboard_version",
    "upsert_chart_as_code": "chart_document",
    "upsert_dashboard_as_code": "dashboard_document",
    "restore_content": "deleted_chart",
}
BEFORE: Final = dict.fromkeys(("unverify_content", "pin_content", "favorite_content", "list_verified_content"), mark)
