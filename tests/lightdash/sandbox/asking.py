"""Asking a sandbox over HTTP, as a client does: submit, poll, read."""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx2

from aboveboard.lightdash.sandbox import Sandbox
from aboveboard.lightdash.sandbox.warehouse import data

MAIN = "1a000000-0000-4000-8000-000000000001"
QUERIES = f"/api/v2/projects/{MAIN}/query"
RUNNING = {"pending", "executing"}
Row = dict[str, Any]


@dataclass
class Asker:
    """One person at a sandbox."""

    client: httpx2.AsyncClient

    async def submit(self, kind: str, body: Mapping[str, object]) -> httpx2.Response:
        return await self.client.post(f"{QUERIES}/{kind}", json=body)

    async def poll(self, query: str, **params: object) -> httpx2.Response:
        return await self.client.get(f"{QUERIES}/{query}", params=params)  # pyright: ignore[reportArgumentType]

    async def finish(self, query: str, **params: object) -> Row:
        for _ in range(20):
            results = (await self.poll(query, **params)).json()["results"]
            if results["status"] not in RUNNING:
                return results
        raise AssertionError("the query never ended")

    async def ask(self, kind: str, body: Mapping[str, object]) -> Row:
        """Submit and wait; the first page."""
        answer = await self.submit(kind, body)
        assert answer.status_code == 200, answer.text
        return await self.finish(answer.json()["results"]["queryUuid"])

    async def rows(self, explore: str, fields: str, **more: object) -> list[Row]:
        """The raw rows of a metric query; fields that the explore counts or adds up are its metrics."""
        results = await self.ask("metric-query", {"query": query(explore, fields, **more)})
        assert results["status"] == "ready", results
        return raw(results)

    async def sql(self, sql: str, **more: object) -> list[Row]:
        results = await self.ask("sql", {"sql": sql, **more})
        assert results["status"] == "ready", results
        return raw(results)


METRICS = frozenset(
    {
        *("orders_order_count", "orders_total_revenue", "orders_net_revenue", "orders_total_tax", "orders_total_items"),
        *("orders_average_order_value", "orders_smallest_order", "orders_largest_order", "orders_first_order"),
        *("orders_promo_uses", "orders_revenue_in_currency", "customers_customer_count", "products_margin"),
        *("products_units_sold", "payments_total_amount", "payments_refund_count", "visits_visit_total", "x_extra"),
        *("products_product_count", "payments_payment_count"),
    }
)


def query(explore: str, fields: str, **more: object) -> dict[str, object]:
    """A metric query with everything that is required."""
    names = fields.split()
    return {
        "exploreName": explore,
        "dimensions": [name for name in names if name not in METRICS],
        "metrics": [name for name in names if name in METRICS],
        "filters": {},
        "sorts": [],
        "limit": 10_000,
        "tableCalculations": [],
        **more,
    }


def raw(results: Row) -> list[Row]:
    return [{name: cell["value"]["raw"] for name, cell in row.items()} for row in results["rows"]]


def formatted(results: Row) -> list[Row]:
    return [{name: cell["value"]["formatted"] for name, cell in row.items()} for row in results["rows"]]


def only(field: str, operator: str, *values: object, **settings: object) -> dict[str, Any]:
    """A filter group of one rule."""
    rule = {"id": "r", "target": {"fieldId": field}, "operator": operator, "values": list(values)}
    return {"id": "g", "and": [rule | ({"settings": settings} if settings else {})]}


def asker(sandbox: Sandbox, person: str = "admin") -> Asker:
    headers = {"authorization": f"ApiKey {sandbox.tokens[person]}"}
    transport = httpx2.ASGITransport(sandbox.app)
    return Asker(httpx2.AsyncClient(transport=transport, base_url="http://sandbox", headers=headers))


def table(name: str) -> list[Row]:
    """The rows of a table as they are in the data, without the engine between."""
    db = sqlite3.connect(":memory:")
    db.deserialize(data.image())
    db.row_factory = sqlite3.Row
    rows = [dict(row) for row in db.execute(f"SELECT * FROM {name}")]  # noqa: S608 - a name in a test
    db.close()
    return rows
