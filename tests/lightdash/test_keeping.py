"""What a tool was not asked to change is as it was, also what our client does not know."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

import httpx2
import pytest
from tests.lightdash import places, unusual
from tests.lightdash.analyst import Prompt, analyst, body_of
from tests.lightdash.sessions import TOOLS, Watched, connected, serving
from tests.lightdash.unusual import CUSTOM_DIMENSION, CUSTOM_METRIC, Maker, Raw, Thing
from tests.plans import good_cases, served

from aboveboard.lightdash.sandbox import Sandbox

pytestmark = pytest.mark.anyio

NOVELTY: Final = {"invented": "next year"}
# What moves by itself when something is written or read.
MOVING: Final = {
    *("updatedAt", "updatedByUser", "versionUuid", "dashboardVersionId", "views", "firstViewedAt"),
    *("lastUpdatedAt", "lastUpdatedBy", "lastViewedAt", "updatedByUserUuid"),
}
# What the sandbox, or Lightdash for a thing like these, has no value for.
UNSET: Final = {
    *("merge", "verification", "pinnedListUuid", "pinnedListOrder", "colorPaletteUuid", "access", "childSpaces"),
    *("dashboardUuid", "dashboardName", "dashboardSlug", "dashboard", "projectMemberAccessRole", "appUuid", "appName"),
    *("savedSqlUuid", "savedSqlName", "savedChartUuid", "savedChartName", "yamlReference", "defaultAiAgentModelConfig"),
    *("defaultAiAgentModelOptions", "breadcrumbs", "groupsAccess"),
}


@dataclass(frozen=True)
class Case:
    """A call, and all that it may change in what Lightdash tells of the thing."""

    tool: str
    make: Maker
    which: str
    """The parameter that takes the thing's id."""
    arguments: Mapping[str, Any]
    changed: frozenset[str]
    whole: bool = False
    """Whether Lightdash replaces the whole with what is sent, so that everything must be sent."""

    @property
    def name(self) -> str:
        return f"{self.tool}-{'-'.join(self.arguments)}"

    def call(self, thing: Thing) -> dict[str, Any]:
        """Return the arguments of the call."""
        named = {self.which: thing.id} if self.which else {}
        project = {"project_uuid": places.MAIN} if "project_uuid" in TOOLS[self.tool].load().fields else {}
        return {**project, **thing.inside, **named, **self.arguments}


def redrawn(changed: str, **arguments: Any) -> Case:
    return Case("update_chart", unusual.chart, "chart", arguments, frozenset(changed.split()), whole=True)


def retiled(tool: str, changed: str, **arguments: Any) -> Case:
    return Case(tool, unusual.dashboard, "dashboard", arguments, frozenset(changed.split()), whole=True)


def rescheduled(changed: str, make: Maker = unusual.alert, **arguments: Any) -> Case:
    return Case("update_scheduler", make, "scheduler_uuid", arguments, frozenset(changed.split()), whole=True)


def changing(tool: str, make: Maker, which: str, changed: str, **arguments: Any) -> Case:
    return Case(tool, make, which, arguments, frozenset(changed.split()))


TOP, NOTE, HEADING = unusual.TILES[:3]
OTHER_METRIC: Final = "orders_order_count"
CASES: Final = (
    redrawn("metricQuery.limit", limit=7),
    redrawn("metricQuery.sorts.0.fieldId metricQuery.sorts.0.nullsFirst", sort=["-" + CUSTOM_METRIC]),
    redrawn("metricQuery.sorts.0.descending metricQuery.sorts.0.nullsFirst", sort=["share"]),
    redrawn("metricQuery.filters.dimensions", filters=[]),
    redrawn("metricQuery.metrics.1 tableConfig.columnOrder.3", metrics=[CUSTOM_METRIC, OTHER_METRIC]),
    redrawn(  # which Lightdash would turn round again by the order of the columns
        "metricQuery.metrics.0 metricQuery.metrics.1 tableConfig.columnOrder.1 tableConfig.columnOrder.3",
        metrics=["orders_total_revenue", CUSTOM_METRIC],
    ),
    redrawn("metricQuery.metrics.2 tableConfig.columnOrder.6", metrics=[*unusual.QUERY["metrics"], OTHER_METRIC]),
    redrawn(
        "metricQuery.dimensions.0 tableConfig.columnOrder.2", dimensions=["orders_order_date_month", CUSTOM_DIMENSION]
    ),
    redrawn(
        "chartConfig.config.showColumnCalculation chartConfig.config.columns",
        chart_config={"type": "table", "config": {}},
    ),
    changing("rename_chart", unusual.chart, "chart", "name", name="Other"),
    changing("rename_chart", unusual.chart, "chart", "description", description="Other"),
    changing("update_dashboard", unusual.dashboard, "dashboard", "name", name="Other"),
    changing("update_dashboard", unusual.dashboard, "dashboard", "description", description="Other"),
    retiled("add_dashboard_tile", "tiles.4", markdown="More", tab_uuid=unusual.OPEN_TAB),
    retiled("add_dashboard_tile", "tiles.4", chart=places.SQL_CHART_SLUG, tab_uuid=unusual.OPEN_TAB),
    retiled(
        *("create_chart", "tiles.4"),
        name="One more",
        space_uuid=places.SALES,
        explore="orders",
        metrics=[OTHER_METRIC],
    ),
    retiled("update_dashboard_tile", "tiles.0.properties.title", tile_uuid=TOP, title="Other"),
    retiled("update_dashboard_tile", "tiles.1.properties.content", tile_uuid=NOTE, markdown="Other"),
    retiled("update_dashboard_tile", "tiles.2.properties.text", tile_uuid=HEADING, title="Other"),
    retiled(
        "update_dashboard_tile",
        " ".join(
            f"tiles.0.properties.{name}"
            for name in ("savedChartUuid", "chartName", "chartSlug", "lastVersionChartKind")
        ),
        tile_uuid=TOP,
        chart="orders-by-status",
    ),
    retiled("remove_dashboard_tile", "tiles.3", tile_uuid=unusual.TILES[3]),
    rescheduled("name", name="Other"),
    rescheduled("cron timezone", make=unusual.delivery, cron="0 8 * * 2", timezone="Asia/Tokyo"),
    rescheduled("targets.3", make=unusual.delivery, emails=["ada@corner-shop.example", "bo@b.example"]),
    rescheduled("format options.formatted options.limit options.asAttachment", format="xlsx"),
    changing("set_scheduler_enabled", unusual.alert, "scheduler_uuid", "enabled", enabled=False),
    changing("update_sql_chart", unusual.sql_chart, "sql_chart", "name", name="Other"),
    changing("update_sql_chart", unusual.sql_chart, "sql_chart", "description", description="Other"),
    changing("update_sql_chart", unusual.sql_chart, "sql_chart", "limit", limit=7),
    changing("update_sql_chart", unusual.sql_chart, "sql_chart", "sql", sql="select 2 as a"),
    changing("update_space", unusual.space, "space_uuid", "name breadcrumbs.1.name queries.0.spaceName", name="Other"),
    changing(
        "update_space",
        unusual.space,
        "space_uuid",
        "inheritParentPermissions inheritsFromOrgOrProject",
        inherit_permissions=True,
    ),
    changing(
        "grant_user_space_access", unusual.shares, "space_uuid", "data.1.role", user_uuid=unusual.EDITOR, role="admin"
    ),
    changing(
        "grant_group_space_access",
        unusual.space,
        "space_uuid",
        "groupsAccess.0.spaceRole access.0.inheritedFrom",  # the caller is in that group
        group_uuid="0c000000-0000-4000-8000-000000000001",
        role="admin",
    ),
    changing("update_group", unusual.group, "group_uuid", "name", name="Other"),
    changing("add_user_to_group", unusual.group, "group_uuid", "members.2 memberUuids.2", user_uuid=unusual.DEVELOPER),
    changing(
        "remove_user_from_group", unusual.group, "group_uuid", "members.1 memberUuids.1", user_uuid=unusual.VIEWER
    ),
    changing("assign_role", unusual.assignments, "", "1.roleId 1.roleName", user_uuid=unusual.VIEWER, role="viewer"),
    changing("update_tag", unusual.tag, "tag_uuid", "0.name", name="Other"),
    changing("update_tag", unusual.tag, "tag_uuid", "0.color", color="red"),
    changing("update_project_agent", unusual.agent, "agent_uuid", "name", name="Other"),
    changing("update_project_agent", unusual.agent, "agent_uuid", "instruction", instruction="Other"),
    changing("update_agent_evaluation", unusual.evaluation, "eval_uuid", "title", title="Other"),
    changing(
        "append_agent_evaluation_prompts", unusual.evaluation, "eval_uuid", "prompts.2", prompts=[{"prompt": "More?"}]
    ),
    changing("update_ai_organization_settings", unusual.settings, "", "aiAgentsVisible", ai_agents_visible=False),
)
MARK: Final = "It sets a mark beside the thing, of which nothing is sent."
LEFT_OUT: Final[Mapping[str, str]] = {
    "rollback_chart": "It sends nothing; a test below shows what comes back.",
    "rollback_dashboard": "It sends nothing; a test below shows what comes back.",
    "refresh_project": "It starts a job.",
    "cancel_query": "It ends a job.",
    "create_group": "It makes a thing.",
    "move_content": "It sends the ids of a thing and of a space, and nothing else of either.",
    "restore_content": "It sends the id of a thing.",
    "resolve_comment": "Nothing of a comment but this mark can be changed.",
    **dict.fromkeys(("verify_content", "pin_content", "favorite_content"), MARK),
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
async def test_a_tool_changes_what_it_was_asked_to_and_nothing_else(sandbox: Sandbox, case: Case) -> None:
    raw = Raw(serving(sandbox))
    thing = await case.make(raw)
    before = await raw.ask("GET", thing.path)
    assert {key for key in unset(before) if key.rpartition(".")[2] not in UNSET | MOVING} == set(), (
        "set it to something"
    )
    async with connected(serving(sandbox)) as session:
        await session.ask(case.tool, **case.call(thing))
    assert set(differing(before, await raw.ask("GET", thing.path))) == case.changed


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


@pytest.mark.parametrize("case", [case for case in CASES if case.whole], ids=lambda case: case.name)
async def test_where_lightdash_replaces_the_whole_what_we_do_not_understand_is_sent_back(
    sandbox: Sandbox, case: Case
) -> None:
    thing = await case.make(Raw(serving(sandbox)))
    service = Inventive(httpx2.ASGITransport(sandbox.app))
    async with connected(service) as session:
        await session.ask(case.tool, **case.call(thing))
    sent = body_of(service.arrived[-1])
    assert sent["novelty"] == NOVELTY
    assert sent.get("tableConfig", {"novelty": NOVELTY})["novelty"] == NOVELTY
    assert all(tab["novelty"] == NOVELTY for tab in sent.get("tabs", []))
    assert all(tile["novelty"] == NOVELTY for tile in sent.get("tiles", []) if "uuid" in tile)


async def test_every_tool_that_updates_is_held_to_that_or_left_out_for_a_reason() -> None:
    held = {case.tool for case in CASES}
    updating = {name for name, tool in TOOLS.items() if tool.effect.name in ("REPLACE", "EDIT", "ENSURE")}
    async with served("lightdash") as lightdash:
        for case in good_cases("lightdash"):
            if not TOOLS[case.tool].effect.read_only:
                await lightdash.call(case)
                if any(re.match("PATCH |PUT |.*/version$", line) for line in lightdash.sent()):
                    updating.add(case.tool)
                await lightdash.reset()
    assert updating - held - LEFT_OUT.keys() == set(), "add a case to CASES, or the reason to LEFT_OUT"
    assert held & LEFT_OUT.keys() == set()


def test_what_is_left_out_is_there() -> None:
    assert set(LEFT_OUT) <= set(TOOLS)


@pytest.mark.parametrize(
    ("tool", "make", "path", "left_out"),
    [
        ("chart", unusual.chart, "/api/v1/saved/{}/version", ["pivotConfig"]),
        ("chart", unusual.chart, "/api/v1/saved/{}/version", ["parameters"]),
        ("dashboard", unusual.dashboard, "/api/v1/dashboards/{}", ["config"]),
        ("dashboard", unusual.dashboard, "/api/v1/dashboards/{}", ["parameters"]),
        ("dashboard", unusual.dashboard, "/api/v1/dashboards/{}", ["tabs"]),
    ],
)
async def test_a_rollback_brings_back_what_our_models_do_not_show(
    sandbox: Sandbox, tool: str, make: Maker, path: str, left_out: list[str]
) -> None:
    raw = Raw(serving(sandbox))
    thing = await make(raw)
    before = await raw.ask("GET", thing.path)
    less = {key: value for key, value in before.items() if key not in (*left_out, "name", "description")}
    if left_out == ["tabs"]:
        less["tabs"] = [{**tab, "hidden": False} for tab in before["tabs"]]
    await raw.ask("POST" if tool == "chart" else "PATCH", path.format(thing.id), less)
    assert set(differing(before, await raw.ask("GET", thing.path))) == {
        "tabs.1.hidden" if "tabs" in left_out else left_out[0]
    }
    async with analyst(sandbox) as session:
        history = (await session.ask(f"get_{tool}_history", **{tool: thing.id}))["items"]
        for _ in range(2):
            await session.ask(f"rollback_{tool}", **{tool: thing.id}, version_uuid=history[-1]["version_uuid"])
        after = (await session.ask(f"get_{tool}_history", **{tool: thing.id}))["total"]
    assert list(differing(before, await raw.ask("GET", thing.path))) == []
    assert after == len(history) + 1, "a repeat adds no version"


async def test_what_is_not_given_is_sent_as_nothing_and_not_as_null(sandbox: Sandbox) -> None:
    service = Prompt(sandbox)
    async with analyst(service) as session:
        made = await session.ask("create_dashboard", name="No words", space_uuid=places.SALES)
        await session.ask("update_dashboard", dashboard=made["uuid"], name="Still none")
        await session.ask("add_dashboard_tile", dashboard=made["uuid"], markdown="Hello")
    sent = [body_of(one) for one in service.arrived if one.method in ("POST", "PATCH")]
    assert [key for body in sent for key, value in body.items() if value is None] == []


async def test_a_chart_is_changed_in_part_though_its_explore_is_broken(sandbox: Sandbox) -> None:
    thing = await unusual.chart(Raw(serving(sandbox)))
    service = Prompt(sandbox)
    async with analyst(service) as session:
        await session.ask("update_chart", chart=thing.id, limit=7)
    assert [line for line in service.lines if "explores" in line] == []


def differing(before: Any, after: Any, at: str = "") -> Iterator[str]:
    """Tell where two values differ, as dotted paths; a part that is there only once is named, not what is in it."""
    if isinstance(before, list) and isinstance(after, list):
        before, after = dict(enumerate(cast("list[Any]", before))), dict(enumerate(cast("list[Any]", after)))
    if not isinstance(before, dict) or not isinstance(after, dict):
        if before != after:
            yield at
        return
    first, second = cast("dict[Any, Any]", before), cast("dict[Any, Any]", after)
    for key in [*first, *(key for key in second if key not in first)]:
        place = f"{at}.{key}" if at else str(key)
        if key in MOVING:
            continue
        if (key in first) != (key in second):
            yield place
        else:
            yield from differing(first.get(key), second.get(key), place)


def unset(value: Any) -> Iterator[str]:
    """Name the fields of a thing that say nothing."""
    for one in cast("list[Any]", value) if isinstance(value, list) else [value]:
        yield from (key for key, inner in one.items() if inner is None or inner in ("", [], {}))
