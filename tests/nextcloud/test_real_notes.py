"""What a real Nextcloud did with notes and searches, and what the tools say and do about it; each was wrong before."""

from datetime import datetime, timedelta
from typing import Any

import httpx2
import pytest
from tests.nextcloud.calls import ask
from tests.nextcloud.sessions import Session, connected, facts, serving

from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio


async def test_attachments_that_stay_behind_are_said_to_and_still_found(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        await ask(session, "write_file", path="Notes/Home/Plain.txt", content="hello")
        notes = (await session.ask("nc_notes_list_notes"))["items"]
        note = next(one for one in notes if one["title"] == "Plain")
        attachment = {"note_id": note["id"], "filename": "size.txt", "content": "200 x 90"}
        added = await session.ask("nc_notes_add_attachment", **attachment)
        moved = await session.ask("nc_notes_update_note", note_id=note["id"], etag=note["etag"], category="Work")
        assert "leaves its attachments where they are" in added["warning"]
        folder = f"Notes/Home/.attachments.{note['id']}"
        assert moved["warning"].endswith(f"They are in {folder!r}.")
        found = await session.ask("nc_notes_get_attachment", note_id=note["id"], attachment_filename="size.txt")
        assert (found["text"], found["path"]) == ("200 x 90", f"{folder}/size.txt")
        await session.ask("nc_notes_delete_note", note_id=note["id"])
        assert f"files/admin/{folder}/size.txt/content" in facts(sandbox)


async def test_a_taken_attachment_name_is_not_advised_to_be_overwritten(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        note = await session.ask("nc_notes_create_note", title="Door", content="Oak")
        attachment = {"note_id": note["id"], "filename": "size.txt", "content": "one"}
        assert "warning" not in await session.ask("nc_notes_add_attachment", **attachment)
        said = await session.refusal("nc_notes_add_attachment", **{**attachment, "content": "two"})
    assert said == (
        f"Note {note['id']} has another attachment 'size.txt' already; nothing was written. Choose another name."
    )


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("übersicht", True), ("ÜBERSICHT", True), ("U\u0308bersicht", True), ("*ÜBER*2026*", True),
        ("%übersicht%", True), ("план работ", True), ("ПЛАН", True), ("ubersicht", False),
    ],
)  # fmt: skip
async def test_names_are_found_in_any_case_and_form_with_one_request(
    sandbox: Sandbox, pattern: str, *, found: bool
) -> None:
    service = serving(sandbox)
    async with connected(service) as session:
        await ask(session, "write_file", path="Übersicht 2026, План работ.txt", content="x")
        service.arrived.clear()
        items = (await ask(session, "find_by_name", pattern=pattern))["items"]
    assert bool(items) == found
    assert [line.split()[0] for line in service.lines] == ["SEARCH"]


async def test_a_percent_sign_in_a_name_is_one(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        for name in ("100% sure.txt", "100 sure.txt"):
            await ask(session, "write_file", path=name, content="x")
        items = (await ask(session, "find_by_name", pattern="100%"))["items"]
    assert {one["path"] for one in items} == {"100% sure.txt", "Odd names/100% sure.txt"}


async def test_notes_are_found_in_any_case_by_category_and_by_time(sandbox: Sandbox) -> None:
    service = serving(sandbox)
    async with connected(service) as session:
        for title, category in (("Größe", "Work"), ("Ärger", "Home"), ("Zürich", "")):
            await session.ask("nc_notes_create_note", title=title, content="Überall alles", category=category)

        async def titles(query: str, **given: Any) -> list[str]:
            service.arrived.clear()
            return [one["title"] for one in (await session.ask("nc_notes_search_notes", query=query, **given))["items"]]

        assert set(await titles("überall")) == set(await titles("U\u0308BERALL")) == {"Größe", "Ärger", "Zürich"}
        assert await titles("ärger ÜBERALL") == ["Ärger"]
        assert await titles("alles", category="Work") == ["Größe"]
        assert await titles("alles", category="") == ["Zürich"]
        (hit,) = (await session.ask("nc_notes_search_notes", query="alles", category="Home"))["items"]
        assert hit["category"] == "Home"
        since = datetime.fromisoformat(hit["modified"])
        assert "Ärger" in await titles("alles", modified_since=since.isoformat())
        assert "Ärger" not in await titles("alles", modified_since=(since + timedelta(seconds=1)).isoformat())
        pages = [await session.ask("nc_notes_search_notes", query="überall", limit=2)]
        pages.append(await session.ask("nc_notes_search_notes", query="überall", cursor=pages[0]["next_cursor"]))
        assert [len(page["items"]) for page in pages] == [2, 1]
        assert "next_cursor" not in pages[1]
        await titles("alles")
    assert len(service.arrived) == 1  # plain words cost what they did


async def _noted(session: Session) -> list[str]:
    return [one["title"] for one in (await session.ask("nc_notes_list_notes"))["items"]]


async def test_notes_are_listed_as_their_changes_were_noticed(sandbox: Sandbox) -> None:
    """A time that a client sets does not move a note in the list; `modified` shows it."""
    async with connected(serving(sandbox)) as session:
        before = await _noted(session)
        async with httpx2.AsyncClient(transport=session.service, auth=("admin", sandbox.token)) as web:
            url = "http://nextcloud/index.php/apps/notes/api/v1/notes"
            for title, modified in (("Newer", 1_700_000_000), ("Older", 1_600_000_000)):
                assert (await web.post(url, json={"title": title, "modified": modified})).status_code == 200
        assert await _noted(session) == [*before, "Newer", "Older"]
