"""SEARCH: a basicsearch over someone's files, only on /remote.php/dav/ itself and only with an XML content type."""

import operator
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from aboveboard.nextcloud.sandbox.calls import to_int
from aboveboard.nextcloud.sandbox.dav.dialect import DavCall, DavError, type_error
from aboveboard.nextcloud.sandbox.dav.propfind import describe, multistatus, read_names
from aboveboard.nextcloud.sandbox.dav.xml import Element, XmlError, children, clark, parse, texts
from aboveboard.nextcloud.sandbox.files.mime import type_of
from aboveboard.nextcloud.sandbox.files.properties import PROPERTIES, FileResource
from aboveboard.nextcloud.sandbox.files.spots import Spot
from aboveboard.nextcloud.sandbox.wire import Halt
from aboveboard.sandbox.wire import Response

_TYPE = 'application/xml; charset="utf-8"'
_OFFSET = "{https://github.com/icewind1991/SearchDAV/ns}firstresult"
Test = Callable[[FileResource], bool]


def _favorite(file: FileResource) -> int:
    return int(str(file.value(clark("oc:favorite"))))


def _tags(file: FileResource) -> str:
    rows = file.view.store.all("SELECT tag FROM tagged WHERE node = ?", file.node.id)
    return " ".join(str(row["tag"]) for row in rows)


_READERS: dict[str, Callable[[FileResource], Any]] = {
    "d:displayname": lambda file: file.place.name,
    "d:getcontenttype": lambda file: "httpd/unix-directory" if file.collection else type_of(file.place.name),
    "d:getlastmodified": lambda file: file.node.mtime,
    "d:creationdate": lambda _: 0,
    "nc:upload_time": lambda file: file.node.uploaded,
    "oc:size": lambda file: file.view.tree.size(file.node),
    "oc:favorite": _favorite,
    "oc:fileid": lambda file: file.node.id,
    "oc:tags": _tags,
    "oc:owner-id": lambda file: file.node.owner,
}
SEARCHABLE = {clark(name): read for name, read in _READERS.items()}


def search(dav: DavCall) -> Response:
    """The files that a query finds."""
    if dav.branch.name or dav.path or "xml" not in dav.call.header("content-type"):
        message = "There was no plugin in the system that was willing to handle this SEARCH method."
        raise DavError(501, "NotImplemented", message)
    query = _query(dav.call.body)
    where = _scope(dav, query)
    condition = query.find(clark("d:where"))
    if condition is None or not children(condition):
        raise type_error()
    test = _test(children(condition)[0])
    place = where.need()
    found = [FileResource(where.view, each, where.prefix) for each in where.view.walk(place)]
    matching = _ordered([file for file in found if test(file)], query.find(clark("d:orderby")))
    names = read_names(query.find(f"{clark('d:select')}/{clark('d:prop')}"))
    responses = [describe(dav, file, names) for file in _window(matching, query.find(clark("d:limit")))]
    return Response(207, {"content-type": _TYPE}, multistatus(responses))


def _refuse(words: str, *, xml: bool) -> Halt:
    """A refusal in plain words, whatever its content type says."""
    headers = {"content-type": _TYPE} if xml else {}
    return Halt(Response(400, headers, words.encode()))


def _query(body: bytes) -> Element:
    if not body.strip():
        raise _refuse("Parse error: The input element to parse is empty. Do not attempt to parse", xml=False)
    try:
        root = parse(body)
    except XmlError as error:
        raise _refuse(f"Parse error: {error}", xml=False) from error
    query = root.find(clark("d:basicsearch"))
    if query is None:
        raise _refuse("Parse error: Missing {DAV:}basicsearch when parsing {DAV:}searchrequest", xml=False)
    if query.find(clark("d:from")) is None:
        raise _refuse("Parse error: Missing {DAV:}from when parsing {DAV:}basicsearch", xml=False)
    return query


def _scope(dav: DavCall, query: Element) -> Spot:
    """The folder to look in, always with all that is below. Its path is taken as it is, escapes and all."""
    scope = query.find(f"{clark('d:from')}/{clark('d:scope')}")
    hrefs = texts(scope, "d:href") if scope is not None else []
    path = urlsplit(hrefs[0]).path if hrefs and "://" in hrefs[0] else "".join(hrefs[:1])
    names = tuple(filter(None, path.removeprefix(dav.site.base).split("/")))
    if names[:2] != ("files", dav.call.uid):
        raise DavError(500, "InvalidArgumentException", "Search is only supported on directories")
    where = Spot(dav.call.files(), f"{dav.site.base}/files/{dav.call.uid}", names[2:])
    if not where.need().node.folder:
        raise DavError(500, "InvalidArgumentException", "Search is only supported on directories")
    return where


def _test(element: Element) -> Test:
    """A condition as a function of a file."""
    name = str(element.tag).removeprefix("{DAV:}")
    if name in {"and", "or"}:
        tests = [_test(child) for child in children(element)]
        return lambda file: (all if name == "and" else any)(test(file) for test in tests)
    if name == "not":
        inner = _test(children(element)[0])
        return lambda file: not inner(file)
    if name == "is-collection":
        return lambda file: file.collection
    return _comparison(name, element)


_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "eq": operator.eq,
    "gt": operator.gt,
    "gte": operator.ge,
    "lt": operator.lt,
    "lte": operator.le,
}


def _comparison(name: str, element: Element) -> Test:
    read = _property(element, "search")
    literal = (element.findtext(clark("d:literal")) or "").strip()
    if name == "like":
        pattern = _like(literal)
        return lambda file: pattern.fullmatch(str(read(file))) is not None
    compare = _COMPARISONS.get(name)
    if compare is None:
        raise type_error()
    return lambda file: compare(value := read(file), _cast(literal, value))


def _cast(literal: str, value: object) -> Any:
    """The literal as what it is compared with; a word that should be a date is the beginning of time."""
    if not isinstance(value, int):
        return literal
    if literal in {"yes", "true"}:
        return 1
    try:
        moment = datetime.fromisoformat(literal) if "-" in literal[1:] else None
    except ValueError:
        moment = None
    return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()) if moment else to_int(literal)


def _like(pattern: str) -> re.Pattern[str]:
    """SQLite's LIKE: the case of ASCII letters does not count, % and _ are wild unless a backslash is before them."""
    parts = re.findall(r"\\.|.", pattern, re.DOTALL)
    wild = {"%": ".*", "_": "."}
    return re.compile(
        "".join(wild.get(part) or re.escape(part[-1]) for part in parts), re.IGNORECASE | re.ASCII | re.DOTALL
    )


def _property(element: Element, use: str) -> Callable[[FileResource], Any]:
    names = read_names(element.find(clark("d:prop")))
    read = SEARCHABLE.get(names[0]) if names else None
    if read is None:
        known = bool(names) and names[0] in PROPERTIES
        words = f"requested {use} property is not "
        raise _refuse(words + (f"{use}able" if known else "a valid property for this scope"), xml=True)
    return read


def _ordered(found: list[FileResource], orders: Element | None) -> list[FileResource]:
    given = [] if orders is None else children(orders)
    for order in reversed(given):
        read = _property(order, "order by")
        found.sort(key=read, reverse=order.find(clark("d:descending")) is not None)
    return found


def _window(found: list[FileResource], limit: Element | None) -> list[FileResource]:
    """A page; the offset counts only in SearchDAV's namespace, and a negative limit cuts as many off at the end."""
    if limit is None:
        return found
    count = (limit.findtext(clark("d:nresults")) or "").strip()
    offset = (limit.findtext(_OFFSET) or "0").strip()
    if not re.fullmatch(r"-?\d+", count) or not offset.isdecimal():
        raise type_error()
    start = int(offset)
    return found[start : int(count)] if int(count) < 0 else found[start : start + int(count)]
