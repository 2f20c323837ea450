"""Conditional requests: If-Match, If-None-Match, the dates, and WebDAV's own If."""

import re
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

from aboveboard.nextcloud.sandbox.dav.dialect import DavCall, DavError, Resource, failed_condition, split_path
from aboveboard.nextcloud.sandbox.dav.xml import clark
from aboveboard.sandbox.wire import Response

_MODIFIED = clark("d:getlastmodified")
_CONDITION = re.compile(r"(?:<([^>]*)>\s+)?\(\s*(Not\s+)?(?:<([^>]*)>)?\s*(?:\[([^\]]*)\])?\s*\)", re.IGNORECASE)


def check(dav: DavCall) -> Response | None:
    """Raise where a condition fails; an answer where the client already has what it asks for."""
    headers = dav.call.headers
    if "if-match" in headers:
        _match(headers["if-match"], _look(dav))
    reading = dav.call.method in {"GET", "HEAD"}
    if "if-none-match" in headers:
        unchanged = _none_match(headers["if-none-match"], _look(dav), reading=reading)
        if unchanged:
            return unchanged
    elif "if-modified-since" in headers and reading:
        resource = _look(dav)
        if resource and _modified(resource) <= _seconds(headers["if-modified-since"]):
            return Response(304, {"last-modified": str(resource.value(_MODIFIED))})
    if "if-unmodified-since" in headers and "if-match" not in headers:
        _unmodified(headers["if-unmodified-since"], _look(dav))
    if "if" in headers:
        _check_if(dav, headers["if"])
    return None


def _look(dav: DavCall) -> Resource | None:
    try:
        return dav.find()
    except DavError:
        return None


def _listed(header: str) -> list[str]:
    return [tag.strip() for tag in header.split(",")]


def _match(header: str, resource: Resource | None) -> None:
    if resource is None:
        raise failed_condition("An If-Match header was specified and the resource did not exist", "If-Match")
    if header.strip() != "*" and resource.etag not in _listed(header):
        message = "An If-Match header was specified, but none of the specified ETags matched."
        raise failed_condition(message, "If-Match", etag=resource.etag)


def _none_match(header: str, resource: Resource | None, *, reading: bool) -> Response | None:
    if resource is None or (header.strip() != "*" and resource.etag not in _listed(header)):
        return None
    if reading:
        return Response(304, {"etag": resource.etag} if resource.etag else {})
    message = "An If-None-Match header was specified, but the ETag matched (or * was specified)."
    raise failed_condition(message, "If-None-Match", etag=None if header.strip() == "*" else resource.etag)


def _unmodified(header: str, resource: Resource | None) -> None:
    if resource and _modified(resource) > _seconds(header):
        message = (
            "An If-Unmodified-Since header was specified, but the entity has been changed since the specified date."
        )
        raise failed_condition(message, "If-Unmodified-Since")


def _modified(resource: Resource) -> float:
    value = resource.value(_MODIFIED)
    return _seconds(value) if isinstance(value, str) else 0


def _seconds(text: str) -> float:
    try:
        return parsedate_to_datetime(text).timestamp()
    except ValueError:
        return 0


def _check_if(dav: DavCall, header: str) -> None:
    """Each resource that the header names needs one condition that holds."""
    groups: dict[str, list[tuple[str, str, bool]]] = {}
    uri = ""
    for tagged, negated, token, etag in _CONDITION.findall(header):
        uri = tagged or uri
        groups.setdefault(uri, []).append((token, etag, bool(negated)))
    for uri, conditions in groups.items():
        segments = _segments(dav, uri)
        branch, path = dav.site.locate(segments)
        resource = _look(dav.at(branch, path))
        if not any(_holds(resource, *condition) for condition in conditions):
            name = "/".join(segments)
            raise failed_condition(f"Failed to find a valid token/etag combination for {name}", "If")


def _segments(dav: DavCall, uri: str) -> list[str]:
    if not uri:
        return [*([dav.branch.name] if dav.branch.name else []), *dav.path]
    return split_path(urlsplit(uri).path.removeprefix(dav.site.base))


def _holds(resource: Resource | None, token: str, etag: str, negated: bool) -> bool:  # noqa: FBT001 - as the header has it
    if resource is None:
        return negated
    good = (not etag or resource.etag == etag) and (not token or resource.has_lock(token))
    return good != negated
