"""REPORT on files: those that are favourites or carry tags."""

from aboveboard.nextcloud.sandbox.dav.dialect import DavCall, DavError, bad_request
from aboveboard.nextcloud.sandbox.dav.propfind import describe, multistatus, read_names
from aboveboard.nextcloud.sandbox.dav.reports import read_report
from aboveboard.nextcloud.sandbox.dav.xml import Element, clark, texts
from aboveboard.nextcloud.sandbox.files import files
from aboveboard.nextcloud.sandbox.files.properties import FileResource
from aboveboard.nextcloud.sandbox.wire import XML_TYPE
from aboveboard.sandbox.wire import Response


@files.branch.on("REPORT")
def report(dav: DavCall) -> Response:
    """The files below a folder that all rules agree on, the folder itself included."""
    root = read_report(dav, "oc:filter-files")
    where = files.spot(dav)
    rules = root.find(clark("oc:filter-rules"))
    favorite = texts(rules, "oc:favorite") if rules is not None else []
    tags = texts(rules, "oc:systemtag") if rules is not None else []
    if not favorite and not tags:
        raise bad_request("Missing filter-rule block in request")
    wanted = _matching(dav, favorite=bool(favorite), tags=tags)
    names = read_names(root.find(clark("d:prop")))
    place = where.need()
    found = [each for each in (place, *where.view.walk(place)) if each.node.id in wanted]
    resources = [FileResource(where.view, each, where.prefix) for each in sorted(found, key=lambda each: each.node.id)]
    limit, offset = _window(root)
    shown = resources[offset : None if limit is None else offset + limit]
    responses = [describe(dav, resource, names, href=resource.href.rstrip("/")) for resource in shown]
    return Response(207, {"content-type": XML_TYPE}, multistatus(responses))


def _matching(dav: DavCall, *, favorite: bool, tags: list[str]) -> set[int]:
    """The ids that pass; what is asked of a favourite does not matter, 0 means 1 too."""
    store = dav.call.store
    sets: list[set[int]] = []
    if favorite:
        sets.append({row["node"] for row in store.all("SELECT node FROM favorites WHERE uid = ?", dav.call.uid)})
    for tag in tags:
        known = store.one("SELECT 1 FROM tags WHERE id = ? AND (visible OR ?)", tag, dav.call.me.admin)
        if known is None:
            raise DavError(412, "PreconditionFailed", "Cannot filter by non-existing tag")
        sets.append({row["node"] for row in store.all("SELECT node FROM tagged WHERE tag = ?", tag)})
    return set[int].intersection(*sets)


def _window(root: Element) -> tuple[int | None, int]:
    search = root.find(clark("d:limit"))
    given = texts(search, "d:nresults") if search is not None else []
    first = texts(search, "nc:firstresult") if search is not None else []
    limit = int(given[0]) if given and given[0].isdecimal() else None
    return limit, int(first[0]) if first and first[0].isdecimal() else 0
