"""Locks: those that people set on files, and WebDAV's own with a token."""

import re

from aboveboard.nextcloud.sandbox.dav.dialect import DavCall, DavError, bad_request
from aboveboard.nextcloud.sandbox.dav.xml import Element, XmlError, clark, make, parse, serialize
from aboveboard.nextcloud.sandbox.files.properties import FileResource
from aboveboard.nextcloud.sandbox.files.views import Place, View
from aboveboard.nextcloud.sandbox.wire import XML_TYPE
from aboveboard.sandbox.table import Table
from aboveboard.sandbox.wire import Response

LOCKS = Table(
    "locks",
    "node INTEGER PRIMARY KEY REFERENCES nodes ON DELETE CASCADE, uid TEXT, kind TEXT, token TEXT, time INTEGER,"
    " timeout INTEGER",
    derived={"time", "timeout"},
)

_FIELDS = ("lock-owner-type", "lock-owner", "lock-owner-displayname", "lock-owner-editor", "lock-time", "lock-timeout")


def check(dav: DavCall, view: View, place: Place) -> None:
    """Refuse to change what someone else locked, or what is locked by a token that the request does not show."""
    row = view.store.one("SELECT * FROM locks WHERE node = ?", place.node.id)
    if row is None:
        return
    allowed = row["uid"] == view.uid if row["kind"] == "user" else row["token"] in dav.call.header("if")
    if not allowed:
        name = "/".join((dav.branch.name, *dav.path))
        raise DavError(423, "Locked", details=[make("d:lock-token-submitted", [make("d:href", name)])])


def lock(dav: DavCall, file: FileResource) -> Response:
    """Lock a file for oneself, or with a token."""
    check(dav, file.view, file.place)
    store, node = file.view.store, file.node
    if dav.call.header("x-user-lock"):
        again = store.one("SELECT 1 FROM locks WHERE node = ?", node.id)
        if again is None:
            token = f"files_lock/{_uuid(store.secret())}"
            _insert(file, "user", token, -60)
            node = file.view.tree.renew(node, etag=store.uniqid())
        else:
            store.run("UPDATE locks SET timeout = 0 WHERE node = ?", node.id)
        return _state(file, node.etag)
    seconds = re.search(r"Second-(\d+)", dav.call.header("timeout"))
    token = f"opaquelocktoken:{_uuid(store.secret())}"
    store.run("DELETE FROM locks WHERE node = ?", node.id)
    _insert(file, "token", token, int(seconds.group(1)) if seconds else 1800)
    timeout = seconds.group() if seconds else "Second-1800"
    discovery = _discovery(file, token, timeout, _owner(dav))
    return Response(200, {"lock-token": f"<{token}>", "content-type": XML_TYPE}, serialize("d:prop", [discovery]))


def _owner(dav: DavCall) -> str:
    try:
        return parse(dav.call.body).findtext(clark("d:owner")) or ""
    except XmlError as error:
        raise bad_request(str(error)) from error


def _insert(file: FileResource, kind: str, token: str, timeout: int) -> None:
    file.view.store.insert(
        "locks",
        node=file.node.id,
        uid=file.view.uid,
        kind=kind,
        token=token,
        time=file.view.store.now(),
        timeout=timeout,
    )


def unlock(dav: DavCall, file: FileResource) -> Response:
    """Take a lock away."""
    store, node = file.view.store, file.node
    if not dav.call.header("x-user-lock"):
        token = dav.call.header("lock-token").strip("<>")
        if not store.run("DELETE FROM locks WHERE node = ? AND token = ?", node.id, token):
            message = "The locktoken that was supplied is not valid for this resource"
            raise DavError(409, "LockTokenMatchesRequestUri", message)
        return Response(204)
    row = store.one("SELECT * FROM locks WHERE node = ?", node.id)
    if row is None:
        response = _state(file, node.etag)
        response.status = 412
        return response
    check(dav, file.view, file.place)
    store.run("DELETE FROM locks WHERE node = ?", node.id)
    return _state(file, file.view.tree.renew(node, etag=store.uniqid()).etag)


def _state(file: FileResource, etag: str) -> Response:
    row = file.view.store.one(
        "SELECT locks.*, displayname FROM locks JOIN users ON users.uid = locks.uid WHERE node = ?", file.node.id
    )
    values = ["", "", "", "", "", "", ""]
    if row:
        name = row["displayname"]
        values = ["0", row["uid"], name, name, str(row["time"]), str(row["timeout"]), row["token"]]
    parts = [make("d:getetag", etag), make("nc:lock", "1" if row else "")]
    parts += [make(f"nc:{field}", value) for field, value in zip((*_FIELDS, "lock-token"), values, strict=True)]
    return Response(200, {"content-type": XML_TYPE}, serialize("d:prop", parts))


def _discovery(file: FileResource, token: str, timeout: str, owner: str) -> Element:
    parts = [
        make("d:lockscope", [make("d:exclusive")]),
        make("d:locktype", [make("d:write")]),
        make("d:lockroot", [make("d:href", file.href)]),
        make("d:depth", "infinity"),
        make("d:timeout", timeout),
        make("d:locktoken", [make("d:href", token)]),
        make("d:owner", owner),
    ]
    return make("d:lockdiscovery", [make("d:activelock", parts)])


def _uuid(digits: str) -> str:
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
