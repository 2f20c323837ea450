"""What a dry run tells of what a request carries: enough to see what would be written, and no secret."""

import pytest
from tests.http.wire import TOKEN, session

from aboveboard.effects import ADD, REPLACE, DryRunStopped, under
from aboveboard.http import path
from aboveboard.http.body import LONGEST, MOST

pytestmark = pytest.mark.anyio

EVENT = b"""BEGIN:VCALENDAR\r
VERSION:2.0\r
BEGIN:VTIMEZONE\r
TZID:Europe/Berlin\r
BEGIN:STANDARD\r
TZOFFSETTO:+0100\r
END:STANDARD\r
END:VTIMEZONE\r
BEGIN:VEVENT\r
DTSTAMP:20260105T084254Z\r
DTSTART;TZID=Europe/Berlin:20261201T100000\r
SUMMARY:Budget: the\r
  second\r
ATTENDEE;CN="B: ob";ROLE=CHAIR:mailto:bob@example.org\r
ATTENDEE:mailto:ada@example.org\r
ATTENDEE:mailto:eve@example.org\r
BEGIN:VALARM\r
TRIGGER:-PT15M\r
END:VALARM\r
END:VEVENT\r
END:VCALENDAR\r
"""
CALENDAR = '<d:set xmlns:d="DAV:"><d:displayname> Büro </d:displayname><d:comp name="VEVENT"/></d:set>'.encode()
FORM = "application/x-www-form-urlencoded"


async def told(content: bytes, kind: str) -> object:
    async with session("http://shop.test") as shop:
        with under(ADD, dry_run=True), pytest.raises(DryRunStopped) as raised:
            await shop.request("POST", path("/a"), content=content, headers={"content-type": kind})
    return raised.value.body


@pytest.mark.parametrize(
    ("content", "kind", "fields"),
    [
        (
            EVENT,
            "text/calendar; charset=utf-8",
            {
                "DTSTART;TZID=Europe/Berlin": "20261201T100000",
                "SUMMARY": "Budget: the second",
                'ATTENDEE;CN="B: ob";ROLE=CHAIR': "mailto:bob@example.org",
                "ATTENDEE": ["mailto:ada@example.org", "mailto:eve@example.org"],
                "VALARM TRIGGER": "-PT15M",
            },
        ),
        (b"BEGIN:VCARD\nVERSION:4.0\nFN:Ada\nEND:VCARD\n", "TEXT/VCARD", {"FN": "Ada"}),
        (CALENDAR, "application/xml", {"displayname": "Büro", "comp": "VEVENT"}),
        (b"a=1&a=2&a=3&b=", FORM, {"a": ["1", "2", "3"], "b": ""}),
    ],
)
async def test_the_fields_of_a_body_are_told(content: bytes, kind: str, fields: dict[str, object]) -> None:
    assert await told(content, kind) == fields


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"what a person wrote", "application/octet-stream"),
        (b"what a person wrote", ""),
        (b"\xff\xfe", "text/calendar"),
        (b"<open>", "application/xml"),
        (b"\xff=%ff", FORM),
    ],
)
async def test_of_a_file_and_of_what_is_not_what_it_says_only_the_length_is_told(content: bytes, kind: str) -> None:
    assert await told(content, kind) == f"{len(content)} bytes"


async def test_long_values_are_cut_and_many_fields_counted() -> None:
    fields = await told(f"a={'x' * 200}&".encode() + b"&".join(b"n%d=1" % at for at in range(MOST)), FORM)
    assert fields == {"a": "x" * (LONGEST - 1) + "…", **{f"n{at}": "1" for at in range(MOST - 1)}, "…": "and 1 more"}


async def test_no_secret_of_the_session_is_told() -> None:
    assert await told(f"who=me&what=%20{TOKEN}".encode(), FORM) == {"who": "me", "what": " [secret]"}


async def test_of_a_secret_that_stands_where_a_value_is_cut_nothing_is_left() -> None:
    for before in range(LONGEST - len(TOKEN), LONGEST):
        fields = await told(f"what={'x' * before}{TOKEN}".encode(), FORM)
        assert TOKEN[:2] not in str(fields)


async def test_of_a_request_that_moves_the_place_is_told() -> None:
    given = {"Destination": f"http://shop.test/b%20c?{TOKEN}", "overwrite": "F", "If-Match": '"1"'}
    async with session("http://shop.test") as shop:
        with under(REPLACE, dry_run=True), pytest.raises(DryRunStopped) as raised:
            await shop.request("MOVE", path("/a"), headers=given)
    assert raised.value.body == {"Destination": "http://shop.test/b%20c?[secret]", "overwrite": "F"}
