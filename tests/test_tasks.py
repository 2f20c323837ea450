"""Whole tasks, and how many calls and tokens they take; the steps were taken by tools/list and the answers alone."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest
from tests.lightdash.analyst import analyst
from tests.nextcloud.sessions import connected, serving
from tests.sessions import Session, text_of

from aboveboard.lightdash.sandbox import Sandbox as Lightdash
from aboveboard.nextcloud.sandbox import Sandbox as Nextcloud

pytestmark = pytest.mark.anyio

PAGE: Final = Path(__file__).parents[1] / "docs" / "tasks.md"


@dataclass
class Counted:
    """A session of which every call is counted, and what a model reads of its answers."""

    session: Session
    calls: int = 0
    characters: int = 0

    async def ask(self, tool: str, **arguments: Any) -> dict[str, Any]:
        self.calls += 1
        result = await self.session.call(tool, **arguments)
        self.characters += len(text_of(result))
        assert not result.is_error, text_of(result)
        assert result.structured_content is not None
        return result.structured_content

    def row(self, task: str, before: int) -> str:
        """Return the row of the table, tokens rounded up to the next hundred."""
        return f"| {task} | {before} | {self.calls} | {-(-self.characters // 400) * 100} |"


async def question_to_chart(lightdash: Counted) -> None:
    """How did revenue go by month and status this year? It shall stand on the weekly review."""
    found = await lightdash.ask("search_fields", pattern="revenue")
    explore = found["items"][0]["explore"]
    fields = await lightdash.ask("get_explore", explore=explore)
    date, status = (one["id"] for one in fields["dimensions"] if one["label"] in ("Order date", "Status"))
    ran = await lightdash.ask(
        "run_metric_query",
        explore=explore,
        dimensions=[f"{date}_month", status],
        metrics=[found["items"][0]["id"]],
        filters=[{"field": date, "operator": "inTheCurrent", "unit": "years"}],
        sort=[f"{date}_month"],
    )
    await lightdash.ask("search_content", search="weekly", kinds=["dashboard"])
    chart = await lightdash.ask(
        "create_chart",
        name="Revenue by month and status",
        query_uuid=ran["query_uuid"],
        chart_type="bar",
        group_by=status,
        stacked=True,
        dashboard="Weekly review",
    )
    drawn = await lightdash.ask("render_chart", chart=chart["uuid"])
    assert chart["on_dashboard"]["name"] == "Weekly review"
    assert (drawn["rows"], drawn["series"]) == (len(ran["rows"]), len({row[1] for row in ran["rows"]}))


async def access_review(lightdash: Counted) -> None:
    """Who can see the finances, and why?"""
    review = await lightdash.ask("review_access")
    ways = {
        (one["name"], way["source"])
        for one in review["people"]
        for way in one["shared_spaces"]
        if way["space"] == "Finance"
    }
    assert ways == {("Ada Okafor", "direct"), ("Dana Yılmaz", "direct")}


async def append_and_share(nextcloud: Counted) -> None:
    """Add a line to the plan, let Bob see it, and make a link for a week."""
    found = await nextcloud.ask("nc_webdav_find_by_name", pattern="plan")
    path = found["items"][0]["path"]
    added = await nextcloud.ask("nc_webdav_append_to_file", path=path, content="- buy paint\n")
    shared = await nextcloud.ask("nc_share_create", path=path, share_with="bob")
    link = await nextcloud.ask("nc_share_create_public_link", path=path, expires_in_minutes=10080)
    assert added["around_join"].endswith("\n- buy paint\n")
    assert shared["shared_with"] == "bob"
    assert link["download_url"].startswith("http")


async def restore(nextcloud: Counted) -> None:
    """The old draft that was deleted is needed again."""
    there = await nextcloud.ask("nc_webdav_list_trash")
    [key] = [one["key"] for one in there["items"] if one["name"] == "old draft.md"]
    assert (await nextcloud.ask("nc_webdav_restore_from_trash", trash_key=key))["path"] == "Documents/old draft.md"


Task = Callable[[Counted], Awaitable[None]]
OF_LIGHTDASH: Final[list[tuple[Task, str, int, int]]] = [
    (question_to_chart, "question to chart on a dashboard, looked at", 22, 7),
    (access_review, "access review", 13, 2),
]
OF_NEXTCLOUD: Final[list[tuple[Task, str, int, int]]] = [
    (append_and_share, "append and share", 12, 5),
    (restore, "restore", 3, 2),
]


@pytest.mark.parametrize(("task", "name", "before", "goal"), OF_LIGHTDASH)
async def test_a_task_with_lightdash_takes_a_few_calls(task: Task, name: str, before: int, goal: int) -> None:
    sandbox = Lightdash()
    async with analyst(sandbox) as session:
        await _done(Counted(session), task, name, before, goal)
    sandbox.close()


@pytest.mark.parametrize(("task", "name", "before", "goal"), OF_NEXTCLOUD)
async def test_a_task_with_nextcloud_takes_a_few_calls(task: Task, name: str, before: int, goal: int) -> None:
    sandbox = Nextcloud()
    async with connected(serving(sandbox)) as session:
        await _done(Counted(session), task, name, before, goal)
    sandbox.close()


async def _done(counted: Counted, task: Task, name: str, before: int, goal: int) -> None:
    await task(counted)
    assert counted.calls <= goal
    assert counted.row(name, before) in PAGE.read_text().splitlines(), counted.row(name, before)
