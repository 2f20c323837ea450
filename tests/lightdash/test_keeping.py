"""What a tool was not asked to change is as it was, in what the plan's `changes` cannot show."""

import json
from collections.abc import Iterator
from typing import Any, Final, cast

import httpx2
import pytest
from tests.lightdash import places
from tests.lightdash.analyst import Prompt, analyst, body_of
from tests.lightdash.calls import VALUES, arranged
from tests.lightdash.raw import Raw
from tests.lightdash.sessions import Watched, facts, serving
from tests.plans import arrange, good_cases, served

from aboveboard.audit.verify.plan import Case, ForeignRequest
from aboveboard.lightdash.sandbox import Sandbox

pytestmark = pytest.mark.anyio

NOVELTY: Final = {"invented": "next year"}
MADE_ELSEWHERE: Final = [
    case for case in good_cases("lightdash") if any(isinstance(step, ForeignRequest) for step in case.arrange)
]
"""The cases on what another program made, with every field set."""
REPLACING: Final = ("update_chart", "update_scheduler", "create_chart")
"""The tools, besides those for tiles, where Lightdash replaces the whole with what is sent: everything must be sent."""
UNSET: Final = {
    *("tiles/chart", "charts/dashboard", "schedulers/chart", "schedulers/dashboard"),  # one has it, and another not
    "groups/updated_by",
}
"""What the sandbox, or Lightdash for a thing like these, has no value for."""
LAST_YEAR, TOTAL, COUNT = "orders_total_revenue__pop__year_1__w6lwrj", "orders_total_revenue", "orders_order_count"
STATUS, MONTH = "orders_status", "orders_order_date_month"
RANGE: Final = ("amount_range", "amount range")  # Lightdash adds it by its name
COLUMNS: Final = "table_config/columnOrder"


async def test_what_another_program_made_has_every_field_set() -> None:
    unset: set[str] = set()
    async with served("lightdash") as lightdash:
        first = await lightdash.state()
        for case in {tuple(map(id, case.arrange)): case for case in MADE_ELSEWHERE}.values():
            made = {value for value in (await lightdash.arrange(case)).values() if isinstance(value, str)}
            for path, value in (await lightdash.state()).items():
                if path not in first and made & set(path.split("/")):
                    unset |= {f"{path.partition('/')[0]}/{field}" for field in empty(path.rpartition("/")[2], value)}
            await lightdash.reset()
    assert unset - UNSET == set(), "set it to something"


def empty(field: str, value: object) -> Iterator[str]:
    """Name a field that says nothing, or what in it says nothing."""
    if value in (None, "", [], {}):
        yield field
    elif isinstance(value, dict):
        for key, inner in cast("dict[str, object]", value).items():
            yield from empty(key, inner)


class Inventive(Watched):
    """A Lightdash that tells more of a thing than any that we know."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        answer = await super().handle_async_request(request)
        content = json.loads(await answer.aread())
        if request.method == "GET" and isinstance(content.get("results"), dict):
            content["results"]["novelty"] = NOVELTY
            for inner in (*content["results"].get("tiles", []), *content["results"].get("tabs", [])):
                inner["novelty"] = NOVELTY
            content["results"].get("tableConfig", {})["novelty"] = NOVELTY
        return httpx2.Response(answer.status_code, json=content)


@pytest.mark.parametrize(
    "case",
    [case for case in MADE_ELSEWHERE if case.tool in REPLACING or case.tool.endswith("_dashboard_tile")],
    ids=lambda case: f"{case.tool}-{case.name}",
)
async def test_where_lightdash_replaces_the_whole_what_we_do_not_understand_is_sent_back(
    sandbox: Sandbox, case: Case
) -> None:
    service = Inventive(httpx2.ASGITransport(sandbox.app))
    async with analyst(service) as session:
        await session.ask(case.tool, **await arrange(session, case, VALUES))
    sent = body_of(service.arrived[-1])
    assert sent["novelty"] == NOVELTY
    assert sent.get("tableConfig", {"novelty": NOVELTY})["novelty"] == NOVELTY
    assert all(tab["novelty"] == NOVELTY for tab in sent.get("tabs", []))
    assert all(tile["novelty"] == NOVELTY for tile in sent.get("tiles", []) if "uuid" in tile)


@pytest.mark.parametrize(
    ("name", "at", "value"),
    [
        ("order of an odd chart", "query/sorts", [{"fieldId": LAST_YEAR, "descending": True}]),
        ("direction of an odd chart", "query/sorts", [{"fieldId": "share", "descending": False}]),
        ("a metric of an odd chart", COLUMNS, ["share", LAST_YEAR, STATUS, COUNT, *RANGE]),
        ("metrics of an odd chart in another order", COLUMNS, ["share", TOTAL, STATUS, LAST_YEAR, *RANGE]),
        ("one more metric of an odd chart", COLUMNS, ["share", LAST_YEAR, STATUS, TOTAL, *RANGE, COUNT]),
        ("a dimension of an odd chart", COLUMNS, ["share", LAST_YEAR, MONTH, TOTAL, *RANGE]),
    ],
)
async def test_in_a_list_that_the_state_tells_as_one_fact_only_what_was_asked_for_is_another(
    sandbox: Sandbox, name: str, at: str, value: list[Any]
) -> None:
    async with analyst(sandbox) as session:
        asked = await arranged(session, "update_chart", name)
        await session.ask("update_chart", **asked)
    saved: Any = {key.rpartition("/")[2]: one for key, one in facts(sandbox).items() if asked["chart"] in key}
    column, _, field = at.partition("/")
    assert saved[column][field] == value
    assert {key: saved["query"][key] for key in asked.keys() & saved["query"].keys()}.items() <= asked.items()


@pytest.mark.parametrize(
    ("kind", "left_out", "column"),
    [
        ("chart", "pivotConfig", "pivot_config"),
        ("chart", "parameters", "parameters"),
        ("dashboard", "config", "config"),
        ("dashboard", "parameters", "parameters"),
        ("dashboard", "tabs", "tabs"),
    ],
)
async def test_a_rollback_brings_back_what_our_models_do_not_show(
    sandbox: Sandbox, kind: str, left_out: str, column: str
) -> None:
    raw, case = Raw(serving(sandbox)), {"chart": "rename_chart", "dashboard": "update_dashboard"}[kind]
    async with analyst(sandbox) as session:
        thing = (await arranged(session, case))[kind]
        at = {"chart": f"/api/v1/saved/{thing}", "dashboard": f"/api/v1/dashboards/{thing}"}[kind]
        whole, before = await raw.ask("GET", at), standing(sandbox)
        less = {key: value for key, value in whole.items() if key not in (left_out, "name", "description")}
        if left_out == "tabs":
            less["tabs"] = [{**tab, "hidden": False} for tab in whole["tabs"]]
        await raw.ask(*(("POST", f"{at}/version") if kind == "chart" else ("PATCH", at)), less)
        lost = {path for path, value in standing(sandbox).items() if before[path] != value}
        assert lost == {f"{kind}s/{thing}/{column}"}
        history = (await session.ask(f"get_{kind}_history", **{kind: thing}))["items"]
        for _ in range(2):
            await session.ask(f"rollback_{kind}", **{kind: thing}, version_uuid=history[-1]["version_uuid"])
        after = (await session.ask(f"get_{kind}_history", **{kind: thing}))["total"]
    assert standing(sandbox) == before
    assert after == len(history) + 1, "a repeat adds no version"


def standing(sandbox: Sandbox) -> dict[str, object]:
    """Return what is saved, as it stands, without its versions."""
    tables = ("charts/", "dashboards/", "tiles/")
    return {path: value for path, value in facts(sandbox).items() if path.startswith(tables)}


async def test_what_is_not_given_is_sent_as_nothing_and_not_as_null(sandbox: Sandbox) -> None:
    service = Prompt(sandbox)
    async with analyst(service) as session:
        made = await session.ask("create_dashboard", name="No words", space_uuid=places.SALES)
        await session.ask("update_dashboard", dashboard=made["uuid"], name="Still none")
        await session.ask("add_dashboard_tile", dashboard=made["uuid"], markdown="Hello")
    sent = [body_of(one) for one in service.arrived if one.method in ("POST", "PATCH")]
    assert [key for body in sent for key, value in body.items() if value is None] == []


async def test_a_chart_is_changed_in_part_though_its_explore_is_broken(sandbox: Sandbox) -> None:
    service = Prompt(sandbox)
    async with analyst(service) as session:
        await session.ask("update_chart", **await arranged(session, "update_chart", "limit of an odd chart"))
    assert [line for line in service.lines if "explores" in line] == []
