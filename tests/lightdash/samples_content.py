"""Calls of the tools for analysts: explores, queries, charts, dashboards, content."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from tests.lightdash.places import PREVIEW, PREVIEW_CHART, PREVIEW_DASHBOARD, SQL_CHART_SLUG
from tests.lightdash.samples_admin import NOBODY, of, within

Row = Callable[[Any], dict[str, Any]]
ORDERS: Final[dict[str, Any]] = {
    "explore": "orders",
    "dimensions": ["orders_status"],
    "metrics": ["orders_order_count"],
}


def on_chart(**arguments: Any) -> Row:
    """Make a row of a call about the known chart."""
    return lambda known: {"project_uuid": known.project, "chart": known.chart["uuid"], **arguments}


def on_board(*names: str, **arguments: Any) -> Row:
    """Make a row of a call about the known dashboard."""
    return lambda known: {**within(*names, **arguments)(known), "dashboard": known.dashboard["uuid"]}


def on_item(**arguments: Any) -> Row:
    """Make a row of a call about the known chart as an item."""
    return lambda known: {"project_uuid": known.project, "kind": "chart", "item": known.chart["uuid"], **arguments}


def in_space(**arguments: Any) -> Row:
    """Make a row of a call that puts something into the known space."""
    return lambda known: {"project_uuid": known.project, "space_uuid": known.space, **arguments}


GOOD: Final[Mapping[str, Row]] = {
    "list_explores": within(limit=2),
    "get_explore": within(explore="orders"),
    "list_dimensions": within(explore="orders", search="status"),
    "list_metrics": within(search="count"),
    "search_fields": within(pattern="ord.r"),
    "search_field_values": within(explore="orders", field="orders_status"),
    "get_field_lineage": within(explore="orders", field="orders_order_count"),
    "get_table_analytics": within(table="orders"),
    "run_metric_query": within(**ORDERS, filters=[{"field": "orders_status", "operator": "notNull"}]),
    "compile_query": within(**ORDERS),
    "run_chart": on_chart(),
    "run_dashboard": on_board(),
    "get_query_result": within("query_uuid"),
    "cancel_query": within("query_uuid"),
    "get_underlying_data": within("query_uuid", explore="orders", metric="orders_order_count"),
    "calculate_total": within("query_uuid"),
    "export_query": within("query_uuid"),
    "get_query_history": within(),
    "run_sql": within(sql="SELECT status, count(*) AS n FROM orders GROUP BY 1"),
    "list_sql_tables": within(),
    "list_sql_fields": within(table="orders", schema_name="shop"),
    "get_sql_chart": within("sql_chart"),
    "create_sql_chart": in_space(name="Öffnungen", sql="SELECT 1 AS one"),
    "update_sql_chart": within("sql_chart", name="Renamed", sql="SELECT 2 AS two"),
    "delete_sql_chart": within("sql_chart"),
    "create_chart": in_space(name="Größen", **ORDERS),
    "update_chart": on_chart(limit=7),
    "rename_chart": on_chart(name="Umbenannt"),
    "duplicate_chart": on_chart(name="A copy"),
    "delete_chart": on_chart(),
    "get_chart_history": on_chart(),
    "rollback_chart": lambda known: {**on_chart()(known), "version_uuid": known.made["chart_version"]},
    "create_dashboard": in_space(name="Überblick"),
    "update_dashboard": on_board(name="Renamed"),
    "duplicate_dashboard": on_board(name="A copy"),
    "delete_dashboard": on_board(),
    "get_dashboard_history": on_board(),
    "rollback_dashboard": lambda known: {**on_board()(known), "version_uuid": known.made["dashboard_version"]},
    "add_dashboard_tile": on_board(markdown="# Hallo"),
    "update_dashboard_tile": on_board("tile_uuid", title="New heading"),
    "remove_dashboard_tile": on_board("tile_uuid"),
    "list_charts_as_code": within(slugs=["revenue-by-month"]),
    "upsert_chart_as_code": lambda known: {
        "project_uuid": known.project,
        "slug": "revenue-by-month",
        "chart": known.made["chart_document"],
    },
    "list_dashboards_as_code": within(slugs=["shop-overview"]),
    "upsert_dashboard_as_code": lambda known: {
        "project_uuid": known.project,
        "slug": "shop-overview",
        "dashboard": known.made["dashboard_document"],
    },
    "search_content": within(search="orders"),
    "list_content": within(kinds=["chart", "dashboard", "space"], sort="name"),
    "move_content": lambda known: {**on_item()(known), "to_space_uuid": known.made["to_space_uuid"]},
    "delete_content": on_item(),
    "list_deleted_content": within(),
    "restore_content": lambda known: {**on_item()(known), "item": known.made["deleted_chart"]},
    "resolve_url": lambda known: {"url": f"http://lightdash/projects/{known.project}/saved/{known.chart['uuid']}/view"},
    "list_verified_content": within(),
    "verify_content": on_item(),
    "unverify_content": on_item(),
    "pin_content": on_item(pinned=False),
    "favorite_content": on_item(favorite=False),
    "preview_promotion": of(kind="chart", item=PREVIEW_CHART, project_uuid=PREVIEW),
    "promote_content": of(kind="chart", item=PREVIEW_CHART, project_uuid=PREVIEW),
}

BAD: Final[Mapping[str, tuple[Row, str]]] = {
    "list_explores": (within(page=0), "page must be at least 1."),
    "get_explore": (within(explore="nope"), "Lightdash answered 404"),
    "list_dimensions": (within(explore="nope"), "Lightdash answered 404"),
    "list_metrics": (within(limit=1000), "limit must be at most 200."),
    "search_fields": (within(pattern="("), "pattern is no regular expression"),
    "search_field_values": (within(explore="orders", field="orders_quantity"), "only the values of text"),
    "get_field_lineage": (within(explore="orders", field="orders_statu"), "did you mean 'orders_status'"),
    "get_table_analytics": (within(table=""), "''"),
    "run_metric_query": (within(explore="orders"), "at least one dimension or metric"),
    "compile_query": (within(explore="orders", metrics=["orders_status"]), "put it among the dimensions"),
    "run_chart": (within(chart="no-such-chart"), "Lightdash answered 404"),
    "run_dashboard": (within(dashboard="no-such-board"), "Lightdash answered 404"),
    "get_query_result": (within(query_uuid=NOBODY), "Lightdash answered 404"),
    "cancel_query": (within(query_uuid=NOBODY), "Lightdash answered 404"),
    "get_underlying_data": (within("query_uuid", explore="orders", metric="orders_nope"), "no metric 'orders_nope'"),
    "calculate_total": (within("query_uuid", kind="everything"), "kind must be one of"),
    "export_query": (within("query_uuid", file_format="pdf"), "file_format must be one of"),
    "get_query_history": (within(limit=0), "limit must be at least 1."),
    "run_sql": (within(sql="DROP TABLE orders"), "Only SELECT can be run"),
    "list_sql_tables": (within(limit=0), "limit must be at least 1."),
    "list_sql_fields": (within(table="nope", schema_name="shop"), "Could not find table"),
    "get_sql_chart": (within(sql_chart="nope"), "Lightdash answered 404"),
    "create_sql_chart": (in_space(name="x", sql="UPDATE orders"), "Only SELECT can be run"),
    "update_sql_chart": (within("sql_chart"), "there is nothing to change"),
    "delete_sql_chart": (within(sql_chart=NOBODY), "Lightdash answered 404"),
    "create_chart": (in_space(name="x", explore="orders", metrics=["orders_nope"]), "no metric 'orders_nope'"),
    "update_chart": (on_chart(dimensions=["orders_nope"]), "no dimension 'orders_nope'"),
    "rename_chart": (on_chart(), "there is nothing to change"),
    "duplicate_chart": (within(chart=NOBODY, name="x"), "Lightdash answered 404"),
    "delete_chart": (within(chart=NOBODY), "Lightdash answered 404"),
    "get_chart_history": (within(chart=NOBODY), "Lightdash answered 404"),
    "rollback_chart": (on_chart(version_uuid=NOBODY), "Lightdash answered 404"),
    "create_dashboard": (within(name="x", space_uuid=NOBODY), "does not exist"),
    "update_dashboard": (on_board(), "there is nothing to change"),
    "duplicate_dashboard": (within(dashboard=NOBODY, name="x"), "Lightdash answered 404"),
    "delete_dashboard": (within(dashboard=NOBODY), "Lightdash answered 404"),
    "get_dashboard_history": (within(dashboard=NOBODY), "Lightdash answered 404"),
    "rollback_dashboard": (on_board(version_uuid=NOBODY), "Lightdash answered 404"),
    "add_dashboard_tile": (on_board(), "Give a chart or markdown"),
    "update_dashboard_tile": (on_board(tile_uuid=NOBODY, title="x"), "no tile"),
    "remove_dashboard_tile": (on_board(tile_uuid=NOBODY), "no tile"),
    "list_charts_as_code": (within(slugs=["nope"]), "nothing with the slug nope"),
    "upsert_chart_as_code": (within(slug="a", chart={"slug": "b"}), "slug is 'b', not 'a'"),
    "list_dashboards_as_code": (within(slugs=["nope"]), "nothing with the slug nope"),
    "upsert_dashboard_as_code": (within(slug="a", dashboard={}), "The document lacks name"),
    "search_content": (within(search=""), "search must have at least 1 character"),
    "list_content": (within(kinds=["hologram"]), "kinds.0 must be one of"),
    "move_content": (on_item(to_space_uuid=NOBODY), "does not exist"),
    "delete_content": (within(kind="chart", item=NOBODY), "This project has no chart"),
    "list_deleted_content": (within(limit=0), "limit must be at least 1."),
    "restore_content": (within(kind="chart", item=NOBODY), "The trash has no chart"),
    "resolve_url": (of(url="https://elsewhere.example/projects/x"), "not of the Lightdash at"),
    "list_verified_content": (within(page=0), "page must be at least 1."),
    "verify_content": (within(kind="chart", item=NOBODY), "Lightdash answered 404"),
    "unverify_content": (within(kind="dashboard", item=NOBODY), "Lightdash answered 404"),
    "pin_content": (within(kind="space", item=NOBODY), "kind must be one of"),
    "favorite_content": (within(kind="chart", item=NOBODY), "Lightdash answered 404"),
    "preview_promotion": (on_item(), "upstream project"),
    "promote_content": (on_item(), "upstream project"),
}


def on_whole_board(**arguments: Any) -> Row:
    """Make a row of a call about the known dashboard as an item."""
    return lambda known: {
        "project_uuid": known.project,
        "kind": "dashboard",
        "item": known.dashboard["uuid"],
        **arguments,
    }


# What the calls above leave out: the other kind, the other way to name a thing.
OTHERWISE: Final[tuple[tuple[str, Row], ...]] = (
    ("list_charts_as_code", lambda known: {"project_uuid": known.project}),
    ("get_sql_chart", within(sql_chart=SQL_CHART_SLUG)),
    ("run_chart", within(chart=SQL_CHART_SLUG)),
    ("verify_content", on_whole_board()),
    ("unverify_content", on_whole_board()),
    ("pin_content", on_whole_board(pinned=False)),
    ("favorite_content", on_whole_board(favorite=False)),
    ("preview_promotion", of(kind="dashboard", item=PREVIEW_DASHBOARD, project_uuid=PREVIEW)),
    ("promote_content", of(kind="dashboard", item=PREVIEW_DASHBOARD, project_uuid=PREVIEW)),
)
