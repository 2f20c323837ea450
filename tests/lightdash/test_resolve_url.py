"""What an address copied from Lightdash, or from an answer of ours, points at."""

from typing import Final

import pytest
from tests.lightdash import places
from tests.lightdash.sessions import connected, serving, text_of
from tests.plans import good_cases, served

from aboveboard.lightdash.sandbox import Sandbox

pytestmark = pytest.mark.anyio

HOME: Final = f"http://lightdash/projects/{places.MAIN}"
THERE: Final = {
    HOME: ("project", None, "Corner Shop"),
    f"{HOME}/home": ("project", None, "Corner Shop"),
    f"{HOME}/sql-runner": ("project", None, "Corner Shop"),
    f"{HOME}/settings/anything": ("project", None, "Corner Shop"),
    f"{HOME.upper()}/tables/orders?create_saved_chart_version=%7B%7D#top": ("explore", "orders", "Orders"),
    f"/projects/{places.MAIN}/saved/cafe%2Fregulars/view": ("chart", "cafe/regulars", "Café regulars ☕"),
    f"{HOME}/sql-runner/{places.SQL_CHART_SLUG}": ("sql_chart", places.SQL_CHART_SLUG, "Busiest hours"),
    f"{HOME}/sql-runner/{places.SQL_CHART_SLUG}/edit": ("sql_chart", places.SQL_CHART_SLUG, "Busiest hours"),
    f" {HOME}/dashboards/weekly-review/view/tabs/x\n": ("dashboard", "weekly-review", "Weekly review"),
    f"{HOME}/spaces/{places.SALES}": ("space", places.SALES, "Sales"),
}


async def test_an_address_is_told_as_the_thing_it_opens(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        found = {url: await session.ask("resolve_url", url=url) for url in THERE}
    assert {url: (one["kind"], one.get("id"), one["name"]) for url, one in found.items()} == THERE
    assert {one["project_uuid"] for one in found.values()} == {places.MAIN}


async def test_the_address_in_an_answer_leads_back_to_what_was_asked(sandbox: Sandbox) -> None:
    asked = {"project_uuid": places.MAIN}
    async with connected(serving(sandbox)) as session:
        for chart, kind in ((places.MAIN_CHART, "chart"), (places.SQL_CHART_SLUG, "sql_chart")):
            url = (await session.ask("run_chart", chart=chart, **asked))["url"]
            resolved = await session.ask("resolve_url", url=url)
            assert (resolved["kind"], resolved["id"]) == (kind, chart)
        query = await session.ask("run_metric_query", explore="orders", dimensions=["orders_status"], **asked)
        resolved = await session.ask("resolve_url", url=query["url"])
    assert (resolved["kind"], resolved["id"]) == ("explore", "orders")


SAVES: Final = {
    *("create_chart", "update_chart", "rename_chart", "duplicate_chart", "rollback_chart"),
    *("create_dashboard", "update_dashboard", "duplicate_dashboard", "rollback_dashboard"),
    *("add_dashboard_tile", "update_dashboard_tile", "remove_dashboard_tile"),
    *("create_sql_chart", "update_sql_chart", "create_space", "update_space", "restore_content"),
    *("move_content", "verify_content", "pin_content", "favorite_content"),
}


async def test_what_was_saved_is_opened_by_the_short_address_in_the_answer() -> None:
    async with served("lightdash") as lightdash:
        for case in [case for case in good_cases("lightdash") if case.tool in SAVES]:
            made = await lightdash.session.ask(case.tool, **await lightdash.arrange(case))
            resolved = await lightdash.session.ask("resolve_url", url=made["url"])
            which = made["slug"] if resolved["kind"] == "sql_chart" else made["uuid"]
            assert (resolved["id"], resolved["project_uuid"]) == (which, made.get("project_uuid", places.MAIN)), case
            assert len(made["url"]) < 160
            await lightdash.reset()


async def test_a_table_of_rows_ends_in_a_short_address_and_in_none_that_holds_the_whole_query(
    sandbox: Sandbox,
) -> None:
    asked = {"project_uuid": places.MAIN}
    async with connected(serving(sandbox)) as session:
        query = await session.call("run_metric_query", explore="orders", metrics=["orders_order_count"], **asked)
        again = await session.call(
            "get_query_result", query_uuid=(query.structured_content or {})["query_uuid"], **asked
        )
        chart = await session.call("run_chart", chart=places.MAIN_CHART, **asked)
    for answer in (query, again):
        assert "/tables/orders?" in (answer.structured_content or {})["url"]
        assert "http" not in text_of(answer)
    assert f"\nOpen it: {HOME}/saved/{places.MAIN_CHART}\n" in text_of(chart)


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        (HOME.replace("lightdash", "lightdash.elsewhere.example"), "not of the Lightdash at http://lightdash"),
        (HOME.replace("http:", "https:"), "not of the Lightdash at"),
        (HOME.replace("lightdash", "lightdash@elsewhere.example"), "not of the Lightdash at"),
        (HOME.removeprefix("http:").replace("lightdash", "elsewhere"), "not of the Lightdash at"),
        ("http://[lightdash", "not of the Lightdash at"),
        ("http://lightdash/login", "no project in it"),
        (f"{HOME}/sql-runner/no-such-chart", "Lightdash answered 404"),
    ],
)
async def test_an_address_of_elsewhere_or_of_nothing_is_refused(sandbox: Sandbox, url: str, reason: str) -> None:
    async with connected(serving(sandbox)) as session:
        assert reason in await session.refusal("resolve_url", url=url)
