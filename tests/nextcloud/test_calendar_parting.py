"""A series that is parted in two by two requests, of which the second goes wrong: no occurrence is lost or doubled."""

from typing import Any, Final

import httpx2
import pytest
from tests.nextcloud.sessions import Session, connected, serving

from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio
DAYS: Final = ["2031-03-24", "2031-03-31", "2031-04-07", "2031-04-14"]


TITLES: Final = ("Yoga", "Boxing")


class SecondPut(httpx2.AsyncBaseTransport):
    """Stands before the service; the second thing that is put gets another answer, or none."""

    def __init__(self, service: httpx2.AsyncBaseTransport) -> None:
        self._service, self.puts = service, -1
        self.how = "is lost"

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        self.puts += request.method == "PUT" and self.puts >= 0
        if request.method != "PUT" or self.puts != 2:
            return await self._service.handle_async_request(request)
        if self.how == "refuses":
            return httpx2.Response(412, text="It has changed.")
        await self._service.handle_async_request(request)
        if self.how == "fails":
            return httpx2.Response(500, text="It failed, after the deed.")
        raise httpx2.ReadError("the connection broke")


async def seen(session: Session) -> list[str]:
    """List the days and titles of a calendar."""
    span: dict[str, Any] = {"calendar_name": "personal", "start_date": "2031-03-01", "end_date": "2031-05-01"}
    found = (await session.ask("nc_calendar_list_events", **span))["items"]
    return sorted(f"{item['start'][:10]} {item['title']}" for item in found if item["title"] in TITLES)


@pytest.mark.parametrize("how", ["refuses", "is lost", "fails"])
async def test_what_follows_is_there_once_whatever_became_of_the_second_half(sandbox: Sandbox, how: str) -> None:
    service = SecondPut(serving(sandbox))
    service.how, refuses = how, how == "refuses"
    async with connected(service) as session:
        made = await session.ask(
            "nc_calendar_create_event",
            calendar_name="personal",
            title="Yoga",
            start_datetime="2031-03-24T18:00:00+01:00",
            end_datetime="2031-03-24T19:00:00+01:00",
            recurrence_rule="FREQ=WEEKLY;COUNT=4",
        )
        event = {"calendar_name": "personal", "event_uid": made["uid"], "etag": made["etag"]}
        service.puts = 0
        change = {"occurrence": "2031-04-07", "and_following": True, "title": "Boxing"}
        said = await session.refusal("nc_calendar_update_event", **event, **change)
        later = "Yoga" if refuses else "Boxing"
        assert await seen(session) == [*(f"{day} Yoga" for day in DAYS[:2]), *(f"{day} {later}" for day in DAYS[2:])]
        assert ("Whether it was done is unknown" in said) is not refuses
        assert ("a series of its own now" in said) is not refuses
