"""Public links: /public.php/dav/files/<token>/, the older /public.php/webdav/, and the download page."""

import base64
import binascii

from aboveboard.nextcloud.sandbox import sites
from aboveboard.nextcloud.sandbox.calls import Call, Routes
from aboveboard.nextcloud.sandbox.dav.dialect import (
    SMALL_FEATURES,
    Branch,
    DavCall,
    DavError,
    Resource,
    Site,
    not_allowed,
)
from aboveboard.nextcloud.sandbox.files import files, moves
from aboveboard.nextcloud.sandbox.files.spots import Spot
from aboveboard.nextcloud.sandbox.files.tree import Tree
from aboveboard.nextcloud.sandbox.files.views import CREATE, READ, Place, View
from aboveboard.nextcloud.sandbox.sharing.passwords import matches
from aboveboard.nextcloud.sandbox.wire import page
from aboveboard.sandbox.wire import Response

routes = Routes()
PREFIX = "/public.php/dav/files"
LEGACY = "/public.php/webdav"
_DROP_METHODS = {"PUT", "MKCOL", "MOVE"}


def respond(call: Call, path: str) -> Response:
    """The answer to a visitor with a link."""
    try:
        if path.startswith(LEGACY):
            token, _ = _credentials(call)
            return _serve(call, token, call.root + LEGACY, path.removeprefix(LEGACY))
        token = path.removeprefix(PREFIX).strip("/").partition("/")[0]
        return _serve(call, token, call.root + f"{PREFIX}/{token}", path.removeprefix(f"{PREFIX}/{token}"))
    except DavError as error:
        return error.response()


def _credentials(call: Call) -> tuple[str, str]:
    try:
        text = base64.b64decode(call.header("authorization").partition(" ")[2]).decode()
    except (binascii.Error, UnicodeDecodeError):
        text = ""
    name, _, password = text.partition(":")
    return name, password


def _serve(call: Call, token: str, base: str, path: str) -> Response:
    share = call.store.one("SELECT * FROM shares WHERE token = ?", token)
    node = Tree(call.store).get(share["node"]) if share else None
    if share is None or node is None:
        raise DavError(503, "ServiceUnavailable", "Sabre\\DAV\\Exception\\NotFound: ")
    if share["password"] and not matches(share["password"], _credentials(call)[1]):
        raise DavError(401, "NotAuthenticated")
    drop = share["permissions"] & CREATE and not share["permissions"] & READ
    if drop and call.method not in _DROP_METHODS:
        raise not_allowed("Only PUT, MKCOL and MOVE are allowed on files drop")
    view = View(call.store, share["owner"], Place(node, "", share["permissions"], share, mount=True))
    response = sites.act(call, _site(view, base), path)
    for name in ("oc-fileid", "x-nc-ownerid", "x-nc-permissions"):
        if call.method == "PUT":
            response.headers.pop(name, None)
    return response


def _site(view: View, base: str) -> Site:
    def spot(dav: DavCall) -> Spot:
        return Spot(view, base, dav.path)

    def find(dav: DavCall) -> Resource:
        return spot(dav).resource()

    branch = Branch("", find, features=SMALL_FEATURES)
    files.serve(branch, spot)
    moves.serve(branch, spot)
    return Site(base, branch)


@routes.page("GET", "/s/{token}/download", public=True)
def download(call: Call) -> Response:
    """On to the file itself."""
    name = call.text("files").strip("/")
    there = f"{call.host}{PREFIX}/{call.text('token')}"
    return Response(303, {"location": f"{there}/{name}" if name else there})


@routes.page("GET", "/s/{token}", public=True)
def show(call: Call) -> Response:
    """The page that a person sees."""
    share = call.store.one("SELECT label FROM shares WHERE token = ?", call.text("token"))
    return page(share["label"] or "Shared with you") if share else page("Share not found", 404)
