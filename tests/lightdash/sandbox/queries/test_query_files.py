"""Results taken away, saved SQL, virtual views, jobs and the catalog."""

import csv
import io
import zipfile
from collections.abc import AsyncIterator

import pytest
from lxml import etree
from tests.lightdash.sandbox.asking import MAIN, QUERIES, Asker, asker, query, raw

from aboveboard.lightdash.sandbox import Sandbox

pytestmark = pytest.mark.anyio

SAVED = f"/api/v1/projects/{MAIN}/sqlRunner/saved"
VIEWS = f"/api/v1/projects/{MAIN}/sqlRunner/virtual-view"
CATALOG = f"/api/v1/projects/{MAIN}/dataCatalog"
SALES = "2a000000-0000-4000-8000-000000000001"
TABLE = {"type": "table", "metadata": {"version": 1}, "columns": {}, "display": {}}


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    made = Sandbox()
    yield made
    made.close()


@pytest.fixture
async def admin(sandbox: Sandbox) -> AsyncIterator[Asker]:
    person = asker(sandbox)
    yield person
    await person.client.aclose()


async def download(admin: Asker, uuid: str, **body: object) -> dict[str, str]:
    job = (await admin.client.post(f"{QUERIES}/{uuid}/schedule-download", json=body)).json()["results"]["jobId"]
    looks = [(await admin.client.get(f"/api/v1/schedulers/job/{job}/status")).json()["results"] for _ in range(2)]
    assert looks[0]["status"] == "started"
    return looks[1] | looks[1]["details"]


async def submitted(admin: Asker) -> str:
    asked = query("customers", "customers_city customers_customer_count", limit=3)
    return (await admin.submit("metric-query", {"query": asked})).json()["results"]["queryUuid"]


async def test_a_csv_begins_with_a_mark_and_has_labels_and_shown_values(admin: Asker) -> None:
    job = await download(admin, await submitted(admin), type="csv")
    assert (job["status"], job["truncated"]) == ("completed", False)
    file = await admin.client.get(job["fileUrl"])
    assert file.content.startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(io.StringIO(file.content.decode("utf-8-sig"))))
    assert rows == [["City", "Customer count"], ["∅", "9"], ["Berlin", "6"], ["München", "6"]]


async def test_raw_values_leave_what_is_empty_empty(admin: Asker) -> None:
    job = await download(admin, await submitted(admin), type="csv", onlyRaw=True)
    text = (await admin.client.get(job["fileUrl"])).content.decode("utf-8-sig")
    assert text.splitlines()[1] == '"","9"'


async def test_a_workbook_opens_and_holds_the_rows(admin: Asker) -> None:
    job = await download(admin, await submitted(admin), type="xlsx")
    file = await admin.client.get(job["fileUrl"])
    with zipfile.ZipFile(io.BytesIO(file.content)) as archive:
        assert archive.testzip() is None
        sheet = etree.fromstring(archive.read("xl/worksheets/sheet1.xml"))
    assert ["".join(str(text) for text in row.itertext()) for row in sheet.iter("{*}row")] == [
        "CityCustomer count",
        "∅9",
        "Berlin6",
        "München6",
    ]


async def test_lines_of_json_lie_on_another_host(admin: Asker) -> None:
    job = await download(admin, await submitted(admin), type="jsonl")
    assert job["fileUrl"].startswith("http://storage.corner-shop.example/")
    assert "truncated" not in job


async def test_a_file_is_its_owners_alone(sandbox: Sandbox, admin: Asker) -> None:
    url = (await download(admin, await submitted(admin)))["fileUrl"]
    for person in ("editor", "viewer", "other-org"):
        other = asker(sandbox, person)
        assert (await other.client.get(url)).status_code == 404
        await other.client.aclose()
    assert (await admin.client.get(url, headers={"authorization": ""})).status_code == 404
    assert (await admin.client.get(url)).status_code == 200


async def test_a_cancelled_query_has_nothing_to_take_away(admin: Asker) -> None:
    uuid = await submitted(admin)
    await admin.client.post(f"{QUERIES}/{uuid}/cancel")
    job = await download(admin, uuid)
    assert (job["status"], uuid in job["error"]) == ("error", True)


async def test_a_saved_sql_chart_is_state_and_running_it_is_not(sandbox: Sandbox, admin: Asker) -> None:
    before = set(sandbox.dump())
    body = {"name": "Émile's chart", "description": None, "sql": "select 7 as seven", "limit": 5, "config": TABLE}
    made = (await admin.client.post(SAVED, json=body | {"spaceUuid": SALES})).json()["results"]
    uuid = made["savedSqlUuid"]
    facts = sandbox.dump()
    assert facts[f"sql_charts/{uuid}/sql"] == "select 7 as seven"
    assert {key.split("/")[1] for key in set(facts) - before if not key.startswith("derived/")} == {uuid}
    assert raw(await admin.ask("sql-chart", {"savedSqlUuid": uuid})) == [{"seven": 7}]
    assert all(key.startswith("derived/queries/") for key in set(sandbox.dump()) - set(facts))
    changed = await admin.client.patch(
        f"{SAVED}/{uuid}", json={"versionedData": {"sql": "select 8 as eight", "limit": 1, "config": TABLE}}
    )
    assert changed.json()["results"]["savedSqlVersionUuid"] != made["savedSqlVersionUuid"]
    assert raw(await admin.ask("sql-chart", {"slug": made["slug"]})) == [{"eight": 8}]
    assert (await admin.client.delete(f"{SAVED}/{uuid}")).json() == {"status": "ok"}
    assert not [key for key in sandbox.dump() if key.startswith(f"sql_charts/{uuid}")]


async def test_the_seeded_sql_chart_runs_for_a_viewer_who_may_write_no_sql(sandbox: Sandbox) -> None:
    viewer = asker(sandbox, "viewer")
    rows = raw(await viewer.ask("sql-chart", {"slug": "busiest-hours"}))
    assert sum(int(row["orders"]) for row in rows) == 400
    assert [row["hour"] for row in rows] == sorted(row["hour"] for row in rows)
    assert (await viewer.submit("sql", {"sql": "select 1 as one"})).status_code == 403
    await viewer.client.aclose()


async def test_a_virtual_view_can_be_queried_like_any_explore(admin: Asker) -> None:
    body = {"name": "big_orders", "sql": "select order_id, amount from shop.orders where amount > 80 -- big;"}
    columns = [{"reference": "order_id", "type": "number"}, {"reference": "amount", "type": "number"}]
    made = await admin.client.post(VIEWS, json=body | {"columns": columns})
    assert made.json()["results"] == {"name": "big_orders"}
    rows = await admin.rows("big_orders", "big_orders_order_id big_orders_amount")
    assert len(rows) == len(await admin.sql("select order_id from shop.orders where amount > 80"))
    assert min(row["big_orders_amount"] for row in rows) > 80


@pytest.mark.parametrize("sql", ["select 1) union select (2", "delete from shop.orders", "select 1; select 2", ""])
async def test_a_virtual_view_is_one_select_and_cannot_leave_its_brackets(admin: Asker, sql: str) -> None:
    body = {"name": "v", "sql": sql, "columns": [{"reference": "a", "type": "number"}]}
    assert (await admin.client.post(VIEWS, json=body)).status_code == 400
    assert (await admin.client.get(f"/api/v1/projects/{MAIN}/explores/v")).status_code == 404


async def test_a_refresh_runs_and_ends_and_one_without_dbt_fails(admin: Asker) -> None:
    preview = "1a000000-0000-4000-8000-000000000002"
    for project, expected in ((MAIN, ["RUNNING", "RUNNING", "DONE"]), (preview, ["STARTED", "ERROR", "ERROR"])):
        job = (await admin.client.post(f"/api/v1/projects/{project}/refresh")).json()["results"]["jobUuid"]
        looks = [(await admin.client.get(f"/api/v1/jobs/{job}")).json()["results"] for _ in range(3)]
        assert [look["jobStatus"] for look in looks] == expected
        assert bool(looks[2]["steps"][0]["stepError"]) == (expected[-1] == "ERROR")


async def test_every_metric_and_dimension_that_the_catalog_lists_can_be_asked_for(admin: Asker) -> None:
    entries = (await admin.client.get(CATALOG, params={"type": "field"})).json()["results"]
    assert len(entries) > 80
    for table in ("orders", "customers", "products", "payments", "visits"):
        names = {
            kind: [f"{table}_{one['name']}" for one in entries if (one["tableName"], one["fieldType"]) == (table, kind)]
            for kind in ("dimension", "metric")
        }
        asked = query(table, "", dimensions=names["dimension"], metrics=names["metric"], limit=2)
        results = await admin.ask("metric-query", {"query": asked})
        assert set(raw(results)[0]) == {*names["dimension"], *names["metric"]}


async def test_what_is_hidden_is_in_no_catalog_but_can_be_asked_for(admin: Asker) -> None:
    for params in ({"type": "field"}, {"search": "email"}, {"search": "tax"}):
        listed = (await admin.client.get(CATALOG, params=params)).json()["results"]
        assert not [one for one in listed if one["name"] in {"email", "tax", "total_spent"}]
    explore = (await admin.client.get(f"/api/v1/projects/{MAIN}/explores/orders")).json()["results"]
    assert explore["tables"]["customers"]["dimensions"]["email"]["hidden"] is True


async def test_the_metrics_catalog_pages_over_every_metric_once_and_finds_by_word(admin: Asker) -> None:
    pages = [
        (await admin.client.get(f"{CATALOG}/metrics", params={"page": page, "pageSize": 4})).json()["results"]
        for page in range(1, 10)
    ]
    names = [f"{one['tableName']}_{one['name']}" for page in pages for one in page["data"]]
    assert len(names) == len(set(names)) == pages[0]["pagination"]["totalResults"] == 23
    found = (await admin.client.get(f"{CATALOG}/metrics", params={"search": "refund"})).json()["results"]["data"]
    assert [one["name"] for one in found] == ["refund_count"]
    found = (await admin.client.get(f"{CATALOG}/metrics", params={"search": "revenue"})).json()["results"]["data"]
    assert {"total_revenue", "net_revenue", "product_revenue"} <= {one["name"] for one in found}
    used = (await admin.client.get(f"{CATALOG}/metrics", params={"sort": "chartUsage"})).json()["results"]["data"]
    assert (used[0]["name"], used[0]["chartUsage"]) == ("order_count", 3)


async def test_analytics_name_the_charts_that_the_caller_may_see(sandbox: Sandbox) -> None:
    for person, names in (("admin", ["Payments by method", "Refunds"]), ("viewer", [])):
        asking = asker(sandbox, person)
        charts = (await asking.client.get(f"{CATALOG}/payments/analytics")).json()["results"]["charts"]
        assert [chart["name"] for chart in charts] == names
        await asking.client.aclose()
