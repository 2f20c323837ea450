"""CalDAV and CardDAV as Nextcloud speaks them: each request that we send is held to recorded ones that worked."""

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Final

import httpx2
import pytest
from lxml import etree
from tests.nextcloud.calls import VALUES
from tests.nextcloud.flavours import NEXTCLOUD
from tests.nextcloud.sandbox.recordings import FOLDER, load
from tests.nextcloud.sessions import connected, serving
from tests.nextcloud.test_contacts_tools import put
from tests.plans import arrange, plain_cases
from tests.sessions import raw_path

from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = [pytest.mark.anyio, pytest.mark.skipif(not FOLDER.is_dir(), reason=f"no recordings at {FOLDER}")]

_DAV: Final = re.compile(r"/remote\.php/dav/(calendars|addressbooks/users|principals/users)/")
_PLACES: Final = {"inbox", "outbox", "trashbin", "objects", "restore", "file"}
_HEADERS: Final = (
    *("depth", "overwrite", "schedule-reply", "content-type", "if-match", "if-none-match", "destination"),
    "accept",
)
NOT_SO: Final = {
    # Recorded with another ETag than the object has, which is answered with 412: so it is read.
    "DELETE calendars/{user}/{collection}/{object} if-match: quoted",
    # Recorded of each calendar by itself.
    "PROPFIND calendars/{user} {DAV:}propfind/{DAV:}prop/{http://owncloud.org/ns}invite",
    # Recorded without. The real sabre/dav tells texts here too: client/calendar/test_servers.py.
    "REPORT calendars/{user}/{collection} {DAV:}sync-collection/{DAV:}prop/"
    "{urn:ietf:params:xml:ns:caldav}calendar-data",
}
"""What we send besides, each with the reason why it works."""


def route(method: str, path: str) -> str:
    """Name a route: who it is of, which collection and which object in it do not matter."""
    kind, *parts = path.partition("/remote.php/dav/")[2].replace("/users/", "/").rstrip("/").split("/")
    names = ("{user}", "{collection}", "{object}", "{object}")
    return f"{method} {'/'.join([kind, *(one if one in _PLACES else names[at] for at, one in enumerate(parts))])}"


def header(name: str, value: str) -> str:
    """Say what a header says, apart from which thing it is about."""
    if name in {"if-match", "if-none-match"} and value != "*":
        return f"{name}: " + ("quoted" if re.fullmatch(r'"[^"]+"', value) else "not quoted")
    if name == "destination":
        return f"{name}: {route('to', httpx2.URL(value).path)}"
    return f"{name}: {value.partition(';')[0].strip()}" if name == "content-type" else f"{name}: {value}"


def elements(body: bytes) -> Iterator[str]:
    """Go through what an XML body holds: each element by where it stands, with the names of its attributes."""
    if body.lstrip()[:1] != b"<":
        return
    root = etree.fromstring(body, etree.XMLParser(resolve_entities=False, no_network=True))
    for one in root.iter(etree.Element):
        way = "/".join(str(each.tag) for each in (*reversed(list(one.iterancestors())), one))
        yield way
        yield from (f"{way}@{name}" for name in one.attrib)


class Shape:
    """What requests of one kind had that worked: any of them, and all of them."""

    def __init__(self) -> None:
        self.known: set[str] = set()
        self.needed: set[str] | None = None

    def learn(self, said: set[str], named: set[str]) -> None:
        self.known |= said
        self.needed = named if self.needed is None else self.needed & named


def kind_of(method: str, path: str, body: bytes) -> str:
    """Name a kind of request: its route, and the element that its body is."""
    return " ".join([route(method, path), *islice(elements(body), 1)])


@cache
def recorded() -> dict[str, Shape]:
    """What requests have had that worked, by their kind."""
    found: dict[str, Shape] = defaultdict(Shape)
    for step in load():
        if _DAV.search(step.path) and step.status < 300:
            body = step.body.encode() if isinstance(step.body, str) else step.body
            named = {name for name in step.headers if name in _HEADERS}
            said = {header(name, step.headers[name]) for name in named}
            found[kind_of(step.method, step.path, body)].learn(said | set(elements(body)), named)
    return found


def faults(request: httpx2.Request) -> Iterator[str]:
    """Go through what a request has that none has had which worked, and lacks that all had."""
    here, kind = route(request.method, raw_path(request)), kind_of(request.method, raw_path(request), request.content)
    if kind not in recorded():
        yield f"{kind} was never recorded"
        return
    named = {name for name in _HEADERS if request.headers.get(name, "*/*") != "*/*"}
    said = [header(name, request.headers[name]) for name in sorted(named)]
    shape = recorded()[kind]
    yield from (f"{here} {one}" for one in (*said, *elements(request.content)) if one not in shape.known)
    yield from (f"{here} without {name}" for name in (shape.needed or set()) - named)


async def sent_by_the_plan(sandbox: Sandbox) -> list[httpx2.Request]:
    """Call all tools as the plan does, and do what it cannot: let others write, and in other line ends."""
    service = serving(sandbox)
    async with connected(service) as session, connected(service) as other:
        for case in plain_cases("nextcloud"):
            if case.tool.startswith(("nc_calendar_", "nc_contacts_")):
                await session.ask(case.tool, **await arrange(session, case, VALUES))
                sandbox.reset()
        for maker in (session, other):
            await session.ask("nc_calendar_list_events", start_date="2026-01-13")
            await maker.ask("nc_calendar_create_event", calendar_name="team", title="x", start_datetime="2026-01-13")
        await session.ask("nc_calendar_list_events", start_date="2026-01-13")
        await put(sandbox, "contacts/nextcloud-1.vcf", NEXTCLOUD.replace("\r\n", "\n"))
        await session.ask("nc_contacts_get_contact", addressbook="contacts", uid="nextcloud-1")
    return [request for request in service.arrived if _DAV.search(raw_path(request))]


async def test_every_request_of_calendars_tasks_and_contacts_is_one_that_worked(sandbox: Sandbox) -> None:
    sent = await sent_by_the_plan(sandbox)
    assert {fault for request in sent for fault in faults(request)} == NOT_SO
    kinds = {kind_of(one.method, raw_path(one), one.content) for one in sent}
    assert len(kinds) > 20, sorted(kinds)


@pytest.mark.parametrize(
    ("method", "path", "headers", "body", "fault"),
    [
        ("PATCH", "calendars/ada/garden/x.ics", {}, b"", "was never recorded"),
        ("DELETE", "calendars/ada/garden/x.ics", {"if-match": "bare"}, b"", "if-match: not quoted"),
        (
            "MOVE",
            "calendars/ada/a/x.ics",
            {"destination": "http://x/remote.php/dav/files/a"},
            b"",
            "destination: to files/",
        ),
        (
            *("REPORT", "calendars/ada/garden/", {"content-type": "application/xml"}),
            b'<c:calendar-query xmlns:c="urn:ietf:params:xml:ns:caldav"/>',
            "without depth",
        ),
        ("PROPFIND", "calendars/ada/", {"depth": "1"}, b'<d:propfind xmlns:d="DAV:"><d:x/></d:propfind>', "{DAV:}x"),
    ],
)
def test_a_request_that_no_recording_has_is_seen(
    method: str, path: str, headers: dict[str, str], body: bytes, fault: str
) -> None:
    request = httpx2.Request(method, f"http://nextcloud/remote.php/dav/{path}", headers=headers, content=body)
    assert [one for one in faults(request) if fault in one]
