"""What a calendar is asked: queries, several objects at once, what changed, when one is busy."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from aboveboard.nextcloud.sandbox.calendar import free_busy, shelf
from aboveboard.nextcloud.sandbox.calendar.filters import matches, text_of
from aboveboard.nextcloud.sandbox.calendar.ics import Component, to_jcal, to_text
from aboveboard.nextcloud.sandbox.calendar.occurrences import expand_calendar, read_utc
from aboveboard.nextcloud.sandbox.calendar.places import Bin, Binned, branch
from aboveboard.nextcloud.sandbox.calendar.purposes import Place
from aboveboard.nextcloud.sandbox.calendar.resources import SYNC, CalendarResource, ObjectResource
from aboveboard.nextcloud.sandbox.dav.dialect import DavCall, DavError, Resource, bad_request, split_path
from aboveboard.nextcloud.sandbox.dav.propfind import describe, multistatus, read_names
from aboveboard.nextcloud.sandbox.dav.xml import Element, Value, XmlError, clark, make, parse, serialize, texts
from aboveboard.nextcloud.sandbox.wire import XML_TYPE
from aboveboard.sandbox.wire import Response

_DATA = clark("cal:calendar-data")
_EXTRA = ("cal", "cs")


@branch.on("REPORT")
def report(dav: DavCall) -> Response:
    """The report that the body names."""
    found = dav.find()
    try:
        root = parse(dav.call.body)
    except XmlError as error:
        raise DavError(500, "Sabre\\Xml\\LibXMLException", str(error)) from error
    handler = _REPORTS.get(str(root.tag))
    if handler is None:
        raise DavError(415, "ReportNotSupported", details=[make("d:supported-report")])
    return handler(dav, found, root)


class _Answer(Resource):
    """An object in the form that a query asks for."""

    collection = False

    def __init__(self, item: ObjectResource | Binned, data: Element | None) -> None:
        super().__init__(item.path)
        self._item, self._data = item, data

    def value(self, name: str) -> Value | None:
        """A property; of the text, the form that is asked for."""
        if name == _DATA and self._data is not None:
            return self._text(self._data)
        return self._item.value(name)

    def _text(self, data: Element) -> str:
        spread = data.find(clark("cal:expand"))
        text = to_text(self._item.data)
        if spread is not None:
            start, end = (_moment(spread.get(name)) for name in ("start", "end"))
            if start is None or end is None:
                raise bad_request('The "start" and "end" attributes are required when expanding calendar-data')
            tree: Component = self._item.tree
            return expand_calendar(tree, start, end).text().decode()
        if data.get("content-type") == "application/calendar+json":
            return to_jcal(text)
        return text.replace("\r\n", "\n")


def _answered(dav: DavCall, items: Iterable[ObjectResource | Binned], prop: Element | None) -> Response:
    data = prop.find(_DATA) if prop is not None else None
    names = read_names(prop)
    found = [describe(dav, _Answer(item, data), names) for item in items]
    return Response(207, {"content-type": XML_TYPE}, multistatus(found, extra=_EXTRA))


def _query(dav: DavCall, found: Resource, root: Element) -> Response:
    """Objects that fit a filter."""
    wanted = root.find(clark("cal:filter"))
    if wanted is None:
        raise bad_request(f"The {clark('cal:filter')} element is required for this request")
    prop = root.find(clark("d:prop"))
    spread = root.find(f"{clark('d:prop')}/{_DATA}/{clark('cal:expand')}")
    if spread is not None and not (spread.get("start") and spread.get("end")):
        raise bad_request('The "start" and "end" attributes are required when expanding calendar-data')
    if isinstance(found, CalendarResource) and dav.call.header("depth") != "1":
        message = "A calendar-query REPORT on a calendar with a Depth: 0 is undefined. Set Depth to 1"
        raise bad_request(message)
    return _answered(dav, [item for item in _items(found) if matches(item.tree, wanted)], prop)


def _items(found: Resource) -> Sequence[ObjectResource | Binned]:
    if isinstance(found, Bin):
        return found.items()
    if isinstance(found, CalendarResource):
        return [one for one in found.members() if isinstance(one, ObjectResource)]
    return [found] if isinstance(found, ObjectResource | Binned) else []


def _moment(text: str | None) -> datetime | None:
    try:
        return read_utc(text) if text else None
    except ValueError as error:
        message = f"The supplied iCalendar datetime value is incorrect: {error}"
        raise DavError(500, "Sabre\\VObject\\InvalidDataException", message) from error


def _multiget(dav: DavCall, _: Resource, root: Element) -> Response:
    """Objects by their addresses; one that is not there is left out."""
    items: list[ObjectResource | Binned] = []
    for href in texts(root, "d:href"):
        segments = split_path(href.partition(dav.site.base)[2] or href)
        if segments[:1] == [branch.name]:
            try:
                items += _items(dav.at(branch, segments[1:]).find())
            except DavError:
                continue
    return _answered(dav, items, root.find(clark("d:prop")))


def _sync(dav: DavCall, found: Resource, root: Element) -> Response:
    """What changed since a token."""
    if not isinstance(found, CalendarResource):
        raise DavError(415, "ReportNotSupported", details=[make("d:supported-report")])
    since = (texts(root, "d:sync-token") or [""])[0]
    limit = root.findtext(f"{clark('d:limit')}/{clark('d:nresults')}")
    if limit and not since:
        exception = "OCA\\DAV\\Exception\\UnsupportedLimitOnInitialSyncException"
        raise DavError(507, exception, details=[make("d:number-of-matches-within-limits")])
    if since and not since.removeprefix(SYNC).isdecimal():
        message = "Invalid or unknown sync token"
        raise DavError(403, "InvalidSyncToken", message, details=[make("d:valid-sync-token")])
    changed = _changed(found, int(since.removeprefix(SYNC)) if since else None)
    names = read_names(root.find(clark("d:prop")))
    members = {item.path.rpartition("/")[2]: item for item in _items(found)}
    here = [describe(dav, members[uri], names) for uri in changed if uri in members]
    gone = [_gone(f"{found.href}{uri}") for uri in changed if uri not in members]
    answers = [*here, *gone][: int(limit) if limit else None]
    token = make("d:sync-token", f"{SYNC}{found.view.row['token']}")
    return Response(207, {"content-type": XML_TYPE}, serialize("d:multistatus", [*answers, token], extra=_EXTRA))


def _changed(calendar: CalendarResource, since: int | None) -> list[str]:
    store, view = calendar.store, calendar.view
    if since is None:
        return [row["uri"] for row in shelf.objects(store, view.id)]
    sql = "SELECT DISTINCT uri FROM calendar_changes WHERE calendar = ? AND token >= ? AND uri != '' ORDER BY id"
    return list(dict.fromkeys(row["uri"] for row in store.all(sql, view.id, since)))


def _gone(href: str) -> Element:
    return make("d:response", [make("d:href", href), make("d:status", "HTTP/1.1 404 Not Found")])


def _free_busy(dav: DavCall, found: Resource, root: Element) -> Response:
    """When the owner of a calendar is taken."""
    span = root.find(clark("cal:time-range"))
    start, end = (_moment(span.get(name)) if span is not None else None for name in ("start", "end"))
    if start is None or end is None or not isinstance(found, CalendarResource):
        raise bad_request("The time-range filter is required")
    answer = free_busy.taken(dav.call.store, [found.view.id], start, end)
    return Response(200, {"content-type": "text/calendar;charset=UTF-8"}, free_busy.wrapped(answer))


def _search(dav: DavCall, found: Resource, root: Element) -> Response:
    """What holds a word, in all calendars; with a Depth there is no answer."""
    wanted = root.find(clark("ncc:filter"))
    items: list[ObjectResource | Binned] = []
    if wanted is not None and isinstance(found, Place) and not dav.call.header("depth"):
        term = (wanted.findtext(clark("ncc:search-term")) or "").lower()
        names = [prop.get("name") or "" for prop in wanted.iterfind(clark("ncc:prop-filter"))]
        calendars = [one for one in found.members() if isinstance(one, CalendarResource)]
        every = [item for calendar in calendars for item in _items(calendar)]
        items = [item for item in every if any(term in text_of(item.tree, name).lower() for name in names)]
    limit = root.findtext(clark("ncc:limit"))
    return _answered(dav, items[: int(limit) if limit else None], root.find(clark("d:prop")))


_REPORTS = {
    clark("cal:calendar-query"): _query,
    clark("cal:calendar-multiget"): _multiget,
    clark("d:sync-collection"): _sync,
    clark("cal:free-busy-query"): _free_busy,
    clark("ncc:calendar-search"): _search,
}
