"""Files in the unified search, by name."""

from typing import Any

from aboveboard.nextcloud.sandbox.calls import Call
from aboveboard.nextcloud.sandbox.files.views import Place
from aboveboard.nextcloud.sandbox.server.unified_search import Provider, fold_case


def _search(call: Call, term: str) -> list[dict[str, Any]]:
    view = call.files()
    found = [place for place in view.walk(view.root) if term in fold_case(place.name)]
    return [_entry(call, place) for place in sorted(found, key=lambda place: (-place.node.mtime, place.node.id))]


def _entry(call: Call, place: Place) -> dict[str, Any]:
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


provider = Provider("files", "Files", _search)
