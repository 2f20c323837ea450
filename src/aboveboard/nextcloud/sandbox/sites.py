"""The DAV sites: /remote.php/dav/ with the branches that apps declare, and the older /remote.php/webdav/."""

from collections.abc import Iterable

from aboveboard.nextcloud.sandbox.calls import Call
from aboveboard.nextcloud.sandbox.dav import conditions, reports
from aboveboard.nextcloud.sandbox.dav.dialect import (
    ALLOWED,
    FEATURES,
    METHODS,
    SMALL_FEATURES,
    Branch,
    DavCall,
    DavError,
    Resource,
    Site,
    not_found,
    split_path,
)
from aboveboard.nextcloud.sandbox.dav.propfind import propfind, proppatch
from aboveboard.nextcloud.sandbox.dav.xml import Value, clark, make
from aboveboard.nextcloud.sandbox.files import dav_search, files, moves
from aboveboard.nextcloud.sandbox.files.files import SENTENCE
from aboveboard.nextcloud.sandbox.files.spots import Spot
from aboveboard.nextcloud.sandbox.wire import HTML_TYPE
from aboveboard.sandbox.wire import Response

# What the root lists; a branch that is not there yet is an empty folder.
LISTED = (
    "principals",
    "files",
    "calendars",
    "remote-calendars",
    "system-calendars",
    "public-calendars",
    "addressbooks",
    "systemtags",
    "systemtags-relations",
    "systemtags-assigned",
    "comments",
    "uploads",
    "avatars",
    "provisioning",
    "trashbin",
    "versions",
    "photos",
    "photospublic",
)
_GRAMMAR = clark("d:supported-query-grammar-set")


class _Root(Resource):
    def value(self, name: str) -> Value | None:
        if name == _GRAMMAR:
            grammar = make("d:grammar", [make("d:basicsearch")])
            return [make("d:supported-query-grammar", [grammar])]
        return super().value(name)

    def members(self) -> Iterable[Resource]:
        return [Resource(f"{self.path}/{name}") for name in LISTED]


def _find_root(dav: DavCall) -> Resource:
    if not dav.path:
        return _Root(dav.site.base)
    *outer, name = dav.path
    if outer or name not in LISTED:
        raise not_found(f"File not found: {name} in '{'/'.join(outer) or 'root'}'")
    return Resource(f"{dav.site.base}/{name}")


root = Branch("", _find_root)


def dav_site(branches: Iterable[Branch]) -> Site:
    """The site with all branches that have a name; those without are roots of sites."""
    named = [branch for branch in branches if branch.name]
    found = {branch.name: branch for branch in named}
    if len(found) < len(named):
        raise ValueError(f"Two branches have the same name: {sorted(branch.name for branch in named)}. Join them.")
    return Site("/remote.php/dav", root, found)


def _webdav_spot(dav: DavCall) -> Spot:
    return Spot(dav.call.files(), dav.site.base, dav.path)


_webdav = Branch("", lambda dav: _webdav_spot(dav).resource(), features=SMALL_FEATURES)
files.serve(_webdav, _webdav_spot)
moves.serve(_webdav, _webdav_spot)
WEBDAV_SITE = Site("/remote.php/webdav", _webdav)


def respond(call: Call, site: Site, path: str) -> Response:
    """The answer to a request on a site."""
    try:
        if call.caller is None:
            raise _not_logged_in(call)
        return act(call, site, path)
    except DavError as error:
        return error.response()


def act(call: Call, site: Site, path: str) -> Response:
    """Check the conditions of a request, then do what it says."""
    branch, names = site.locate(split_path(path))
    dav = DavCall(call, site, branch, names)
    unchanged = conditions.check(dav)
    if unchanged:
        return unchanged
    handler = branch.handlers.get(call.method) or _GENERIC.get(call.method)
    if handler is None:
        message = f"There was no plugin in the system that was willing to handle this {call.method} method."
        raise DavError(501, "NotImplemented", message)
    return handler(dav)


def _get(dav: DavCall) -> Response:
    dav.find()
    return Response(200, {"content-type": HTML_TYPE}, SENTENCE)


def _options(dav: DavCall) -> Response:
    allowed = METHODS.format("SEARCH, ") if dav.branch is root and not dav.path else ALLOWED
    try:
        dav.find()
    except DavError:
        allowed = METHODS.format("MKCOL, ")
    headers = {"allow": allowed, "dav": FEATURES, "ms-author-via": "DAV", "accept-ranges": "bytes"}
    return Response(200, headers)


_GENERIC = {
    "PROPFIND": propfind,
    "PROPPATCH": proppatch,
    "GET": _get,
    "HEAD": _get,
    "OPTIONS": _options,
    "SEARCH": dav_search.search,
    "REPORT": reports.unknown,
}


def _not_logged_in(call: Call) -> DavError:
    if call.header("x-requested-with") == "XMLHttpRequest":
        headers = {"www-authenticate": 'DummyBasic realm="Nextcloud"'}
        return DavError(401, "NotAuthenticated", "Cannot authenticate over ajax calls", headers=headers)
    missing = "No 'Authorization: {}' header found. Either the client didn't send one, or the server is {}"
    bearer_given = call.header("authorization").lower().startswith("bearer ")
    basic = "Username or password was incorrect" if call.wrong_password else missing.format("Basic", "misconfigured")
    bearer = "Bearer token was incorrect" if bearer_given else missing.format("Bearer", "mis-configured")
    tried = ("No public access to this resource.", "AppAPIAuth has not passed")
    message = ", ".join((*tried, "This request is not for a federated calendar", basic, bearer, basic))
    headers = {"www-authenticate": 'Basic realm="Nextcloud", charset="UTF-8"'}
    return DavError(401, "NotAuthenticated", message, headers=headers)
