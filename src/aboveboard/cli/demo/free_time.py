"""`aboveboard demo calendar`: when are Bob and I free next week? Three calls, as an assistant makes them."""

import sys
import textwrap
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

import click
from mcp import Client, StdioServerParameters

from aboveboard.cli.demo.stage import ANSWER, COLUMNS, call, say
from aboveboard.errors import Failure


async def show_free_time() -> None:
    """Serve a sandbox, and ask it."""
    click.echo("Two people's calendars in a sandbox: no account, no network, and nothing stays.")
    serve = ["-m", "aboveboard", "serve", "nextcloud", "--sandbox", "--toolsets", "calendar"]
    async with Client(StdioServerParameters(command=sys.executable, args=serve)) as client:
        await meet(client, date.today())


async def meet(client: Client, today: date) -> None:
    """Find a time in the week after a day, meet then, and look at the day."""
    monday = today + timedelta(days=7 - today.weekday())
    week = {"date_range_start": str(monday), "date_range_end": str(monday + timedelta(days=4))}
    say("When are Bob and I free next week? Best in the afternoon.")
    wish = {"duration_minutes": 60, "attendees": "Bob", "preferred_times": "afternoon", **week, "limit": 3}
    found = await call(client, "nc_calendar_find_availability", _slots, **wish)
    if not found.get("items"):
        raise Failure("There is no time when both are free.")
    day, _, time = found["items"][0]["start"][:16].partition("T")
    say("Then let us talk about the budget.")
    meeting = {"title": "Budget", "date": day, "time": time, "attendees": "bob@example.org"}
    await call(client, "nc_calendar_create_meeting", _made, **meeting)
    say("What does that day look like now?")
    await call(client, "nc_calendar_list_events", _day, start_date=day, end_date=day)


def _when(thing: Mapping[str, Any]) -> str:
    start, end = (datetime.fromisoformat(thing[name]) for name in ("start", "end"))
    return f"{start:%a %d %b %H:%M}-{end:%H:%M}"


def _slots(answer: Mapping[str, Any]) -> Sequence[str]:
    parts = [one["why"].partition(": ") for one in answer["items"]]
    times = [f"{_when(one)}  {why}" for one, (why, _, _) in zip(answer["items"], parts, strict=True)]
    return [*times, *textwrap.wrap(parts[0][2] if parts else "Nobody is.", COLUMNS - len(ANSWER))]


def _made(answer: Mapping[str, Any]) -> Sequence[str]:
    return [f"{_when(answer)}  {answer['title']}; invited: {', '.join(answer.get('told') or ['nobody'])}"]


def _day(answer: Mapping[str, Any]) -> Sequence[str]:
    return [f"{'all day' if one.get('all_day') else _when(one)}  {one['title']}" for one in answer["items"]]
