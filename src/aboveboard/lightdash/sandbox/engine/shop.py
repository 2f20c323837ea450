"""The shop's explores: what there is to ask about orders, customers, products, payments and visits.

Three more explores over the orders are not listed, but can be asked for by name: `slow_orders`, `failing_orders` and
`expiring_orders` do what their names say, so that a client can be tested for it.
"""

from aboveboard.lightdash.sandbox.engine.fields import Dimension, Explore, Join, Metric, Table
from aboveboard.lightdash.sandbox.engine.intervals import ALL, USUAL
from aboveboard.lightdash.sandbox.warehouse import SCHEMA
from aboveboard.lightdash.sandbox.warehouse.data import COLUMNS

_STATUSES = {
    "placed": "Placed order",
    "shipped": "Shipped order",
    "completed": "Completed order",
    "return_pending": "Return pending",
    "returned": "Returned order",
}
_USD: dict[str, object] = {"round": 2, "format": "usd"}
_RATES = "CASE ${lightdash.parameters.currency} WHEN 'eur' THEN 0.9 WHEN 'gbp' THEN 0.8 ELSE 1 END"
# What there is to say of a column beyond its name and type.
_COLUMNS: dict[str, dict[str, object]] = {
    "orders.order_id": {"description": "The number on the receipt"},
    "orders.customer_id": {"hidden": True},
    "orders.product_id": {"hidden": True},
    "orders.order_date": {"description": "When the order was placed (UTC)", "intervals": ALL},
    "orders.delivery_date": {"description": "The day it is brought; empty for what is picked up"},
    "orders.status": {
        "description": "# Status\n\nplaced → shipped → completed, or return_pending → returned",
        "extra": {
            "colors": {"placed": "#e6fa0f", "completed": "#00FF00"},
            "filterAutocomplete": {
                "values": [{"label": label, "value": value} for value, label in _STATUSES.items()],
                "fetchFromWarehouse": False,
            },
        },
    },
    "orders.source": {"description": "Where the order came from", "groups": ("Channel",)},
    "orders.promo_code": {"description": "Empty for most orders", "groups": ("Channel",)},
    "orders.amount": {"description": "What the customer paid, discount taken off", "extra": _USD},
    "orders.tax": {"extra": _USD, "hidden": True},
    "customers.email": {"hidden": True, "description": "Never shown"},
    "customers.name": {"description": "First and last name, as the customer writes it"},
    "customers.city": {"description": "Empty where the customer did not say"},
    "products.price": {"extra": _USD},
    "products.cost": {"extra": _USD, "hidden": True},
    "products.spent": {"extra": _USD, "hidden": True},
    "products.revenue": {"extra": _USD, "hidden": True},
    "payments.amount": {"extra": _USD},
    "payments.order_id": {"hidden": True},
    "payments.refunded_date": {"description": "The day the money went back; empty if it did not"},
}
# table: (name, type, SQL, what it is of, description, more), ...
_METRICS: dict[str, tuple[tuple[str, str, str, str | None, str, dict[str, object]], ...]] = {
    "orders": (
        ("order_count", "count_distinct", "${TABLE}.order_id", "order_id", "How many orders", {}),
        ("total_revenue", "sum", "${TABLE}.amount", "amount", "What the till took", _USD),
        ("total_tax", "sum", "${TABLE}.tax", "tax", "Tax in the revenue", _USD),
        ("net_revenue", "number", "${total_revenue} - ${total_tax}", None, "Revenue without tax", _USD),
        ("average_order_value", "average", "${TABLE}.amount", "amount", "Revenue per order", _USD),
        ("average_items", "average", "${TABLE}.quantity", "quantity", "Items per order", {"round": 1}),
        ("total_items", "sum", "${TABLE}.quantity", "quantity", "Items sold", {}),
        ("smallest_order", "min", "${TABLE}.amount", "amount", "The smallest order", _USD),
        ("largest_order", "max", "${TABLE}.amount", "amount", "The largest order", _USD),
        ("first_order", "date", "MIN(DATE_TRUNC('DAY', ${TABLE}.order_date))", None, "The day of the first order", {}),
        ("promo_uses", "count", "${TABLE}.promo_code", "promo_code", "Orders with a promotion code", {}),
        ("revenue_in_currency", "sum", "${TABLE}.amount * " + _RATES, "amount", "Revenue in a chosen currency", {}),
    ),
    "customers": (
        ("customer_count", "count_distinct", "${TABLE}.customer_id", "customer_id", "How many customers", {}),
        ("visit_count", "sum", "${TABLE}.visits", "visits", "How often they came", {}),
    ),
    "products": (
        ("product_count", "count", "${TABLE}.product_id", "product_id", "How many products", {}),
        ("units_sold", "sum", "${TABLE}.sold", "sold", "Units sold so far", {}),
        ("total_spent", "sum", "${TABLE}.spent", "spent", "What the units sold cost the shop", {"hidden": True}),
        ("product_revenue", "sum", "${TABLE}.revenue", "revenue", "What the units sold brought", _USD),
        (
            "margin",
            "number",
            "(${product_revenue} - ${total_spent}) / ${product_revenue}",
            None,
            "The part of the revenue that stays",
            {"round": 1, "format": "percent"},
        ),
    ),
    "payments": (
        ("payment_count", "count", "${TABLE}.payment_id", "payment_id", "How many payments", {}),
        ("total_amount", "sum", "${TABLE}.amount", "amount", "What was paid", _USD),
        ("refund_count", "count", "${TABLE}.refunded_date", "refunded_date", "How many payments went back", {}),
    ),
    "visits": (
        ("visit_total", "sum", "${TABLE}.people", "people", "People through the doors", {}),
        ("warmest", "max", "${TABLE}.temperature", "temperature", "The warmest moment (°C)", {}),
    ),
}
_ABOUT = {
    "orders": "Every order of the shop since it opened",
    "customers": "The shop's customers, with consent",
    "products": "What the shop sells, with sales so far",
    "payments": "What customers paid, and what went back",
    "visits": "People counted at the doors, four times a day",
}
_TIME = {"orders": "order_date", "customers": "created", "payments": "paid_at", "visits": "counted_at"}


def _label(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _dimension(table: str, name: str, kind: str, index: int) -> Dimension:
    more = dict(_COLUMNS.get(f"{table}.{name}", {}))
    usual = {"timestamp": USUAL, "date": USUAL[1:]}.get(kind, ())
    return Dimension(
        table=table,
        name=name,
        type="number" if kind == "integer" else kind,
        sql="${TABLE}." + name,
        label=_label(name),
        index=index,
        **{"intervals": usual, **more},  # pyright: ignore[reportArgumentType]
    )


def _metric(table: str, index: int, row: tuple[str, str, str, str | None, str, dict[str, object]]) -> Metric:
    name, kind, sql, of, description, more = row
    whole = COLUMNS[table].get(of or "") == "integer"
    return Metric(
        table=table,
        name=name,
        type=kind,
        sql=sql,
        label=_label(name),
        description=description,
        index=index,
        hidden=bool(more.get("hidden")),
        of=of,
        big=kind in {"count", "count_distinct"} or (kind == "sum" and whole),
        extra={key: value for key, value in more.items() if key != "hidden"},
    )


def _table(name: str) -> Table:
    base = [_dimension(name, column, kind, index) for index, (column, kind) in enumerate(COLUMNS[name].items())]
    metrics = [_metric(name, index, row) for index, row in enumerate(_METRICS[name])]
    return Table(
        name,
        _label(name),
        _ABOUT[name],
        next(iter(COLUMNS[name])),
        {one.name: one for each in base for one in each.spread()},
        {one.name: one for one in metrics},
        f'"{SCHEMA}"."{name}"',
        _TIME.get(name),
    )


TABLES = {name: _table(name) for name in _METRICS}
_TO_CUSTOMERS = Join("customers", "${orders.customer_id} = ${customers.customer_id}")
_TO_PRODUCTS = Join("products", "${orders.product_id} = ${products.product_id}")
_TO_ORDERS = Join("orders", "${payments.order_id} = ${orders.order_id}")


def _explore(name: str, base: str, joins: tuple[Join, ...] = (), *, listed: bool = True) -> Explore:
    tables = {table: TABLES[table] for table in (base, *(join.table for join in joins))}
    tags = ("core", "ai") if base == "orders" else ("core",) if base != "visits" else ()
    return Explore(name, _label(name), base, tables, joins, tags, listed)


EXPLORES = {
    one.name: one
    for one in (
        _explore("orders", "orders", (_TO_CUSTOMERS, _TO_PRODUCTS)),
        _explore("customers", "customers"),
        _explore("products", "products"),
        _explore("payments", "payments", (_TO_ORDERS, _TO_CUSTOMERS)),
        _explore("visits", "visits"),
        _explore("slow_orders", "orders", listed=False),
        _explore("failing_orders", "orders", listed=False),
        _explore("expiring_orders", "orders", listed=False),
    )
}
PARAMETERS: dict[str, dict[str, object]] = {
    "currency": {
        "label": "Currency",
        "default": "usd",
        "options": ["usd", "eur", "gbp"],
        "description": "What amounts are shown in",
    },
    "since": {
        "type": "date",
        "label": "Since",
        "default": "2025-01-01",
        "description": "The first day to look at",
        "allow_custom_values": True,
    },
}
"""The project's parameters, by name."""
