"""A whole calendar as one file."""

from datetime import UTC, datetime

from aboveboard.nextcloud.sandbox.calendar import shelf
from aboveboard.nextcloud.sandbox.calendar.ics import PRODID, Component, Line, parse, to_text
from aboveboard.nextcloud.sandbox.calendar.occurrences import expand_calendar
from aboveboard.nextcloud.sandbox.calendar.resources import CalendarResource
from aboveboard.nextcloud.sandbox.dav.dialect import DavCall
from aboveboard.sandbox.wire import Response


def export(dav: DavCall, calendar: CalendarResource) -> Response:
    """Everything in a calendar, or what takes place in a range, each occurrence by itself."""
    query = dav.call.query
    kind = query.get("componentType", "")
    trees = [
        parse(to_text(row["data"]))
        for row in shelf.objects(dav.call.store, calendar.view.id)
        if not kind or row["component"] == kind
    ]
    spread = "expand" in query
    if spread:
        start, end = (datetime.fromtimestamp(int(query[name]), UTC) for name in ("start", "end"))
        trees = [expand_calendar(tree, start, end) for tree in trees]
    made = _merged(trees, calendar.view.row["name"] or "", spread=spread)
    day = datetime.fromtimestamp(dav.call.store.now(), UTC)
    headers = {
        "content-type": "text/calendar;charset=UTF-8",
        "content-disposition": f'attachment; filename="{calendar.view.uri}-{day:%Y-%m-%d}.ics"',
    }
    return Response(200, headers, made.text())


def _merged(trees: list[Component], name: str, *, spread: bool) -> Component:
    version, scale = Line("VERSION", {}, "2.0"), Line("CALSCALE", {}, "GREGORIAN")
    head = (
        [version, Line("PRODID", {}, PRODID), scale]
        if spread
        else [version, scale, Line("PRODID", {}, "-//SabreDAV//SabreDAV//EN")]
    )
    more = [
        Line("X-WR-CALNAME", {}, name),
        Line("REFRESH-INTERVAL", {"VALUE": "DURATION"}, "PT4H"),
        Line("X-PUBLISHED-TTL", {}, "PT4H"),
    ]
    zones = {zone.value("TZID"): zone for tree in trees for zone in tree.within("VTIMEZONE")}
    return Component("VCALENDAR", [*head, *more], [*zones.values(), *(item for tree in trees for item in tree.items)])
