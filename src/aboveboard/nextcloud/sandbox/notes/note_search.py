"""Notes in the unified search."""

from typing import Any

from aboveboard.nextcloud.sandbox.calls import Call
from aboveboard.nextcloud.sandbox.notes.notes import Notes
from aboveboard.nextcloud.sandbox.server.unified_search import Provider, fold_case

EXCERPT = 120


def _search(call: Call, term: str) -> list[dict[str, Any]]:
    """Notes that have every word in their title, category or text."""
    notes = Notes(call)
    found: list[dict[str, Any]] = []
    for place in notes.all():
        note = notes.describe(place)
        text = fold_case(f"{note['title']} {note['category']} {note['content']}")
        if all(word in text for word in term.split()):
            found.append(note)
    return [_entry(call, note) for note in sorted(found, key=lambda note: -note["modified"])]


def _entry(call: Call, note: dict[str, Any]) -> dict[str, Any]:
    return {
        "thumbnailUrl": "",
        "title": note["title"],
        "subline": " ".join(note["content"].split())[:EXCERPT],
        "resourceUrl": f"{call.host}/apps/notes/note/{note['id']}",
        "icon": "icon-notes-trans",
        "rounded": False,
        "attributes": [],
    }


provider = Provider("notes", "Notes", _search)
