"""What our user gets where a real Lightdash surprises with content as code: documents that it takes without a look."""

from typing import Any, Final

import httpx2
import pytest
from tests.lightdash import places
from tests.lightdash.analyst import analyst
from tests.lightdash.calls import arranged, made_up_call
from tests.lightdash.sessions import TOOLS, Session, connected, facts, ok, serving

from aboveboard.kit.policy import Policy
from aboveboard.lightdash.sandbox import Sandbox

pytestmark = pytest.mark.anyio


async def document(session: Session, kind: str = "chart", slug: str = "revenue-by-month") -> dict[str, Any]:
    return (await session.ask(f"list_{kind}s_as_code", slugs=[slug]))["items"][0]


@pytest.mark.surprise(11)
@pytest.mark.parametrize(
    ("tool", "given", "lacking"),
    [
        ("upsert_chart_as_code", {"chart": {"name": "A"}}, "spaceSlug, tableName, metricQuery, chartConfig"),
        ("upsert_dashboard_as_code", {"dashboard": {"name": "A", "tiles": {}}}, "spaceSlug, tiles, tabs"),
    ],
)
async def test_what_a_document_lacks_is_said_in_words_and_not_as_a_blob_of_issues(
    sandbox: Sandbox, tool: str, given: dict[str, Any], lacking: str
) -> None:
    service = serving(sandbox)
    async with analyst(service) as session:
        text = await session.refusal(tool, slug="a", **given)
    assert text.startswith(f"The document lacks {lacking}, or has it in another form.")
    assert service.arrived == []


@pytest.mark.surprise(34)
async def test_a_space_is_private_unless_asked_otherwise_and_none_is_made_on_the_quiet(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        private = await session.ask("create_space", name="Mine")
        shared = await session.ask("create_space", name="Ours", inherit_permissions=True)
        before = facts(sandbox)
        chart = await document(session)
        board = await document(session, "dashboard", "shop-overview")
        for tool, one in (("chart", chart), ("dashboard", board)):
            new = {**one, "spaceSlug": "nowhere", "slug": "new"}
            text = await session.refusal(f"upsert_{tool}_as_code", slug="new", **{tool: new})
            assert "Space nowhere does not exist" in text
    assert (private["inherit_parent_permissions"], shared["inherit_parent_permissions"]) == (False, True)
    assert facts(sandbox) == before


@pytest.mark.surprise(37)
@pytest.mark.parametrize(("kind", "slug"), [("chart", "revenue-by-month"), ("dashboard", "shop-overview")])
async def test_a_document_that_changes_nothing_is_not_written_again(sandbox: Sandbox, kind: str, slug: str) -> None:
    async with analyst(sandbox) as session:
        now = await document(session, kind, slug)
        before = facts(sandbox)
        same = await session.ask(f"upsert_{kind}_as_code", slug=slug, **{kind: now})
        assert (same["action"], facts(sandbox)) == ("no changes", before)
        new = await session.ask(f"upsert_{kind}_as_code", slug=slug, **{kind: {**now, "name": "New"}})
    assert new["action"] == "update"


async def test_a_changed_document_is_written_though_lightdash_overlooks_one_that_is_not_newer(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        now = await document(session)
        changed = {**now, "metricQuery": {**now["metricQuery"], "limit": 7}}
        done = await session.ask("upsert_chart_as_code", slug=now["slug"], chart=changed)
        found = await session.ask("get_chart", chart=now["slug"])
    assert (done["action"], found["metric_query"]["limit"]) == ("update", 7)


async def test_what_a_chart_as_code_leaves_out_stays_and_the_tool_says_so(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        made = await arranged(session, "rename_chart")
        slug = (await session.ask("get_chart", chart=made["chart"]))["slug"]
        now = await document(session, slug=slug)
        less = {key: value for key, value in now.items() if key not in ("pivotConfig", "parameters", "description")}
        assert (await session.ask("upsert_chart_as_code", slug=slug, chart=less))["action"] == "no changes"
        changed = {**less, "metricQuery": {**now["metricQuery"], "limit": 7}}
        await session.ask("upsert_chart_as_code", slug=slug, chart=changed)
        then = await document(session, slug=slug)
    assert {key: then[key] for key in ("pivotConfig", "parameters", "description")} == {
        key: now[key] for key in ("pivotConfig", "parameters", "description")
    }
    assert "what the document leaves out stays" in TOOLS["upsert_chart_as_code"].description


@pytest.mark.surprise(44)
@pytest.mark.parametrize("kind", ["chart", "dashboard"])
async def test_a_document_is_written_under_its_own_slug_or_not_at_all(sandbox: Sandbox, kind: str) -> None:
    service = serving(sandbox)
    async with connected(service) as session:
        given = {kind: {**made_up_call(f"upsert_{kind}_as_code")[kind], "slug": "b"}}
        text = await session.refusal(f"upsert_{kind}_as_code", slug="a", project_uuid=places.MAIN, **given)
    assert text == "The document's slug is 'b', not 'a'."
    assert service.arrived == []


@pytest.mark.surprise(45)
async def test_a_document_that_speaks_of_what_is_not_there_is_refused_though_lightdash_takes_it(
    sandbox: Sandbox,
) -> None:
    async with analyst(sandbox) as session:
        chart: dict[str, Any] = {**(await document(session)), "slug": "new"}
        board: dict[str, Any] = {**(await document(session, "dashboard", "shop-overview")), "slug": "new"}
        tile = next(one for one in board["tiles"] if one["type"] == "saved_chart")
        query = {**chart["metricQuery"], "metrics": ["orders_total_revenu"]}
        lost = {**tile, "properties": {**tile["properties"], "chartSlug": "nope"}}
        before = facts(sandbox)
        said = [
            await session.refusal("upsert_chart_as_code", slug="new", chart={**chart, "tableName": "nope"}),
            await session.refusal("upsert_chart_as_code", slug="new", chart={**chart, "metricQuery": query}),
            await session.refusal("upsert_chart_as_code", slug="new", chart={**chart, "chartConfig": {"type": "x"}}),
            await session.refusal("upsert_dashboard_as_code", slug="new", dashboard={**board, "tiles": [lost]}),
            await session.refusal("upsert_dashboard_as_code", slug="new", dashboard={**board, "tabs": []}),
            await session.refusal(
                "upsert_dashboard_as_code", slug="new", dashboard={**board, "tiles": [{**tile, "type": "x"}]}
            ),
        ]
    assert said[0].startswith("The project has no explore 'nope'; it has orders,")
    assert "did you mean 'orders_total_revenue'" in said[1]
    assert said[2].endswith("So it does for a kind of chart or tile that it does not know, without saying so.")
    assert said[3] == "The project has no chart with the slug nope, for a tile to show."
    assert "The document has no tab 'today'" in said[4]
    assert said[5] == said[2]
    assert facts(sandbox) == before


@pytest.mark.surprise(45)
@pytest.mark.parametrize("odd", ["orders_status", {"orders_status": 1}, [["orders_status"]], [{}], [None], 7])
async def test_fields_that_are_no_list_of_names_are_refused_and_no_defect(sandbox: Sandbox, odd: object) -> None:
    async with analyst(sandbox) as session:
        chart = await document(session)
        for key in ("dimensions", "metrics"):
            wrong = {**chart, "metricQuery": {**chart["metricQuery"], key: odd}}
            text = await session.refusal("upsert_chart_as_code", slug=chart["slug"], chart=wrong)
            assert text.startswith(f"metricQuery.{key} must be a list of field ids.")


@pytest.mark.surprise(45)
async def test_fields_that_a_document_brings_along_need_not_be_in_the_explore(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        chart: dict[str, Any] = {**(await document(session)), "slug": "new"}
        extra = {"table": "orders", "name": "own", "label": "Own", "type": "count", "sql": "1"}
        custom = {"id": "bins", "name": "Bins", "table": "orders", "type": "bin", "dimensionId": "orders_amount"}
        custom |= {"binType": "fixed_number", "binNumber": 5}
        query = {**chart["metricQuery"], "dimensions": ["bins"], "metrics": ["orders_own"]}
        query |= {"additionalMetrics": [extra], "customDimensions": [custom]}
        wrote = await session.ask("upsert_chart_as_code", slug="new", chart={**chart, "metricQuery": query})
    assert wrote["action"] == "create"


@pytest.mark.surprise(47)
@pytest.mark.parametrize("kind", ["chart", "dashboard"])
async def test_asking_for_some_slugs_page_by_page_gives_each_and_calls_none_missing(
    sandbox: Sandbox, kind: str
) -> None:
    async with analyst(sandbox) as session:
        every = [one["slug"] for one in (await session.ask(f"list_{kind}s_as_code"))["items"]][:3]
        found: list[str] = []
        for page in (1, 2, 3):
            answer = await session.ask(f"list_{kind}s_as_code", slugs=[*every, every[0]], limit=1, page=page)
            found += [one["slug"] for one in answer["items"]]
            assert (answer["total"], answer.get("next_page")) == (3, page + 1 if page < 3 else None)
        past = await session.ask(f"list_{kind}s_as_code", slugs=every, limit=1, page=9)
        text = await session.refusal(f"list_{kind}s_as_code", slugs=[every[0], "nope"])
    assert sorted(found) == sorted(every)
    assert past == {"items": [], "total": 3}
    assert text.startswith("There is nothing with the slug nope.")


@pytest.mark.surprise(47)
@pytest.mark.parametrize("kind", ["charts", "dashboards"])
async def test_no_document_is_left_out_where_lightdash_gives_fewer_at_a_time_than_are_asked_for(kind: str) -> None:
    slugs = [f"number-{number}" for number in range(120)]

    def lightdash(request: httpx2.Request) -> httpx2.Response:
        asked, start = request.url.params.get_list("ids"), int(request.url.params.get("offset", 0))
        found = [slug for slug in slugs if not asked or slug in asked]
        page = [{"slug": slug} for slug in found[start : start + 100]]
        missing = [slug for slug in asked if slug not in found[start : start + 100]]
        return ok({kind: page, "missingIds": missing, "total": len(found), "offset": start + len(page)})

    async with analyst(lightdash) as session:
        for asked in ([], slugs):
            whole = await session.ask(f"list_{kind}_as_code", slugs=asked, limit=200)
            assert [one["slug"] for one in whole["items"]] == slugs
            assert (whole["total"], whole.get("next_page")) == (120, None)
        last = await session.ask(f"list_{kind}_as_code", limit=110, page=2)
    assert [one["slug"] for one in last["items"]] == slugs[110:]


HIDDEN: Final = "(select string_agg(email, ',') from customers)"
SQL_PARTS: Final = {
    "tableCalculations": {"name": "n", "displayName": "n", "sql": HIDDEN},
    "additionalMetrics": {"name": "n", "table": "orders", "type": "max", "sql": HIDDEN},
    "customDimensions": {
        "id": "n",
        "name": "n",
        "table": "orders",
        "type": "sql",
        "dimensionType": "string",
        "sql": HIDDEN,
    },
}


@pytest.mark.parametrize("part", SQL_PARTS)
async def test_where_sql_is_off_a_document_is_no_way_to_sql_of_ones_own(sandbox: Sandbox, part: str) -> None:
    service = serving(sandbox)
    async with analyst(service, policy=Policy(exclude=["sql"])) as session:
        chart = await document(session)
        query = {**chart["metricQuery"], part: [SQL_PARTS[part]]}
        text = await session.refusal("upsert_chart_as_code", slug=chart["slug"], chart={**chart, "metricQuery": query})
    assert text.startswith("The ")
    assert "SQL is switched off here" in text
    assert not any(request.method == "POST" for request in service.arrived)


@pytest.mark.parametrize("part", SQL_PARTS)
async def test_sql_that_a_chart_has_in_it_already_may_stay_where_sql_is_off(sandbox: Sandbox, part: str) -> None:
    async with analyst(sandbox) as session:
        chart = await document(session)
        chart["metricQuery"][part] = [SQL_PARTS[part]]
        await session.ask("upsert_chart_as_code", slug=chart["slug"], chart=chart)
    async with analyst(sandbox, policy=Policy(exclude=["sql"])) as session:
        done = await session.ask("upsert_chart_as_code", slug=chart["slug"], chart={**chart, "name": "Another"})
    assert done["action"] == "update"


@pytest.mark.parametrize("part", SQL_PARTS)
async def test_sql_that_may_write_is_not_saved_in_a_document(sandbox: Sandbox, part: str) -> None:
    async with analyst(sandbox) as session:
        chart = await document(session)
        chart["metricQuery"][part] = [{**SQL_PARTS[part], "sql": "setval('s', 1)"}]
        text = await session.refusal("upsert_chart_as_code", slug=chart["slug"], chart=chart)
    assert "setval() writes" in text


@pytest.mark.parametrize(
    ("thing", "kind", "slug"), [("chart", "charts", "orders-by-status"), ("dashboard", "dashboards", "shop-overview")]
)
async def test_what_a_document_replaced_comes_back_by_the_version_that_the_answer_names(
    sandbox: Sandbox, thing: str, kind: str, slug: str
) -> None:
    async with analyst(sandbox) as session:
        old = (await session.ask(f"list_{kind}_as_code", slugs=[slug]))["items"][0]
        before = await session.ask(f"get_{thing}", **{thing: slug})
        parts: dict[str, Any] = (
            {"tiles": []} if thing == "dashboard" else {"metricQuery": {**old["metricQuery"], "limit": 3}}
        )
        done = await session.ask(f"upsert_{thing}_as_code", slug=slug, **{thing: {**old, **parts}})
        changed = await session.ask(f"get_{thing}", **{thing: slug})
        await session.ask(f"rollback_{thing}", **{thing: slug}, version_uuid=done["kept_version"])
        again = await session.ask(f"get_{thing}", **{thing: slug})
    part = "tiles" if thing == "dashboard" else "metric_query"
    assert changed[part] != before[part] == again[part]
