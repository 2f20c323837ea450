"""PROPFIND and PROPPATCH for every resource, and the multistatus that all listings come as."""

from collections.abc import Iterable, Sequence
from functools import cache
from http import HTTPStatus

from aboveboard.nextcloud.sandbox.dav.dialect import ALLPROP, DavCall, DavError, Resource, bad_request
from aboveboard.nextcloud.sandbox.dav.xml import Element, XmlError, children, clark, make, parse, serialize
from aboveboard.nextcloud.sandbox.wire import XML_TYPE, digest
from aboveboard.sandbox.wire import Response

_PRINCIPAL = clark("d:current-user-principal")
_DEEPEST = 1000


def propfind(dav: DavCall) -> Response:
    """The properties of a resource and, by depth, of those inside."""
    names = _wanted(dav.call.body)
    depth = _depth(dav.call.header("depth"))
    try:
        resources = list(_collect(dav.find(), depth))
    except DavError as error:
        # The answer has this header before the lookup, so that even a 404 carries it.
        if not error.early:
            error.headers["dav"] = dav.branch.features
        raise
    headers = {"content-type": XML_TYPE, "dav": dav.branch.features}
    if dav.call.header("x-nc-paginate") == "true" and depth:
        resources, more = _paginate(dav, resources)
        headers |= more
    body = multistatus([describe(dav, resource, names) for resource in resources], extra=dav.branch.prefixes)
    return Response(207, headers, body)


def multistatus(responses: Iterable[Element], *, extra: Sequence[str] = ()) -> bytes:
    """The document around responses."""
    return serialize("d:multistatus", responses, extra=extra)


def describe(dav: DavCall, resource: Resource, names: Sequence[str] | None, *, href: str | None = None) -> Element:
    """One response: the properties that there are, then the names of those that are not."""
    found: list[Element] = []
    missing: list[Element] = []
    for name in ALLPROP if names is None else names:
        value = _principal(dav) if name == _PRINCIPAL else resource.value(name)
        if value is not None:
            found.append(make(name, value))
        elif names is not None:
            missing.append(make(name))
    parts = [make("d:href", href or resource.href)]
    parts += [propstat(props, status) for props, status in ((found, 200), (missing, 404)) if props]
    return make("d:response", parts)


def propstat(props: list[Element], status: int) -> Element:
    """Properties that share a status."""
    return make("d:propstat", [make("d:prop", props), make("d:status", _status_line(status))])


@cache
def _status_line(status: int) -> str:
    return f"HTTP/1.1 {status} {HTTPStatus(status).phrase}"


def read_names(prop: Element | None) -> list[str]:
    """The names of the properties that a prop element lists."""
    return [str(child.tag) for child in children(prop)] if prop is not None else []


def _wanted(body: bytes) -> list[str] | None:
    """The properties asked for; None for the default set."""
    if not body.strip():
        return None
    try:
        root = parse(body)
    except XmlError as error:
        raise bad_request(str(error)) from error
    prop = root.find(clark("d:prop"))
    return None if prop is None else read_names(prop)


def _depth(header: str) -> int:
    if header.isascii() and header.isdecimal():
        return int(header)
    return _DEEPEST if header == "infinity" else 1


def _collect(resource: Resource, depth: int) -> Iterable[Resource]:
    yield resource
    if depth and resource.collection:
        for member in resource.members():
            yield from _collect(member, depth - 1)


def _paginate(dav: DavCall, resources: list[Resource]) -> tuple[list[Resource], dict[str, str]]:
    """A window of the listing; the token is not looked at, since the listing is made anew each time."""
    offset, count = (dav.call.header(f"x-nc-paginate-{name}") for name in ("offset", "count"))
    start = int(offset) if offset.isdecimal() else 0
    stop = start + int(count) if count.isdecimal() else None
    headers = {
        "x-nc-paginate": "true",
        "x-nc-paginate-token": digest(f"{dav.call.path} {start} {stop} {dav.call.store.now()}"),
        "x-nc-paginate-total": str(len(resources)),
    }
    return resources[start:stop], headers


def _principal(dav: DavCall) -> list[Element]:
    caller = dav.call.caller
    if caller is None:
        return [make("d:unauthenticated")]
    return [make("d:href", f"{dav.call.root}/remote.php/dav/principals/users/{caller.uid}/")]


def proppatch(dav: DavCall) -> Response:
    """Set and remove properties: all of them, or, where one is protected, none."""
    try:
        root = parse(dav.call.body)
    except XmlError as error:
        raise bad_request(str(error)) from error
    updates: dict[str, Element | None] = {}
    for action in children(root):
        for prop in children(action):
            for child in children(prop):
                updates[str(child.tag)] = child if action.tag == clark("d:set") else None
    resource = dav.find()
    statuses = resource.patch(updates)
    groups: dict[int, list[Element]] = {}
    for name, status in statuses.items():
        groups.setdefault(status, []).append(make(name))
    parts = [make("d:href", resource.href.rstrip("/")), *(propstat(props, status) for status, props in groups.items())]
    return Response(207, {"content-type": XML_TYPE}, multistatus([make("d:response", parts)]))


def update_statuses(updates: dict[str, Element | None], protected: Iterable[str]) -> dict[str, int]:
    """The statuses of an update; where any property is protected the others fail with it."""
    refused = set(protected) & set(updates)
    if refused:
        return {name: 403 if name in refused else 424 for name in updates}
    return {name: 204 if element is None else 200 for name, element in updates.items()}
