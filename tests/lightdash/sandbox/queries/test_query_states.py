"""How a query goes from submitted to done, failed, expired or cancelled, page by page, and whose it is."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.lightdash.sandbox.asking import MAIN, QUERIES, Asker, asker, query, raw

from aboveboard.lightdash.sandbox import Sandbox

pytestmark = pytest.mark.anyio

STATUS = query("orders", "orders_status orders_order_count")


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


async def states(admin: Asker, kind: str, body: dict[str, object]) -> list[str]:
    submitted = (await admin.submit(kind, body)).json()["results"]["queryUuid"]
    return [(await admin.poll(submitted)).json()["results"]["status"] for _ in range(8)]


@pytest.mark.parametrize(
    ("kind", "body", "expected"),
    [
        ("metric-query", {"query": STATUS}, ["pending", *["ready"] * 7]),
        ("sql", {"sql": "select 1 as one"}, ["pending", *["ready"] * 7]),
        (
            "metric-query",
            {"query": STATUS | {"exploreName": "slow_orders"}},
            ["pending", *["executing"] * 5, *["ready"] * 2],
        ),
        ("sql", {"sql": "select pg_sleep(3), 1 as one"}, ["pending", *["executing"] * 3, *["ready"] * 4]),
        ("sql", {"sql": "select 1 as one -- sandbox: slow 2"}, ["pending", *["executing"] * 2, *["ready"] * 5]),
        ("metric-query", {"query": STATUS | {"exploreName": "failing_orders"}}, ["pending", *["error"] * 7]),
        ("sql", {"sql": "select 1 as one -- sandbox: fail"}, ["pending", *["error"] * 7]),
        ("metric-query", {"query": STATUS | {"exploreName": "expiring_orders"}}, ["pending", *["expired"] * 7]),
        ("sql", {"sql": "select 1 as one -- sandbox: expire"}, ["pending", *["expired"] * 7]),
    ],
)
async def test_a_query_goes_through_these_states(
    admin: Asker, kind: str, body: dict[str, object], expected: list[str]
) -> None:
    assert await states(admin, kind, body) == expected


async def test_a_failed_query_says_why_and_when_with_status_200(admin: Asker) -> None:
    submitted = await admin.submit("sql", {"sql": "select 1 as one -- sandbox: fail disk full"})
    uuid = submitted.json()["results"]["queryUuid"]
    await admin.poll(uuid)
    answer = await admin.poll(uuid)
    assert (answer.status_code, answer.json()["status"]) == (200, "ok")
    results = answer.json()["results"]
    assert (results["status"], results["error"]) == ("error", "disk full")
    assert results["erroredAt"].startswith("2026-11-16T09:00:")
    assert (await admin.poll(uuid)).json()["results"] == results


async def test_an_explore_for_slow_queries_is_not_listed_but_can_be_asked_for(admin: Asker) -> None:
    listed = (await admin.client.get(f"/api/v1/projects/{MAIN}/explores")).json()["results"]
    assert [explore["name"] for explore in listed] == ["orders", "customers", "products", "payments", "visits"]
    found = await admin.client.get(f"/api/v1/projects/{MAIN}/explores/slow_orders")
    assert found.json()["results"]["baseTable"] == "orders"


async def test_a_cancelled_query_stays_cancelled_and_has_no_rows(admin: Asker) -> None:
    for body in ({"sql": "select pg_sleep(9), 1 as one"}, {"sql": "select 1 as one"}):
        uuid = (await admin.submit("sql", body)).json()["results"]["queryUuid"]
        await admin.poll(uuid)
        if "pg_sleep" not in body["sql"]:
            assert raw(await admin.finish(uuid)) == [{"one": 1}]
        assert (await admin.client.post(f"{QUERIES}/{uuid}/cancel")).json() == {"status": "ok"}
        after = (await admin.poll(uuid)).json()["results"]
        assert after == {"status": "cancelled", "queryUuid": uuid}
        total = await admin.client.get(f"{QUERIES}/{uuid}/results")
        assert total.content == b""


async def test_pages_walk_over_every_row_once(admin: Asker) -> None:
    submitted = await admin.submit("metric-query", {"query": query("visits", "visits_visit_id", limit=99_999)})
    uuid = submitted.json()["results"]["queryUuid"]
    await admin.poll(uuid)
    seen: list[int] = []
    page: int | None = 1
    while page:
        results = (await admin.poll(uuid, page=page, pageSize=2500)).json()["results"]
        assert (results["totalPageCount"], results["totalResults"]) == (3, 5840)
        assert results["pageSize"] == len(results["rows"])
        seen += [row["visits_visit_id"] for row in raw(results)]
        page = results.get("nextPage")
    assert len(seen) == 5840
    assert sorted(seen) == list(range(1, 5841))


async def test_a_page_holds_500_rows_unless_a_size_was_asked_for_first(admin: Asker) -> None:
    uuids = [
        (await admin.submit("sql", {"sql": "select visit_id from shop.visits"})).json()["results"]["queryUuid"]
        for _ in range(2)
    ]
    assert len((await admin.finish(uuids[0]))["rows"]) == 500
    await admin.finish(uuids[1], pageSize=7)
    assert len((await admin.finish(uuids[1], pageSize=9))["rows"]) == 9
    assert raw(await admin.finish(uuids[1], page=2)) == [{"visit_id": number} for number in range(8, 15)]


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"page": 2}, "invalid page 2, last page is 1"),
        ({"page": 0}, "page should be greater than 0"),
        ({"pageSize": 0}, "page size should be greater than 0"),
        ({"pageSize": 2501}, "page size is too large, max is 2500"),
    ],
)
async def test_pages_are_strict(admin: Asker, params: dict[str, int], message: str) -> None:
    uuid = (await admin.submit("metric-query", {"query": STATUS})).json()["results"]["queryUuid"]
    await admin.finish(uuid)
    answer = await admin.poll(uuid, **params)
    assert (answer.status_code, answer.json()["error"]["name"]) == (422, "PaginationError")
    assert answer.json()["error"]["message"] == message


async def test_a_query_is_its_owners_alone(sandbox: Sandbox, admin: Asker) -> None:
    uuid = (await admin.submit("metric-query", {"query": STATUS})).json()["results"]["queryUuid"]
    for person, cancelled in (("editor", 404), ("viewer", 404), ("other-org", 403)):
        other = asker(sandbox, person)
        answers = [
            await other.poll(uuid),
            await other.client.get(f"{QUERIES}/{uuid}/results"),
            await other.client.post(f"{QUERIES}/{uuid}/cancel"),
        ]
        assert [answer.status_code for answer in answers] == [404, 404, cancelled]
        await other.client.aclose()
    assert len((await admin.finish(uuid))["rows"]) == 5


@pytest.mark.parametrize(
    ("person", "metric", "sql", "chart", "values", "underlying"),
    [
        ("admin", 200, 200, 200, 200, 200),
        ("editor", 200, 403, 200, 200, 404),
        ("viewer", 403, 403, 200, 200, 403),
        ("other-org", 403, 403, 403, 403, 403),
    ],
)
async def test_each_role_may_ask_this_much(
    sandbox: Sandbox, admin: Asker, person: str, metric: int, sql: int, chart: int, values: int, underlying: int
) -> None:
    uuid = (await admin.submit("metric-query", {"query": STATUS})).json()["results"]["queryUuid"]
    asking = asker(sandbox, person)
    answers = [
        await asking.submit("metric-query", {"query": STATUS}),
        await asking.submit("sql", {"sql": "select 1 as one"}),
        await asking.submit("chart", {"chartUuid": "orders-by-status"}),
        await asking.submit("field-values", {"table": "orders", "fieldId": "orders_status", "search": ""}),
        await asking.submit("underlying-data", {"underlyingDataSourceQueryUuid": uuid, "filters": {}}),
    ]
    assert [answer.status_code for answer in answers] == [metric, sql, chart, values, underlying]
    await asking.client.aclose()


async def test_a_chart_in_a_private_space_runs_for_those_who_see_it(sandbox: Sandbox) -> None:
    for person, status in (("admin", 200), ("editor", 403), ("viewer", 403)):
        asking = asker(sandbox, person)
        assert (await asking.submit("chart", {"chartUuid": "refunds"})).status_code == status
        await asking.client.aclose()


async def test_asking_changes_no_state(sandbox: Sandbox, admin: Asker) -> None:
    before = {key: value for key, value in sandbox.dump().items() if not key.startswith("derived/")}
    await admin.ask("metric-query", {"query": STATUS})
    await admin.ask("sql", {"sql": "select 1 as one"})
    await admin.ask("chart", {"chartUuid": "orders-by-status"})
    await admin.client.post(f"/api/v1/projects/{MAIN}/refresh")
    after = sandbox.dump()
    assert {key: value for key, value in after.items() if not key.startswith("derived/")} == before
    assert len([key for key in after if key.startswith("derived/queries/") and key.endswith("/status")]) == 3


async def test_the_same_questions_after_a_reset_get_the_same_answers(sandbox: Sandbox, admin: Asker) -> None:
    async def everything() -> list[object]:
        return [
            await admin.ask("metric-query", {"query": query("orders", "orders_order_date_month orders_total_revenue")}),
            await admin.ask("sql", {"sql": "select * from shop.payments"}),
            await admin.ask("sql", {"sql": "select 1 as one -- sandbox: fail"}),
        ]

    first = await everything()
    sandbox.reset()
    assert await everything() == first


async def test_a_query_outlives_a_restart_with_a_data_file(tmp_path: Path) -> None:
    first = Sandbox(tmp_path / "shop.sqlite")
    admin = asker(first)
    uuid = (await admin.submit("metric-query", {"query": STATUS})).json()["results"]["queryUuid"]
    await admin.client.aclose()
    first.close()
    second = Sandbox(tmp_path / "shop.sqlite")
    again = asker(second)
    assert len((await again.finish(uuid))["rows"]) == 5
    await again.client.aclose()
    second.close()
