"""Tasks through MCP: how one that repeats moves on, and that nothing anyone wrote is lost."""

from typing import Any, Final

import httpx2
import pytest
from tests.nextcloud.sessions import Session, connected, facts, serving
from tests.nextcloud.task_texts import TASK_LINES, task

from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio

PLACE: Final = "/remote.php/dav/calendars/admin/tasks"


async def exchange(sandbox: Sandbox, method: str, content: str = "") -> str:
    """Write or read the task past our own client."""
    transport = httpx2.ASGITransport(sandbox.app)
    async with httpx2.AsyncClient(transport=transport, auth=(sandbox.username, sandbox.token)) as client:
        answer = await client.request(method, f"http://sandbox{PLACE}/foreign.ics", content=content.encode())
        assert answer.status_code < 300, answer.text
        return answer.text


async def change(session: Session, tool: str, **arguments: Any) -> dict[str, Any]:
    return await session.ask(f"nc_calendar_{tool}_todo", calendar_name="tasks", todo_uid="foreign", **arguments)


@pytest.mark.parametrize("flavour", TASK_LINES)
async def test_a_task_of_any_client_loses_nothing_by_an_update(sandbox: Sandbox, flavour: str) -> None:
    text = task(TASK_LINES[flavour])
    await exchange(sandbox, "PUT", text)
    async with connected(serving(sandbox)) as session:
        assert (await change(session, "update", percent_complete=40))["status"] == "IN-PROCESS"
    named = ("PERCENT-COMPLETE", "STATUS", "status", "DTSTAMP:", "LAST-MODIFIED")
    after = (await exchange(sandbox, "GET")).split("\r\n")
    assert [line for line in after if not line.startswith(named)] == [
        line for line in text.split("\r\n") if not line.startswith(named)
    ]
    assert "PERCENT-COMPLETE:40" in after


async def test_a_task_that_repeats_moves_on_by_the_clock_and_is_completed_with_its_last_time(sandbox: Sandbox) -> None:
    await exchange(sandbox, "PUT", task(TASK_LINES["Outlook"]))
    seen: list[tuple[str, Any, Any]] = []
    async with connected(serving(sandbox)) as session:
        for _ in range(3):
            done = await change(session, "complete")
            seen.append((done["status"], done.get("start"), done.get("due")))
    text = await exchange(sandbox, "GET")
    assert [one[0] for one in seen] == ["NEEDS-ACTION", "NEEDS-ACTION", "COMPLETED"]
    assert "DTSTART;TZID=W. Europe Standard Time:20261025T080000\r\n" in text  # clocks went back that night
    assert "DUE;TZID=W. Europe Standard Time:20261026T080000\r\n" in text
    assert "PERCENT-COMPLETE:100\r\n" in text
    assert "X-MICROSOFT-CDO-BUSYSTATUS:FREE\r\n" in text


async def test_a_task_that_only_is_due_moves_on_past_what_was_left_out(sandbox: Sandbox) -> None:
    lines = "DUE;VALUE=DATE:20310510\r\nRRULE:FREQ=DAILY;COUNT=4\r\nEXDATE;VALUE=DATE:20310511\r\n"
    await exchange(sandbox, "PUT", task(lines))
    async with connected(serving(sandbox)) as session:
        first = await change(session, "complete")
        assert (first["due"], first["recurrence_rule"]) == ("2031-05-12", "FREQ=DAILY;COUNT=2")
        assert (await change(session, "complete"))["due"] == "2031-05-13"
        assert (await change(session, "complete"))["status"] == "COMPLETED"


@pytest.mark.parametrize(
    ("lines", "moved", "after"),
    [
        (
            "DTSTART;TZID=Europe/Berlin:20310510T080000\r\nRRULE:FREQ=DAILY;UNTIL=20310514T060000Z\r\n"
            "EXDATE;TZID=Europe/Berlin:20310512T080000\r\n",
            {"dtstart": "2031-05-11T09:30:00+02:00"},
            "DTSTART;TZID=Europe/Berlin:20310511T093000\r\nRRULE:FREQ=DAILY;UNTIL=20310515T073000Z\r\n"
            "EXDATE;TZID=Europe/Berlin:20310513T093000\r\n",
        ),
        (
            "DUE;VALUE=DATE:20310510\r\nRRULE:FREQ=DAILY;UNTIL=20310514\r\nEXDATE;VALUE=DATE:20310511\r\n",
            {"due": "2031-05-12"},
            "DUE;VALUE=DATE:20310512\r\nRRULE:FREQ=DAILY;UNTIL=20310516\r\nEXDATE;VALUE=DATE:20310513\r\n",
        ),
        (
            "DUE:20310510T080000Z\r\nRRULE:FREQ=DAILY;COUNT=4\r\nEXDATE:20310511T080000Z\r\n",
            {"due": "2031-05-10T11:00:00+02:00"},
            "DUE:20310510T090000Z\r\nRRULE:FREQ=DAILY;COUNT=4\r\nEXDATE:20310511T090000Z\r\n",
        ),
        (
            "DUE:20310510T080000Z\r\nRRULE:FREQ=DAILY;COUNT=4\r\nEXDATE:20310511T080000Z\r\n",
            {"due": "2031-05-10T11:00:00+02:00", "recurrence_rule": "FREQ=DAILY;COUNT=9"},
            "DUE:20310510T090000Z\r\nRRULE:FREQ=DAILY;COUNT=9\r\nEXDATE:20310511T090000Z\r\n",
        ),
    ],
    ids=["by the clock of a zone", "whole days", "in UTC", "with another rule"],
)
async def test_what_a_repeating_task_names_of_its_times_moves_with_it(
    sandbox: Sandbox, lines: str, moved: dict[str, str], after: str
) -> None:
    await exchange(sandbox, "PUT", task(lines))
    async with connected(serving(sandbox)) as session:
        await change(session, "update", **moved)
    assert after in await exchange(sandbox, "GET")


async def test_a_repeating_task_whose_times_were_changed_does_not_move_to_another_clock(sandbox: Sandbox) -> None:
    lines = "DUE;VALUE=DATE:20310510\r\nRRULE:FREQ=DAILY;COUNT=4\r\nEXDATE;VALUE=DATE:20310511\r\n"
    await exchange(sandbox, "PUT", task(lines))
    async with connected(serving(sandbox)) as session:
        told = await session.refusal(
            "nc_calendar_update_todo", calendar_name="tasks", todo_uid="foreign", due="2031-05-10T08:00:00+02:00"
        )
    assert told.endswith("Keep that as it is, or create another task.")
    assert lines in await exchange(sandbox, "GET")


async def test_status_percentage_and_completion_are_kept_in_step(sandbox: Sandbox) -> None:
    await exchange(sandbox, "PUT", task("SUMMARY:x\r\n"))
    async with connected(serving(sandbox)) as session:
        done = await change(session, "update", percent_complete=100)
        assert (done["status"], done["percent_complete"], "completed" in done) == ("COMPLETED", 100, True)
        again = await change(session, "update", status="NEEDS-ACTION")
        assert (again["status"], again.get("percent_complete"), again.get("completed")) == ("NEEDS-ACTION", None, None)
        at = await change(session, "update", completed="2031-05-09T12:00:00Z")
        assert (at["status"], at["completed"][:10]) == ("COMPLETED", "2031-05-09")
        same = await change(session, "update", status="COMPLETED")
        assert same["changed"] is False


async def test_parts_of_a_task_stay_when_it_goes_and_other_relations_stay_when_its_parent_changes(
    sandbox: Sandbox,
) -> None:
    await exchange(sandbox, "PUT", task(TASK_LINES["Apple Reminders"]))
    async with connected(serving(sandbox)) as session:
        part = await session.ask("nc_calendar_create_todo", calendar_name="tasks", summary="Part", parent_uid="foreign")
        assert (await change(session, "update", parent_uid=part["uid"]))["parent"] == part["uid"]
        assert "RELATED-TO;RELTYPE=SIBLING:other\r\n" in await exchange(sandbox, "GET")
        assert "parent" not in await change(session, "update", parent_uid="")
        await change(session, "delete")
        found = await session.ask("nc_calendar_search_todos", summary_contains="part")
    assert [one["parent"] for one in found["items"]] == ["foreign"]


async def test_a_calendar_that_takes_no_tasks_says_so_and_keeps_nothing(sandbox: Sandbox) -> None:
    before = facts(sandbox)
    async with connected(serving(sandbox)) as session:
        for tool, more in (("create_todo", {"summary": "x"}), ("list_todos", {})):
            refused = await session.refusal(f"nc_calendar_{tool}", calendar_name="personal", **more)
            assert "takes no tasks" in refused
    assert facts(sandbox) == before


async def test_a_task_that_tells_how_long_it_takes_is_due_at_its_end(sandbox: Sandbox) -> None:
    lines = "DTSTART:20310510T080000Z\r\nDURATION:PT2H\r\nRRULE:FREQ=DAILY;COUNT=2\r\nSUMMARY:Walk\r\n"
    await exchange(sandbox, "PUT", task(lines))
    async with connected(serving(sandbox)) as session:
        done = await change(session, "complete")
        given = await change(session, "update", due="2031-05-11T12:00:00Z")
    assert (done["start"], done["due"]) == ("2031-05-11T08:00:00+00:00", "2031-05-11T10:00:00+00:00")
    assert given["due"] == "2031-05-11T12:00:00+00:00"
    assert "DURATION" not in await exchange(sandbox, "GET")


async def test_a_task_that_begins_with_a_day_and_is_due_at_a_time_is_not_moved_on_by_guessing(sandbox: Sandbox) -> None:
    lines = "DTSTART;VALUE=DATE:20310510\r\nDUE:20310510T090000Z\r\nRRULE:FREQ=DAILY;COUNT=2\r\nSUMMARY:Walk\r\n"
    await exchange(sandbox, "PUT", task(lines))
    before = await exchange(sandbox, "GET")
    async with connected(serving(sandbox)) as session:
        asked = {"calendar_name": "tasks", "todo_uid": "foreign"}
        text = await session.refusal("nc_calendar_complete_todo", **asked)
    assert text.startswith("This begins with a day and ends at a time")
    assert await exchange(sandbox, "GET") == before
