"""Notes beside what the recordings show: chunks, the folder, attachments, categories."""

from urllib.parse import quote

import pytest
from tests.nextcloud.sandbox.sending import Person

from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio

NOTES = "/index.php/apps/notes/api/v1/notes"


async def test_a_note_is_listed_in_chunks_without_loss(admin: Person) -> None:
    seen: list[int] = []
    cursor = ""
    while True:
        got = await admin.send("GET", f"{NOTES}?chunkSize=5&exclude=content&chunkCursor={quote(cursor)}")
        seen += [note["id"] for note in got.json if "title" in note]
        cursor = got.headers.get("x-notes-chunk-cursor", "")
        if not cursor:
            break
    everything = {note["id"] for note in (await admin.send("GET", NOTES)).json}
    assert len(seen) == len(everything) == 12
    assert set(seen) == everything


async def test_notes_follow_their_folder_setting(admin: Person) -> None:
    await admin.post("/index.php/apps/notes/api/v1/settings", {"notesPath": "Notes/Work"}, "PUT")
    titles = {note["title"] for note in (await admin.send("GET", NOTES)).json}
    assert titles == {"Shed", "Kick-off", "Retrospective", "Übersicht & Größen"}
    capabilities = (await admin.send("GET", "/ocs/v2.php/cloud/capabilities")).data["capabilities"]
    assert capabilities["notes"]["notes_path"] == "Notes/Work"


async def test_an_attachment_of_a_categorised_note_is_beside_it(admin: Person) -> None:
    notes = (await admin.send("GET", NOTES)).json
    note = next(note for note in notes if note["title"] == "Paint colours")
    path = f"Notes/Home/.attachments.{note['id']}/swatch.png"
    assert (await admin.get(path)).body.startswith(b"\x89PNG")
    api = f"/index.php/apps/notes/api/v1.4/attachment/{note['id']}?path=.attachments.{note['id']}/swatch.png"
    assert (await admin.send("GET", api)).headers["content-type"] == "image/png"


async def test_the_last_note_of_a_category_takes_it_along(sandbox: Sandbox, admin: Person) -> None:
    notes = (await admin.send("GET", NOTES)).json
    porridge = next(note for note in notes if note["title"] == "Porridge")
    await admin.post(f"{NOTES}/{porridge['id']}", {"category": "Breakfast"}, "PUT")
    facts = sandbox.dump()
    assert "files/admin/Notes/Recipes/kind" not in facts
    assert "files/admin/Notes/Breakfast/Porridge.md/content" in facts
