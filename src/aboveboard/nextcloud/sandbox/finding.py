"""The unified search over files and notes, and links that open a file without a login."""

from typing import Any

from aboveboard.nextcloud.sandbox.calls import Call, Routes
from aboveboard.nextcloud.sandbox.mime import has_preview, sent_type
from aboveboard.nextcloud.sandbox.notes import Notes
from aboveboard.nextcloud.sandbox.ocs import OcsError, Tagged
from aboveboard.nextcloud.sandbox.pictures import png
from aboveboard.nextcloud.sandbox.server import MISSING, facts
from aboveboard.nextcloud.sandbox.tree import Tree
from aboveboard.nextcloud.sandbox.views import Place
from aboveboard.nextcloud.sandbox.wire import Answer, digest, http_date

DEFAULT_LIMIT = 5
EXCERPT = 120

routes = Routes()


@routes.ocs("GET", "/search/providers")
def providers(call: Call) -> Tagged:
    """Where one can search."""
    return Tagged([entry for entry in facts(call, "providers") if entry["appId"] not in MISSING])


@routes.ocs("GET", "/search/providers/{provider}/search")
def search(call: Call) -> dict[str, Any]:
    """A page of what one provider finds; the cursor goes on even where nothing follows."""
    provider, term = call.text("provider"), call.text("term")
    entries = {"files": _files, "notes": _notes}.get(provider)
    if entries is None:
        raise OcsError(500, "Internal Server Error\n", code=996)
    if not term:
        raise OcsError(400, data="No valid filters provided")
    limit = call.number("limit") or DEFAULT_LIMIT
    start = call.number("cursor")
    found = entries(call, _folded(term))
    names = {"files": "Files", "notes": "Notes"}
    return {
        "name": names[provider],
        "isPaginated": True,
        "entries": found[start : start + limit],
        "cursor": start + limit,
    }


def _folded(text: str) -> str:
    """Without the case of ASCII letters, which is all that the real server folds."""
    return "".join(char.lower() if char.isascii() else char for char in text)


def _files(call: Call, term: str) -> list[dict[str, Any]]:
    view = call.files()
    found = [place for place in view.walk(view.root) if term in _folded(place.name)]
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


def _notes(call: Call, term: str) -> list[dict[str, Any]]:
    """Notes that have every word in their title, category or text."""
    notes = Notes(call)
    found: list[dict[str, Any]] = []
    for place in notes.all():
        note = notes.describe(place)
        text = _folded(f"{note['title']} {note['category']} {note['content']}")
        if all(word in text for word in term.split()):
            found.append(note)
    return [_note_entry(call, note) for note in sorted(found, key=lambda note: -note["modified"])]


def _note_entry(call: Call, note: dict[str, Any]) -> dict[str, Any]:
    return {
        "thumbnailUrl": "",
        "title": note["title"],
        "subline": " ".join(note["content"].split())[:EXCERPT],
        "resourceUrl": f"{call.host}/apps/notes/note/{note['id']}",
        "icon": "icon-notes-trans",
        "rounded": False,
        "attributes": [],
    }


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
