"""What is told of an explore: a date once, with the ways to cut it, and all that queries take."""

import json
from typing import Any

import httpx2
import pytest
from tests.lightdash import places
from tests.lightdash.raw import Raw
from tests.lightdash.scripted import Clock
from tests.lightdash.sessions import connected, ok, serving, text_of

from aboveboard.lightdash.client.explores import explores
from aboveboard.lightdash.sandbox import Sandbox

pytestmark = pytest.mark.anyio


def ids(dimensions: list[dict[str, Any]]) -> list[str]:
    """Spell the ids of dimensions as the description of get_explore says."""
    return [
        name
        for one in dimensions
        for name in (one["id"], *(f"{one['id']}_{cut}" for cut in one.get("granularities") or ()))
    ]


def queryable(explore: dict[str, Any]) -> list[str]:
    """Tell what Lightdash itself says can be queried."""
    tables = explore["tables"].values()
    fields = [field for table in tables for field in table["dimensions"].values() if not field["hidden"]]
    return [f"{field['table']}_{field['name']}" for field in fields]


async def test_every_dimension_is_told_once_and_every_date_in_one_entry_with_its_granularities(
    sandbox: Sandbox,
) -> None:
    service = serving(sandbox)
    async with connected(service) as session:
        for name in ("orders", "customers", "products"):
            raw = await Raw(service).ask("GET", f"/api/v1/projects/{places.MAIN}/explores/{name}")
            told = await session.ask("get_explore", explore=name, project_uuid=places.MAIN)
            listed = await session.ask("list_dimensions", explore=name, project_uuid=places.MAIN, limit=200)
            assert sorted(ids(told["dimensions"])) == sorted(queryable(raw))
            assert listed["items"] == told["dimensions"]
            assert [one["id"] for one in told["dimensions"] if one["id"].endswith("_month")] == []


async def test_an_explore_is_asked_for_once_and_again_after_a_while(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, service = Clock(), serving(sandbox)
    monkeypatch.setattr(explores, "time", clock)
    asked: list[int] = []
    async with connected(service) as session:
        for seconds in (0.0, explores.FRESH - 1, 2.0):
            clock.now += seconds
            await session.ask("get_explore", explore="orders", project_uuid=places.MAIN)
            asked.append(service.lines.count(f"GET /api/v1/projects/{places.MAIN}/explores/orders"))
    assert asked == [1, 1, 2]


async def test_a_granularity_can_be_asked_for_by_the_id_that_it_makes(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        told = await session.ask("get_explore", explore="orders", project_uuid=places.MAIN)
        (date,) = (one for one in told["dimensions"] if one["id"] == "orders_order_date")
        for cut in date["granularities"]:
            wanted = f"orders_order_date_{cut}"
            answer = await session.ask(
                "run_metric_query", explore="orders", dimensions=[wanted], limit=1, project_uuid=places.MAIN
            )
            assert [column["id"] for column in answer["columns"]] == [wanted]


async def test_a_search_for_a_granularity_finds_the_dates_that_have_it(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        for text in ("orders_order_date_hour", "Order date HOUR"):
            found = await session.ask("list_dimensions", explore="orders", search=text, project_uuid=places.MAIN)
            assert [one["id"] for one in found["items"]] == ["orders_order_date"]


async def test_a_search_over_all_explores_finds_a_date_once_by_the_id_of_any_of_its_granularities(
    sandbox: Sandbox,
) -> None:
    async with connected(serving(sandbox)) as session:
        told = await session.ask("get_explore", explore="orders", project_uuid=places.MAIN)
        (date,) = (one for one in told["dimensions"] if one["id"] == "orders_order_date")
        every = (await session.ask("search_fields", pattern="", project_uuid=places.MAIN, limit=200))["items"]
        for name in ids([date]):
            found = await session.ask("search_fields", pattern=f"^{name}$", project_uuid=places.MAIN)
            assert [(one["id"], one["granularities"]) for one in found["items"]] == [
                ("orders_order_date", date["granularities"])
            ]
    own = [one for one in told["dimensions"] + told["metrics"] if one["table"] == "orders"]
    found = [one for one in every if one["explore"] == "orders"]
    assert {one["id"]: one.get("granularities") for one in found} == {
        one["id"]: one.get("granularities") for one in own
    }


async def test_a_field_that_only_looks_like_the_cut_of_a_date_is_found_as_itself() -> None:
    def field(name: str, label: str, kind: str = "date", said: str = "", of: str = "dimension") -> dict[str, Any]:
        return {"name": name, "label": label, "tableName": "t", "fieldType": of, "fieldValueType": kind} | {
            "description": said
        }

    fields = [
        *(field("due", "Due"), field("due_month", "Due month"), field("due_month_year", "Due month year")),
        *(field("due_week", "Due week", said="Of the tax office"), field("due_day", "Pay day")),
        *(field("due_year", "Due year", "count", of="metric"), field("name", "Name", "string")),
        field("name_raw", "Name raw", "string"),
    ]
    async with connected(lambda request: ok(fields if request.url.params["type"] == "field" else [])) as session:
        found = (await session.ask("search_fields", pattern=".", project_uuid=places.MAIN))["items"]
    cuts = {one["id"]: one.get("granularities") for one in found}
    others = ("t_due_month_year", "t_due_week", "t_due_day", "t_due_year", "t_name", "t_name_raw")
    assert cuts == {"t_due": ["month"], **dict.fromkeys(others)}


async def test_the_orders_explore_is_told_in_little_more_than_half_of_what_one_entry_for_each_cut_would_take(
    sandbox: Sandbox,
) -> None:
    async with connected(serving(sandbox)) as session:
        told = await session.ask("get_explore", explore="orders", project_uuid=places.MAIN)
    apart = [
        {key: value for key, value in one.items() if key != "granularities"} | {"id": name}
        for one in told["dimensions"]
        for name in ids([one])
    ]
    assert len(json.dumps(told)) < 0.55 * len(json.dumps(told | {"dimensions": apart}))


async def test_what_is_cut_from_a_hidden_date_or_named_in_another_way_has_an_entry_of_its_own() -> None:
    def date(name: str, *, of: str | None = None, hidden: bool = False) -> dict[str, Any]:
        field = {"name": name, "label": name, "type": "date", "table": "t", "hidden": hidden}
        return field | ({"timeInterval": "MONTH", "timeIntervalBaseDimensionName": of} if of else {})

    fields = [
        *(date("seen"), date("seen_month", of="seen"), date("by_month", of="seen")),
        *(date("unseen", hidden=True), date("unseen_month", of="unseen")),
    ]
    table = {"dimensions": {field["name"]: field for field in fields}, "metrics": {}}
    explore = {"name": "t", "label": "T", "baseTable": "t", "tables": {"t": table}}
    async with connected(lambda _: ok(explore)) as session:
        told = await session.ask("get_explore", explore="t", project_uuid=places.MAIN)
    cuts = {one["id"]: one.get("granularities") for one in told["dimensions"]}
    assert cuts == {"t_seen": ["month"], "t_by_month": None, "t_unseen_month": None}


async def test_explores_of_two_projects_that_are_called_alike_are_not_taken_for_each_other() -> None:
    def explore(request: httpx2.Request) -> httpx2.Response:
        name = "main" if places.MAIN in request.url.path else "preview"
        field = {"name": name, "label": name, "type": "string", "table": "t"}
        table = {"dimensions": {name: field}, "metrics": {}}
        return ok({"name": "t", "label": "T", "baseTable": "t", "tables": {"t": table}})

    async with connected(explore) as session:
        for _ in range(2):  # the second time they are remembered
            for project, only in ((places.MAIN, "t_main"), (places.PREVIEW, "t_preview")):
                told = await session.ask("get_explore", explore="t", project_uuid=project)
                assert [one["id"] for one in told["dimensions"]] == [only]


@pytest.mark.parametrize("tool", ["get_explore", "list_dimensions", "run_metric_query", "compile_query"])
async def test_an_explore_that_is_not_there_is_told_with_the_nearest_that_is(sandbox: Sandbox, tool: str) -> None:
    async with connected(serving(sandbox)) as session:
        more = {"metrics": ["orders_count"]} if "query" in tool else {}
        near = await session.call(tool, explore="order", project_uuid=places.MAIN, **more)
        far = await session.call(tool, explore="zzz", project_uuid=places.MAIN, **more)
    assert text_of(near) == "The project has no explore 'order': did you mean 'orders'?"
    assert text_of(far) == "The project has no explore 'zzz'; it has orders, customers, products, payments, visits."


async def test_where_explores_cannot_be_listed_the_first_answer_stands(sandbox: Sandbox) -> None:
    service = serving(sandbox)
    async with connected(service) as session:
        refused = await session.call(
            "get_explore", explore="orders", project_uuid="1a000000-0000-4000-8000-0000000000ff"
        )
    assert "Lightdash answered" in text_of(refused)
