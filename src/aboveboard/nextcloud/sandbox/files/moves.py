"""MOVE and COPY of files, and the checks that every destination goes through."""

from aboveboard.nextcloud.sandbox.dav.dialect import (
    Branch,
    DavCall,
    DavError,
    bad_request,
    conflict,
    failed_condition,
    forbidden,
    not_found,
)
from aboveboard.nextcloud.sandbox.files import files, locks
from aboveboard.nextcloud.sandbox.files.files import check_space, take_away
from aboveboard.nextcloud.sandbox.files.properties import long_id
from aboveboard.nextcloud.sandbox.files.spots import Locate, Spot, check_name
from aboveboard.nextcloud.sandbox.files.tree import Node
from aboveboard.nextcloud.sandbox.files.views import CREATE, DELETE, UPDATE, Place
from aboveboard.nextcloud.sandbox.wire import Kept
from aboveboard.sandbox.wire import Response


def file_destination(dav: DavCall, locate: Locate = files.spot) -> tuple[Spot, Place | None]:
    """Where a file is to go and what is there now; the source has not been looked at yet."""
    target = dav.destination()
    overwrite = dav.call.header("overwrite").upper() or "T"
    if overwrite not in {"T", "F"}:
        raise bad_request("The HTTP Overwrite header should be either T or F")
    if target.branch.name != files.branch.name and locate is files.spot:
        raise bad_request("Incompatible node types")
    where = locate(target)
    parent = where.parent.look() if where.names else None
    if parent is None:
        raise conflict("The destination node is not found")
    if not parent.node.folder:
        raise DavError(415, "UnsupportedMediaType", "The destination node is not a collection")
    there = where.look()
    if there and overwrite == "F":
        message = "The destination node already exists, and the overwrite header is set to false"
        raise failed_condition(message, "Overwrite")
    return where, there


def _prepare(dav: DavCall, locate: Locate) -> tuple[Spot, Spot, Place | None]:
    where, there = file_destination(dav, locate)
    source = locate(dav)
    if source.path == where.path:
        raise forbidden("Source and destination uri are identical.")
    if f"{where.path}/".startswith(f"{source.path}/"):
        raise conflict("The destination may not be part of the same subtree as the source path.")
    return source, where, there


def move(dav: DavCall, locate: Locate) -> Response:
    """Another name or folder; the id stays."""
    source, where, there = _prepare(dav, locate)
    place = source.need()
    check_name(where)
    if f"{source.path}/".startswith(f"{where.path}/"):
        raise forbidden(f"files/{source.view.uid}{source.path} cannot be moved to it's parent")
    locks.check(dav, source.view, place)
    parent = where.parent.need_folder()
    if place.mount:
        return _move_mount(source, where, place, there)
    if not (place.may(DELETE) or (place.may(UPDATE) and source.parent.path == where.parent.path)):
        raise forbidden()
    if not parent.may(CREATE) and source.parent.path != where.parent.path:
        raise forbidden()
    if there:
        take_away(where.view, there)
    node = where.view.tree.move(place.node, parent.node, where.name)
    return move_answer(node, replaced=there is not None)


def _move_mount(source: Spot, where: Spot, place: Place, there: Place | None) -> Response:
    """The receiver of a share puts it elsewhere in their own files."""
    if there:
        take_away(where.view, there)
    source.view.store.run(
        "UPDATE share_targets SET target = ? WHERE uid = ? AND share IN (SELECT id FROM shares WHERE node = ?)",
        where.path,
        source.view.uid,
        place.node.id,
    )
    return move_answer(place.node, replaced=there is not None)


def move_answer(node: Node, *, replaced: bool) -> Response:
    """The answer to a MOVE that ended in someone's files."""
    quoted = f'"{node.etag}"'
    headers = {} if node.folder else {"oc-etag": quoted, "etag": quoted}
    return Response(204 if replaced else 201, {**headers, "oc-fileid": long_id(node.id)})


def copy(dav: DavCall, locate: Locate) -> Response:
    """The same again; Depth 0 is not listened to."""
    source, where, there = _prepare(dav, locate)
    place = source.need()
    check_name(where)
    parent = where.parent.need_folder()
    if not parent.may(CREATE):
        raise forbidden()
    check_space(where.view, parent, where.view.tree.size(place.node), where.parent.path or "/")
    kept = where.view.store.all("SELECT * FROM properties WHERE node = ?", there.node.id) if there else []
    if there:
        take_away(where.view, there)
        if f"{source.path}/".startswith(f"{where.path}/"):
            # The real server throws the destination away first, finds that the source went with it, and leaves it so.
            told = not_found(f"File with name {source.path} could not be located").response()
            return Kept(told.status, told.headers, told.body)
    node = where.view.tree.copy(place.node, parent.node, where.name)
    for row in kept:  # what clients made up belongs to the path
        where.view.store.insert("properties", **{**dict(row), "node": node.id})
    return Response(204 if there else 201, {"oc-fileid": long_id(node.id)})


def serve(branch: Branch, locate: Locate) -> None:
    """Give a branch MOVE and COPY."""
    branch.handlers["MOVE"] = lambda dav: move(dav, locate)
    branch.handlers["COPY"] = lambda dav: copy(dav, locate)


serve(files.branch, files.spot)
