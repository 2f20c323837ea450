"""What the demo projects hold: charts over orders, customers, products and payments, and dashboards of them."""

from datetime import UTC, datetime, timedelta

from aboveboard.lightdash.sandbox.store import Store


def ident(kind: str, number: int) -> str:
    """A fixed version 4 UUID that people can recognise."""
    return f"{kind}000000-0000-4000-8000-{number:012d}"


def moment(number: int) -> str:
    """A fixed time on an opening day, minutes apart."""
    at = datetime(2026, 1, 5, 8, 0, tzinfo=UTC) + timedelta(minutes=number)
    return at.strftime("%Y-%m-%dT%H:%M:%S.000Z")


ADMIN, DEVELOPER, RIVAL_ADMIN = ident("0b", 1), ident("0b", 4), ident("0b", 9)
MAIN, PREVIEW, RIVAL = ident("1a", 1), ident("1a", 2), ident("1a", 9)
SALES, WEEKLY, ARCHIVE, CUSTOMERS, FINANCE, INBOX = (ident("2a", number) for number in (1, 2, 3, 4, 5, 7))
PREVIEW_SPACE, RIVAL_SPACE = ident("2a", 8), ident("2a", 9)
OVERVIEW, CORNER, BOARD, REVIEW, PREVIEW_OVERVIEW = (ident("4a", number) for number in (1, 2, 3, 4, 5))
TODAY, TRENDS = ident("7a", 1), ident("7a", 2)

_CHARTS = (
    # number, space, name, slug, kind, dimensions, metrics, description
    (1, SALES, "Revenue by month", "revenue-by-month", "line", "orders_order_date_month", "orders_total_revenue",
     "What the till took, month by month"),
    (2, SALES, "Orders by status", "orders-by-status", "vertical_bar", "orders_status", "orders_order_count",
     "How many orders are placed, shipped, returned"),
    (3, SALES, "Average order value", "average-order-value", "big_number", "", "orders_average_order_value", None),
    (4, SALES, "Top products", "top-products", "horizontal_bar", "products_name", "products_units_sold",
     "The twenty products that sell best"),
    (5, WEEKLY, "Orders per week", "orders-per-week", "area", "orders_order_date_week", "orders_order_count", None),
    (6, ARCHIVE, "Orders of last year", "orders-of-last-year", "table", "orders_status", "orders_order_count", None),
    (7, CUSTOMERS, "New customers by month", "new-customers-by-month", "vertical_bar", "customers_created_month",
     "customers_customer_count", "Big months are the ones with a street fair"),
    (8, CUSTOMERS, "Customers by country", "customers-by-country", "pie", "customers_country",
     "customers_customer_count", None),
    # A slug may hold a slash, and clients must escape it.
    (9, CUSTOMERS, "Café regulars ☕", "cafe/regulars", "table", "customers_name customers_city",
     "customers_visit_count", "Stammgäste im Café, 常連さん"),
    (10, FINANCE, "Payments by method", "payments-by-method", "pie", "payments_method", "payments_total_amount", None),
    (11, FINANCE, "Refunds", "refunds", "table", "payments_refunded_date_month payments_method",
     "payments_refund_count", "Refunds by month and method"),
    (12, FINANCE, "Margin by product", "margin-by-product", "table", "products_name", "products_margin", None),
    (13, SALES, "Basket size", "basket-size", "big_number", "", "orders_average_items", "Lives in the overview alone"),
    (14, PREVIEW_SPACE, "Revenue by month", "revenue-by-month", "line", "orders_order_date_month",
     "orders_net_revenue", "The same slug as in the main project"),
    (15, PREVIEW_SPACE, "Orders by hour", "orders-by-hour", "vertical_bar", "orders_order_date_hour",
     "orders_order_count", None),
    (16, RIVAL_SPACE, "Rival revenue", "rival-revenue", "line", "orders_order_date_month", "orders_total_revenue",
     None),
)  # fmt: skip
_DASHBOARDS: tuple[tuple[str, str, str, str, str, str | None, list[tuple[str, str]]], ...] = (
    # uuid, project, space, name, slug, description, tabs
    (OVERVIEW, MAIN, SALES, "Shop overview", "shop-overview", "The first thing to look at in the morning",
     [(TODAY, "Today"), (TRENDS, "Trends")]),
    (CORNER, MAIN, CUSTOMERS, "Customer corner", "customer-corner", None, []),
    (BOARD, MAIN, FINANCE, "Finance board", "finance-board", "For Ada and Dana only", []),
    (REVIEW, MAIN, WEEKLY, "Weekly review", "weekly-review", None, []),
    (PREVIEW_OVERVIEW, PREVIEW, PREVIEW_SPACE, "Shop overview", "shop-overview",
     "The same slug as in the main project", []),
)  # fmt: skip
_TILES: dict[str, tuple[tuple[str | None, int | str], ...]] = {
    # tab, and a chart's number or a note's text
    OVERVIEW: ((TODAY, "### Guten Morgen ☀️\nStart here."), (TODAY, 3), (TODAY, 13), (TRENDS, 1), (TRENDS, 2)),
    CORNER: ((None, "Who comes, and from where."), (None, 6), (None, 8), (None, 9)),
    BOARD: ((None, 10), (None, 11), (None, 12)),
    REVIEW: ((None, "Every Monday, 9:00."), (None, 5)),
    PREVIEW_OVERVIEW: ((None, 14), (None, "Trying net revenue.")),
}
_FILTERS: dict[str, list[dict[str, object]]] = {
    REVIEW: [
        {
            "id": ident("7b", 1),
            "target": {"fieldId": "orders_is_completed", "tableName": "orders"},
            "values": [True],
            "operator": "equals",
        },
        {
            "id": ident("7b", 2),
            "target": {"fieldId": "orders_order_date_week", "tableName": "orders"},
            "values": [8],
            "operator": "inThePast",
            "settings": {"completed": True, "unitOfTime": "weeks"},
        },
    ],
}


def fill(store: Store) -> None:
    """Seed charts, dashboards and tiles into spaces that are there already."""
    for number, (uuid, project, space, name, slug, description, tabs) in enumerate(_DASHBOARDS, 1):
        store.insert(
            "dashboards",
            uuid=uuid,
            project=project,
            space=space,
            slug=slug,
            name=name,
            description=description,
            tabs=[
                {"uuid": tab, "name": title, "order": order, "hidden": False} for order, (tab, title) in enumerate(tabs)
            ],
            filters={"metrics": [], "dimensions": _FILTERS.get(uuid, []), "tableCalculations": []},
            config="null",
            version_uuid=ident("6a", number),
            version_id=number,
            created_by=ADMIN,
            updated_by=ADMIN,
            created_at=moment(100 + number),
            updated_at=moment(100 + number),
            views=0,
        )
    for chart in _CHARTS:
        _fill_chart(store, *chart)
    for dashboard, tiles in _TILES.items():
        for position, (tab, content) in enumerate(tiles):
            _fill_tile(store, dashboard, position, tab, content)


def _fill_chart(
    store: Store,
    number: int,
    space: str,
    name: str,
    slug: str,
    kind: str,
    fields: str,
    metric: str,
    description: str | None,
) -> None:
    dimensions, metrics = fields.split(), [metric]
    explore = metric.partition("_")[0]
    store.insert(
        "charts",
        uuid=ident("3a", number),
        project={PREVIEW_SPACE: PREVIEW, RIVAL_SPACE: RIVAL}.get(space, MAIN),
        space=space,
        dashboard=OVERVIEW if number == 13 else None,
        slug=slug,
        name=name,
        description=description,
        explore=explore,
        kind=kind,
        query=_query(explore, dimensions, metrics),
        chart_config=_chart_config(kind, dimensions, metrics),
        table_config={"columnOrder": [*dimensions, *metrics]},
        updated_by=RIVAL_ADMIN if space == RIVAL_SPACE else ADMIN,
        created_at=moment(60 + number),
        updated_at=moment(60 + number),
        views=0,
    )


def _query(explore: str, dimensions: list[str], metrics: list[str]) -> dict[str, object]:
    return {
        "exploreName": explore,
        "dimensions": dimensions,
        "metrics": metrics,
        "filters": {},
        "sorts": [{"fieldId": metrics[0], "descending": True}],
        "limit": 500,
        "metricOverrides": {},
        "tableCalculations": [],
        "additionalMetrics": [],
        "customDimensions": [],
        "timezone": "project_timezone",
    }


def _chart_config(kind: str, dimensions: list[str], metrics: list[str]) -> dict[str, object]:
    if kind == "table":
        return {"type": "table", "config": {}}
    if kind == "pie":
        return {"type": "pie", "config": {"groupFieldIds": dimensions, "metricId": metrics[0], "isDonut": False}}
    if kind == "big_number":
        return {"type": "big_number", "config": {"selectedField": metrics[0], "label": None}}
    shape = "bar" if kind.endswith("bar") else "line"
    series = [
        {
            "type": shape,
            "encode": {"xRef": {"field": dimensions[0]}, "yRef": {"field": metric}},
            **({"areaStyle": {}} if kind == "area" else {}),
        }
        for metric in metrics
    ]
    layout = {"xField": dimensions[0], "yField": metrics, "flipAxes": kind == "horizontal_bar"}
    return {"type": "cartesian", "config": {"layout": layout, "eChartsConfig": {"series": series}}}


def _fill_tile(store: Store, dashboard: str, position: int, tab: str | None, content: int | str) -> None:
    if isinstance(content, str):
        title, _, text = content.partition("\n")
        properties = {"title": title.strip("# "), "hideTitle": False, "content": text or title, "hideFrame": False}
    else:
        properties = {"title": "", "hideTitle": False}
    number = int(dashboard[-1])
    store.insert(
        "tiles",
        uuid=ident("5a", number * 100 + position),
        dashboard=dashboard,
        position=position,
        tab=tab,
        type="markdown" if isinstance(content, str) else "saved_chart",
        x=18 * (position % 2),
        y=6 * (position // 2),
        w=18,
        h=6,
        chart=None if isinstance(content, str) else ident("3a", content),
        properties=properties,
    )
