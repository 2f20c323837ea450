"""What is there when a recorded scenario about calendars begins: most go on where another one ended."""

import re
from collections.abc import Awaitable, Callable, Mapping

from tests.nextcloud.sandbox.recordings import steps_of
from tests.nextcloud.sandbox.replay import Replay, inside
from tests.nextcloud.sandbox.sending import Person

Arrange = Callable[[Replay], Awaitable[None]]
_HOME = "/remote.php/dav/calendars/admin"
_BIN = "/remote.php/dav/calendars/admin/trashbin/objects"
_EVENT = (
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//rec//EN\r\nCALSCALE:GREGORIAN\r\nBEGIN:VEVENT\r\nUID:{}\r\n"
    "DTSTAMP:20261101T000000Z\r\nDTSTART:20261201T100000Z\r\nDTEND:20261201T110000Z\r\nSUMMARY:{}\r\n{}END:VEVENT\r\n"
    "END:VCALENDAR\r\n"
)


async def _emails(replay: Replay, domain: str) -> None:
    for person in (replay.admin, replay.bob):
        change = {"key": "email", "value": f"{person.uid}@{domain}"}
        await replay.login.post(f"/ocs/v2.php/cloud/users/{person.uid}", change, "PUT")


async def _make(person: Person, name: str, *components: str, title: str | None = None) -> None:
    comps = "".join(f'<c:comp name="{one}"/>' for one in components or ("VEVENT", "VTODO"))
    body = (
        '<c:mkcalendar xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:d="DAV:"><d:set><d:prop>'
        f"<d:displayname>{title or name}</d:displayname><c:supported-calendar-component-set>{comps}"
        "</c:supported-calendar-component-set></d:prop></d:set></c:mkcalendar>"
    )
    made = await person.send("MKCALENDAR", f"/remote.php/dav/calendars/{person.uid}/{name}/", body=body)
    assert made.status == 201, made


async def _put(person: Person, place: str, text: str) -> None:
    target = f"/remote.php/dav/calendars/{person.uid}/{place}"
    made = await person.send("PUT", target, headers={"content-type": "text/calendar"}, body=text)
    assert made.status in {201, 204}, made


async def _event(person: Person, place: str, uid: str, summary: str = "Event", lines: str = "") -> None:
    await _put(person, place, _EVENT.format(uid, summary, lines))


def _recorded(area: str, scenario: str, step: str) -> str:
    """The body of a recorded request."""
    return str(next(one.body for one in steps_of(area, scenario) if one.name == step))


def _after(area: str, *scenarios: str) -> Arrange:
    """What other scenarios leave behind."""

    async def arrange(replay: Replay) -> None:
        for scenario in scenarios:
            before = SCENARIOS.get(f"{area}:{scenario}")
            if before and scenario == scenarios[0]:
                await before(replay)
            for step in steps_of(area, scenario):
                if step.id in STEPS:
                    await STEPS[step.id](replay)
                await replay.step(step)

    return arrange


async def _sync(replay: Replay) -> None:
    await _make(replay.admin, "rec-sync")
    for number in range(3):
        await _event(replay.admin, f"rec-sync/s{number}.ics", f"rec-s{number}")


async def _change(replay: Replay) -> None:
    await _event(replay.admin, "rec-sync/s0.ics", "rec-s0", "Changed")
    await _event(replay.admin, "rec-sync/s9.ics", "rec-s9")
    await replay.admin.send("DELETE", f"{_HOME}/rec-sync/s1.ics")


async def _people(replay: Replay) -> None:
    await _emails(replay, "example.org")


async def _shared(replay: Replay) -> None:
    await _make(replay.admin, "rec-events", title="Rec events")
    await _put(replay.admin, "rec-events/k3.ics", _recorded("calendar-events", "event-kinds", "05-put-all-day"))


async def _two_more(replay: Replay) -> None:
    await _make(replay.admin, "rec-events", title="Rec events")
    await _make(replay.admin, "rec-todos", "VTODO", title="Rec todos")


async def _bobs_address(replay: Replay) -> None:
    change = {"key": "email", "value": "bob@example.org"}
    await replay.login.post("/ocs/v2.php/cloud/users/bob", change, "PUT")


async def _bin(replay: Replay) -> None:
    await _make(replay.admin, "rec-trash")
    for number in range(2):
        await _event(replay.admin, f"rec-trash/x{number}.ics", f"rec-x{number}")
        await replay.admin.send("DELETE", f"{_HOME}/rec-trash/x{number}.ics")
    await _learn_bin(replay, "57", "58")


async def _learn_bin(replay: Replay, *recorded: str) -> None:
    """Which of our numbers in the bin stands for which."""
    ours = [href.rpartition("/")[2].removesuffix(".ics") for href in await inside(replay.admin, f"{_BIN}/")]
    for theirs, number in zip(recorded, ours, strict=True):
        replay.names.learn("binned", theirs, number)


async def _only_events(replay: Replay) -> None:
    await _make(replay.admin, "rec-only-events", "VEVENT")


async def _objects(replay: Replay) -> None:
    await _emails(replay, "example.com")
    await _make(replay.admin, "obj", "VEVENT", "VTODO", "VJOURNAL")
    await _make(replay.admin, "obj2", "VEVENT", "VTODO", "VJOURNAL")


async def _to_move(replay: Replay) -> None:
    await _objects(replay)
    area = "objects/calendar"
    await _put(replay.admin, "obj/rr.ics", _recorded(area, "rrule-and-rdate", "10-put-exrule"))
    await replay.admin.send("DELETE", f"{_HOME}/obj/rr.ics")


async def _more_to_move(replay: Replay) -> None:
    text = _recorded("objects/calendar", "move-and-trash", "01-put-a")
    for name in ("mb", "mc"):
        await _put(replay.admin, f"obj/{name}.ics", text.replace("obj-ma", f"obj-{name}"))


async def _know_bin(replay: Replay) -> None:
    await _learn_bin(replay, "4", "5", "8")


async def _second_invitation(replay: Replay) -> None:
    text = _recorded("objects/calendar", "attendees", "01-invite")
    await _put(replay.admin, "obj/inv2.ics", text.replace("obj-inv", "obj-inv2"))
    listed = await replay.bob.send("PROPFIND", "/remote.php/dav/calendars/bob/personal/", headers={"depth": "1"})
    first = replay.names.ours("token", "sabredav-cbf7c9da-55fb-4d2a-8e2f-720288185ca8")
    [ours] = [name for name in re.findall(r"sabredav-[0-9a-f-]{36}", listed.body.decode()) if name != first]
    replay.names.learn("token", "sabredav-83c7ce0a-5328-4389-8181-66496dfc59ec", ours)


async def _busy_kinds(replay: Replay) -> None:
    await _objects(replay)
    kinds = {"tent": ("14", "STATUS:TENTATIVE\r\n"), "canc": ("15", "STATUS:CANCELLED\r\n"), "busy": ("16", "")}
    kinds["transp"] = ("17", "TRANSP:TRANSPARENT\r\n")
    for uid, (hour, line) in kinds.items():
        text = _EVENT.format(uid, uid, line).replace("20261201T100000Z", f"20270101T{hour}0000Z")
        await _put(replay.admin, f"obj2/{uid}.ics", text.replace("20261201T110000Z", f"20270101T{hour}3000Z"))
    busy = _EVENT.format("fb", "fb", "").replace("T100000Z", "T090000Z").replace("T110000Z", "T103000Z")
    await _put(replay.admin, "obj/fb.ics", busy)


async def _shared_objects(replay: Replay) -> None:
    await _objects(replay)
    full = _recorded("objects/calendar", "full-event", "01-create")
    await _put(replay.admin, "obj/conf.ics", full.replace("obj-full", "obj-conf"))
    public = full.replace("obj-full", "obj-pub").replace("CLASS:CONFIDENTIAL", "CLASS:PUBLIC")
    await _put(replay.admin, "obj/pub.ics", public)
    await replay.admin.send(
        "PROPPATCH",
        f"{_HOME}/obj/",
        body='<d:propertyupdate xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:set><d:prop>'
        "<c:schedule-calendar-transp><c:transparent/></c:schedule-calendar-transp></d:prop></d:set></d:propertyupdate>",
    )


_EVENTS, _OBJECTS = "calendar-events", "objects/calendar"
SCENARIOS: Mapping[str, Arrange] = {
    f"{_EVENTS}:event-kinds": _after(_EVENTS, "event-crud"),
    f"{_EVENTS}:event-queries": _after(_EVENTS, "event-crud", "event-kinds"),
    f"{_EVENTS}:event-invalid": _after(_EVENTS, "event-crud", "event-kinds"),
    f"{_EVENTS}:event-sync": _sync,
    f"{_EVENTS}:scheduling-and-free-busy": _people,
    f"{_EVENTS}:shared-calendar": _shared,
    "calendar-admin:calendars": _two_more,
    "calendar-admin:calendar-trashbin": _bin,
    "calendar-todos:todo-crud": _only_events,
    f"{_OBJECTS}:full-event": _objects,
    f"{_OBJECTS}:rrule-and-rdate": _objects,
    f"{_OBJECTS}:move-and-trash": _to_move,
    f"{_OBJECTS}:attendees": _objects,
    f"{_OBJECTS}:free-busy": _busy_kinds,
    f"{_OBJECTS}:tasks": _objects,
    f"{_OBJECTS}:shared-full-event": _shared_objects,
}
STEPS: Mapping[str, Arrange] = {
    f"{_EVENTS}:event-sync/03-delta": _change,
    "calendar-admin:calendars/39-principal-search": _bobs_address,
    f"{_OBJECTS}:move-and-trash/07-move-onto-taken-overwrite-f": _more_to_move,
    f"{_OBJECTS}:move-and-trash/20-bin": _know_bin,
    f"{_OBJECTS}:attendees/31-organizer-moves-calendar": _second_invitation,
}
