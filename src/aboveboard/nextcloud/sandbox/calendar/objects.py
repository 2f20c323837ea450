"""Reading, writing, moving and deleting events and tasks; whoever is invited hears of it."""

import re
from dataclasses import replace
from urllib.parse import quote

from aboveboard.nextcloud.sandbox.calendar import checking, scheduling, shelf
from aboveboard.nextcloud.sandbox.calendar.export import export
from aboveboard.nextcloud.sandbox.calendar.ics import parse, to_jcal, to_text
from aboveboard.nextcloud.sandbox.calendar.places import Binned, Message, branch, delete_calendar, find_view
from aboveboard.nextcloud.sandbox.calendar.resources import CalendarResource, ObjectResource, find_home
from aboveboard.nextcloud.sandbox.calendar.shelf import View
from aboveboard.nextcloud.sandbox.dav.dialect import (
    DavCall,
    DavError,
    conflict,
    failed_condition,
    forbidden,
    not_allowed,
    not_found,
)
from aboveboard.nextcloud.sandbox.files.files import SENTENCE
from aboveboard.nextcloud.sandbox.wire import HTML_TYPE, http_date
from aboveboard.sandbox.wire import Response


@branch.on("GET", "HEAD")
def get(dav: DavCall) -> Response:
    """A text as it was stored, or a whole calendar where that is asked for."""
    found = dav.find()
    if isinstance(found, CalendarResource) and "export" in dav.call.query:
        return export(dav, found)
    if not isinstance(found, ObjectResource | Message | Binned):
        return Response(200, {"content-type": HTML_TYPE}, SENTENCE)
    name = found.path.rpartition("/")[2]
    etag = f'"{found.row["etag"]}"'
    headers = {
        "etag": etag,
        "oc-etag": etag,
        "content-disposition": f"attachment; filename*=UTF-8''{quote(name)}; filename=\"{name}\"",
        "content-type": found.content_type,
    }
    if not isinstance(found, Binned):
        headers["last-modified"] = http_date(found.row["modified"])
    body: bytes = found.data
    if "calendar+json" in dav.call.header("accept"):
        headers["content-type"] = "application/calendar+json"
        body = to_jcal(to_text(body)).encode()
    return Response(200, headers, b"" if dav.call.method == "HEAD" else body)


def _view_to_write(dav: DavCall) -> View:
    """The calendar that an object is written into; a receiver who may only read does not find it."""
    if len(dav.path) != 3:
        raise not_found("Calendar object not found")
    view = find_view(dav, find_home(dav))
    if view.row["source"] or view.row["uri"] == "contact_birthdays":
        raise forbidden(f"Permission denied to create file (filename {dav.path[2]})")
    if view.access == shelf.READ:
        overwrites = dav.call.method == "PUT" and shelf.find_object(dav.call.store, view.id, dav.path[2])
        missing = f"Node with name '{dav.path[2]}'" if overwrites else f"Calendar with name '{dav.path[1]}'"
        raise not_found(f"{missing} could not be found")
    return view


@branch.on("PUT")
def put(dav: DavCall) -> Response:
    """Store an object; without an ETag in the answer the server changed it."""
    view, store = _view_to_write(dav), dav.call.store
    old = shelf.find_object(store, view.id, dav.path[2])
    new_uid = f"sabre-vobject-{store.secret(8)}"
    content_type = dav.call.header("content-type")
    checked = checking.check(dav.call.body, content_type, view.components, new_uid, store.now())
    tree = checked.calendar.copy()
    before = parse(to_text(old["data"])) if old else None
    if scheduling.tell_others(store, view.row["uid"], before, tree):
        checked = replace(checked, data=tree.text(), repaired=True)
    etag = shelf.write(store, view.id, dav.path[2], checked.data, checked.uid, checked.component)
    headers = {} if checked.repaired else {"etag": f'"{etag}"', "oc-etag": f'"{etag}"'}
    return Response(204 if old else 201, headers)


@branch.on("DELETE")
def delete(dav: DavCall) -> Response:
    """A calendar, an object, or something in the bin for good."""
    found = dav.find()
    if isinstance(found, CalendarResource):
        return delete_calendar(dav, found)
    if isinstance(found, ObjectResource):
        return _delete_object(dav, found)
    if isinstance(found, Binned):
        dav.call.store.run("DELETE FROM calendar_objects WHERE id = ?", found.row["id"])
        return Response(204)
    if isinstance(found, Message):
        dav.call.store.run("DELETE FROM calendar_inbox WHERE id = ?", found.row["id"])
        return Response(204)
    raise forbidden("" if len(dav.path) < 2 else "Permission denied to delete node")


def _delete_object(dav: DavCall, found: ObjectResource) -> Response:
    """Into the bin, and whoever takes part is told, unless the request says not to."""
    _view_to_write(dav)
    store, row = dav.call.store, found.row
    if dav.call.header("schedule-reply").upper() != "F":
        scheduling.deleted(store, found.calendar.view.row["uid"], parse(to_text(row["data"])))
    shelf.discard(store, row)
    return Response(204)


@branch.on("MOVE")
def move(dav: DavCall) -> Response:
    """Into another calendar; out of the bin; a deleted calendar back to its place."""
    target = dav.destination()
    found = dav.find()
    restores = target.branch is branch and target.path[1:2] == ("trashbin",) and target.path[2:3] == ("restore",)
    if restores and isinstance(found, Binned):
        shelf.restore(dav.call.store, found.row)
        return Response(201)
    if isinstance(found, CalendarResource):
        if not restores:
            raise not_allowed("Renaming calendars is not yet supported")
        dav.call.store.update("calendars", found.view.id, deleted=None)
        return Response(201)
    if not isinstance(found, ObjectResource):
        raise forbidden()
    _view_to_write(dav)
    view, replaced = _make_room(dav, target, found)
    shelf.move(dav.call.store, found.row, view.id, target.path[2])
    return Response(204 if replaced else 201)


@branch.on("COPY")
def copy(dav: DavCall) -> Response:
    """The same object in another calendar."""
    found, target = dav.find(), dav.destination()
    if not isinstance(found, ObjectResource):
        raise forbidden()
    view, replaced = _make_room(dav, target, found)
    row = found.row
    shelf.write(dav.call.store, view.id, target.path[2], row["data"], row["uid"], row["component"])
    return Response(204 if replaced else 201)


def _make_room(dav: DavCall, target: DavCall, found: ObjectResource) -> tuple[View, bool]:
    """The calendar that something moves into, and whether something there gave way."""
    try:
        view = _view_to_write(target)
    except DavError as error:
        raise conflict("The destination node is not found") from error
    if view.id == found.row["calendar"] and dav.call.method == "MOVE":
        raise forbidden("Permission denied to rename file")
    there = shelf.find_object(dav.call.store, view.id, target.path[2])
    if there and re.fullmatch("f", dav.call.header("overwrite"), re.IGNORECASE):
        message = "The destination node already exists, and the overwrite header is set to false"
        raise failed_condition(message, "Overwrite")
    if there:
        shelf.discard(dav.call.store, there)
    return view, bool(there)
