"""Comments on files, known by the id of the file."""

import re
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any

from aboveboard.nextcloud.sandbox import wire
from aboveboard.nextcloud.sandbox.dav.dialect import (
    Branch,
    DavCall,
    DavError,
    Resource,
    bad_request,
    forbidden,
    not_found,
)
from aboveboard.nextcloud.sandbox.dav.propfind import multistatus, propstat
from aboveboard.nextcloud.sandbox.dav.reports import read_report
from aboveboard.nextcloud.sandbox.dav.xml import Element, Value, clark, make, table, texts
from aboveboard.nextcloud.sandbox.store import ID, NODE, PERSON, Store
from aboveboard.nextcloud.sandbox.wire import XML_TYPE, http_date
from aboveboard.sandbox.table import Table
from aboveboard.sandbox.wire import Response

COMMENTS = Table(
    "comments",
    f"{ID}, {NODE}, uid TEXT, message TEXT, created INTEGER",
    derived={"created"},
    indexes=("node",),
)
READS = Table(
    "comment_reads",
    f"{NODE}, {PERSON}, time INTEGER, PRIMARY KEY (node, uid)",
    at="comments/read/{node}/{uid}",
    value="time",
    derived={"time"},
)

LONGEST = 1000
_MENTION = re.compile(r'@(?:"([^"]+)"|([\w.@-]+))')
_MESSAGE, _MARKER = clark("oc:message"), clark("oc:readMarker")


class Comment(Resource):
    """A comment."""

    collection = False

    def __init__(self, dav: DavCall, row: sqlite3.Row) -> None:
        super().__init__(f"{dav.url}/files/{row['node']}/{row['id']}")
        self.store, self.uid, self.row = dav.call.store, dav.call.uid, row

    def value(self, name: str) -> Value | None:
        """A property of the table below."""
        read = PROPERTIES.get(name)
        return read(self) if read else super().value(name)

    def patch(self, updates: Mapping[str, Element | None]) -> dict[str, int]:
        """The author may change the message; whatever else is sent is said to be done and is not."""
        if _MESSAGE in updates:
            self.only_author()
            element = updates[_MESSAGE]
            message = "" if element is None else element.text or ""
            _check_length(message)
            self.store.update("comments", self.row["id"], message=message)
        return {name: 200 if element is not None else 204 for name, element in updates.items()}

    def only_author(self) -> None:
        """Refuse everyone else."""
        if self.row["uid"] != self.uid:
            raise forbidden("Only authors are allowed to edit their comment.")


def _mentions(comment: Comment) -> list[Element]:
    """The people named in a message, the longer names first."""
    names = [quoted or plain for quoted, plain in _MENTION.findall(comment.row["message"])]
    return [
        make(
            "oc:mention",
            [
                make("oc:mentionType", "user"),
                make("oc:mentionId", name),
                make("oc:mentionDisplayName", _display_name(comment.store, name) or "Unknown account"),
            ],
        )
        for name in sorted(set(names), key=lambda name: (-len(name), name))
    ]


def _is_unread(comment: Comment) -> bool:
    sql = "SELECT time FROM comment_reads WHERE node = ? AND uid = ?"
    seen = comment.store.one(sql, comment.row["node"], comment.uid)
    return comment.row["uid"] != comment.uid and comment.row["created"] > (seen["time"] if seen else 0)


def _display_name(store: Store, uid: str) -> str:
    row = store.one("SELECT displayname FROM users WHERE uid = ?", uid)
    return row["displayname"] if row else ""


PROPERTIES: dict[str, Callable[[Comment], Value | None]] = table(
    {
        "oc:id": lambda comment: str(comment.row["id"]),
        "oc:parentId": lambda _: "0",
        "oc:topmostParentId": lambda _: "0",
        "oc:childrenCount": lambda _: "0",
        "oc:verb": lambda _: "comment",
        "oc:actorType": lambda _: "users",
        "oc:actorId": lambda comment: comment.row["uid"],
        "oc:creationDateTime": lambda comment: http_date(comment.row["created"]),
        "oc:latestChildDateTime": lambda _: "",
        "oc:objectType": lambda _: "files",
        "oc:objectId": lambda comment: str(comment.row["node"]),
        "oc:message": lambda comment: comment.row["message"],
        "oc:actorDisplayName": lambda comment: _display_name(comment.store, comment.row["uid"]),
        "oc:isUnread": lambda comment: "true" if _is_unread(comment) else "false",
        "oc:mentions": _mentions,
    }
)


class Discussion(Resource):
    """All comments on a file."""

    def __init__(self, dav: DavCall, node: int) -> None:
        super().__init__(f"{dav.url}/files/{node}")
        self.dav, self.node = dav, node

    def members(self) -> Iterable[Comment]:
        """The comments, the newest first."""
        rows = self.dav.call.store.all("SELECT * FROM comments WHERE node = ? ORDER BY id DESC", self.node)
        return [Comment(self.dav, row) for row in rows]

    def patch(self, updates: Mapping[str, Element | None]) -> dict[str, int]:
        """The reader has seen everything up to now."""
        if _MARKER in updates:
            self.mark_read()
        return {name: 200 if name == _MARKER else 403 for name in updates}

    def mark_read(self) -> None:
        """The caller has seen all that is there."""
        store = self.dav.call.store
        values = (self.node, self.dav.call.uid, store.now())
        store.run("INSERT OR REPLACE INTO comment_reads VALUES (?, ?, ?)", *values)


def _check_length(message: str) -> None:
    if len(message) > LONGEST:
        raise bad_request(f"Message exceeds allowed character limit of {LONGEST}")


def _discussion(dav: DavCall) -> Discussion:
    if dav.path[0] != "files":
        raise not_found(f'Entity type "{dav.path[0]}" not found."')
    if not dav.path[1].isdecimal() or dav.call.files().by_id(int(dav.path[1])) is None:
        raise not_found("Entity does not exist or is not available")
    return Discussion(dav, int(dav.path[1]))


def _find(dav: DavCall) -> Resource:
    if len(dav.path) < 2:
        return Resource("/".join((dav.url, *dav.path)))
    discussion = _discussion(dav)
    if len(dav.path) == 2:
        return discussion
    for comment in discussion.members():
        if str(comment.row["id"]) == dav.path[2]:
            return comment
    raise not_found()


branch = Branch("comments", _find)


@branch.on("POST")
def create(dav: DavCall) -> Response:
    """A new comment; its id is only in the Content-Location."""
    discussion = _discussion(dav)
    given = read_json(dav)
    actor = given.get("actorType")
    if actor != "users":
        raise bad_request(f'Invalid actor "{actor or ""}"')
    message, verb = given.get("message"), given.get("verb")
    if not isinstance(message, str) or not isinstance(verb, str) or verb != "comment":
        raise bad_request("Invalid input values")
    _check_length(message)
    store = dav.call.store
    values = {"node": discussion.node, "uid": dav.call.uid, "message": message.strip(), "created": store.now()}
    key = store.insert("comments", **values)
    discussion.mark_read()
    return Response(201, {"content-location": f"{discussion.href}{key}"})


def read_json(dav: DavCall) -> dict[str, Any]:
    """A JSON object; forms are refused, and broken JSON is the server's own failure."""
    if "application/json" not in dav.call.header("content-type"):
        raise DavError(415, "UnsupportedMediaType")
    try:
        return wire.read_json(dav.call.body)
    except ValueError as error:
        raise DavError(500, "JsonException", "Syntax error") from error


@branch.on("DELETE")
def delete(dav: DavCall) -> Response:
    """The author takes a comment back."""
    comment = dav.find()
    if not isinstance(comment, Comment):
        raise forbidden()
    comment.only_author()
    dav.call.store.run("DELETE FROM comments WHERE id = ?", comment.row["id"])
    return Response(204)


@branch.on("REPORT")
def report(dav: DavCall) -> Response:
    """A page of comments, always with all properties; without any parameter it is the newest one alone."""
    discussion = _discussion(dav)
    root = read_report(dav, "oc:filter-comments")
    comments = list(discussion.members())
    limit, offset = (texts(root, f"oc:{name}") for name in ("limit", "offset"))
    since = _seconds(texts(root, "oc:datetime"))
    shown = [comment for comment in comments if comment.row["created"] > since]
    start = int(offset[0]) if offset and offset[0].isdecimal() else 0
    count = (int(limit[0]) if limit[0].isdecimal() else 0) or len(shown) if limit else 1
    responses = [_response(comment) for comment in shown[start : start + count]]
    return Response(207, {"content-type": XML_TYPE}, multistatus(responses))


def _response(comment: Comment) -> Element:
    values = [make(name, read(comment) or "") for name, read in PROPERTIES.items()]
    return make("d:response", [make("d:href", comment.href), propstat(values, 200)])


def _seconds(given: list[str]) -> float:
    try:
        return datetime.fromisoformat(given[0]).timestamp() if given else 0
    except ValueError:
        return 0
