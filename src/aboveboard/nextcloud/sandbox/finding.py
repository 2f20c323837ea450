"""The unified search over files and notes, and links that open a file without a login."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from aboveboard.nextcloud.sandbox.calls import PACKAGE, Call, Routes
from aboveboard.nextcloud.sandbox.mime import has_preview, sent_type
from aboveboard.nextcloud.sandbox.ocs import OcsError, Tagged
from aboveboard.nextcloud.sandbox.pictures import png
from aboveboard.nextcloud.sandbox.server import facts, missing_apps
from aboveboard.nextcloud.sandbox.store import NODE, PERSON
from aboveboard.nextcloud.sandbox.tree import Tree
from aboveboard.nextcloud.sandbox.views import Place
from aboveboard.nextcloud.sandbox.wire import Answer, digest, http_date
from aboveboard.sandbox.parts import collect, load_modules
from aboveboard.sandbox.table import Table

DEFAULT_LIMIT = 5

DIRECT_LINKS = Table("direct_links", f"token TEXT PRIMARY KEY, {NODE}, {PERSON}", value="node")

routes = Routes()


@dataclass(frozen=True)
class Provider:
    """Where one can search: the entries for a term in lower case, the best first."""

    id: str
    name: str
    search: Callable[[Call, str], list[dict[str, Any]]]


@cache
def _providers() -> dict[str, Provider]:
    return {provider.id: provider for provider in collect(load_modules(PACKAGE), Provider)}


@routes.ocs("GET", "/search/providers")
def providers(call: Call) -> Tagged:
    """Where one can search."""
    return Tagged([entry for entry in facts(call, "providers") if entry["appId"] not in missing_apps()])


@routes.ocs("GET", "/search/providers/{provider}/search")
def search(call: Call) -> dict[str, Any]:
    """A page of what one provider finds; the cursor goes on even where nothing follows."""
    provider, term = call.text("provider"), call.text("term")
    found = _providers().get(provider)
    if found is None:
        raise OcsError(500, "Internal Server Error\n", code=996)
    if not term:
        raise OcsError(400, data="No valid filters provided")
    limit = call.number("limit") or DEFAULT_LIMIT
    start = call.number("cursor")
    return {
        "name": found.name,
        "isPaginated": True,
        "entries": found.search(call, term.lower())[start : start + limit],
        "cursor": start + limit,
    }


def _files(call: Call, term: str) -> list[dict[str, Any]]:
    view = call.files()
    found = [place for place in view.walk(view.root) if term in place.name.lower()]
    return [_file_entry(call, place) for place in sorted(found, key=lambda place: (-place.node.mtime, place.node.id))]


def _file_entry(call: Call, place: Place) -> dict[str, Any]:
    node = place.node
    folder = place.parent_path.strip("/")
    return {
        "thumbnailUrl": "" if node.folder else f"{call.host}/core/preview?x=32&y=32&fileId={node.id}",
        "title": place.name,
        "subline": f"in {folder}" if folder else "",
        "resourceUrl": f"{call.host}/f/{node.id}",
        "icon": f"/apps/theming/img/core/filetypes/{'folder' if node.folder else 'text'}.svg?v=8bcf934c",
        "rounded": False,
        "attributes": {"fileId": str(node.id), "path": place.path},
    }


provider = Provider("files", "Files", _files)


@routes.page("GET", "/core/preview")
def preview(call: Call) -> Answer:
    """A small picture of a file, here always the same one."""
    place = call.files().by_id(call.number("fileId"))
    if place is None or not has_preview(place.name):
        return Answer(404)
    headers = {
        "last-modified": http_date(call.store.now()),
        "etag": f'"{digest(place.node.etag)}"',
        "content-disposition": 'inline; filename="64-64-crop.png"',
        "content-type": "image/png",
    }
    return Answer(200, headers, png(64, 64))


@routes.ocs("POST", "/apps/dav/api/v1/direct")
def direct(call: Call) -> dict[str, Any]:
    """A link to one file that works for a while without a login."""
    place = call.files().by_id(call.number("fileId"))
    if place is None or place.node.folder:
        raise OcsError(404)
    token = call.store.secret(60)
    call.store.insert("direct_links", token=token, node=place.node.id, uid=call.uid)
    return {"url": f"{call.host}/remote.php/direct/{token}"}


def follow(call: Call, token: str) -> Answer:
    """The file behind such a link."""
    row = call.store.one("SELECT node FROM direct_links WHERE token = ?", token)
    node = Tree(call.store).get(row["node"]) if row else None
    if node is None:
        return Answer(404)
    return Answer(200, {"content-type": sent_type(node.name)}, Tree(call.store).content(node))
