"""Search through MCP: who finds what, what becomes of it when access ends, and what is said where nothing is known."""

import json
import re
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

import httpx2
import pytest
from tests.nextcloud.sessions import Session, Watched, connected, serving
from tests.sessions import Script

from aboveboard.kit.policy import Policy
from aboveboard.kit.service import Catalogue
from aboveboard.nextcloud.sandbox import Sandbox
from aboveboard.nextcloud.sandbox.calendar.seed import calendar_text
from aboveboard.nextcloud.server import SERVICE
from aboveboard.nextcloud.tools.search.sources import AREAS

pytestmark = pytest.mark.anyio

KINDS = {
    "note": "Porridge oats",
    "file": "packing list",
    "event": "Dentist",
    "task": "Buy brushes",
    "contact": "Carol Smith",
    "card": "Search is slow",
    "recipe": "Pumpkin soup",
    "news": "Prices of timber",
}
"""Words of documents that the sandbox has from the first."""


async def found(session: Session, query: str, **more: Any) -> list[str]:
    """Return the titles of what is found by words."""
    answer = await session.ask("nc_semantic_search", query=query, mode="keyword", **more)
    return [one["title"] for one in answer["items"]]


async def updated(session: Session, **more: Any) -> dict[str, Any]:
    """Bring the index up to date."""
    done = await session.ask("nc_update_search_index", seconds=120, **more)
    assert done["done"], done
    return {one["source"]: one for one in done["items"]}


async def write(session: Session, path: str, content: str) -> None:
    await session.ask("nc_webdav_write_file", path=path, content=content, create_parents=True)


async def test_days_end_with_the_last_one_and_not_with_the_one_after(sandbox: Sandbox) -> None:
    event = {"calendar_name": "personal", "title": "Holidays"}
    async with connected(serving(sandbox)) as admin:
        await admin.ask("nc_calendar_create_event", **event, start_datetime="2031-07-01", end_datetime="2031-07-14")
        await updated(admin, sources=["event"])
        (hit,) = (await admin.ask("nc_semantic_search", query="Holidays", mode="keyword", limit=1))["items"]
    assert "Starts: 2031-07-01\nEnds: 2031-07-14" in hit["snippet"]


async def test_notes_and_files_are_found_with_snippet_citation_and_link(sandbox: Sandbox) -> None:
    text = "# Boats\n\nRow them.\n\n# Beekeeping\n\nThe smoker calms the bees in June.\n"
    async with connected(serving(sandbox)) as admin:
        await write(admin, "Hobby/bees.md", text)
        await updated(admin)
        (hit,) = (await admin.ask("nc_semantic_search", query="bees smoker", mode="keyword", limit=1))["items"]
        assert (hit["source"], hit["title"], hit["place"], hit["headings"]) == (
            "file",
            "bees.md",
            "Hobby",
            "Beekeeping",
        )
        assert hit["snippet"] == "The smoker calms the bees in June."
        assert text[hit["start"] : hit["end"]].strip() == hit["snippet"]
        assert hit["url"].endswith(f"/index.php/f/{hit['id']}")
        part = await admin.ask("nc_semantic_get_document", source="file", document_id=hit["id"], offset=hit["start"])
        assert part["text"] == text


async def test_what_changes_moves_or_goes_is_found_as_it_is_now(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as admin:
        await write(admin, "a/zeppelin.md", "The zeppelin landed.")
        note = await admin.ask("nc_notes_create_note", title="Quokka", content="A quokka smiles.")
        await updated(admin)
        assert await found(admin, "zeppelin") == ["zeppelin.md"]
        await admin.ask("nc_webdav_move_resource", source_path="a/zeppelin.md", destination_path="Notes of flight.md")
        await admin.ask("nc_notes_update_note", note_id=note["id"], etag=note["etag"], content="A wombat digs.")
        done = await updated(admin)
        assert (done["file"]["indexed"], done["note"]["indexed"]) == (1, 1)
        assert await found(admin, "zeppelin landed") == ["Notes of flight.md"]
        assert await found(admin, "wombat") == ["Quokka"]
        assert "smiles" not in json.dumps(await admin.ask("nc_semantic_search", query="smiles", mode="keyword"))
        await admin.ask("nc_notes_delete_note", note_id=note["id"])
        assert await found(admin, "wombat") == []


async def test_a_second_update_without_changes_asks_a_few_questions_and_reads_nothing(sandbox: Sandbox) -> None:
    service = serving(sandbox)
    async with connected(service) as admin:
        await updated(admin)
        service.arrived.clear()
        done = await updated(admin)
        assert {one["indexed"] for one in done.values()} == {0}
        assert service.lines[:3] == [
            "GET /index.php/apps/notes/api/v1/notes",
            "GET /index.php/apps/notes/api/v1/settings",
            "PROPFIND /remote.php/dav/files/admin/",
        ]
        assert [line for line in service.lines if line.startswith("REPORT /remote.php/dav/calendars")] == []
        assert [line for line in service.lines if "/files/admin/" in line and line.startswith("GET")] == []


async def test_nobody_finds_what_is_another_ones_where_all_indexes_are_in_one_place(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ABOVEBOARD_SEARCH_INDEX", str(tmp_path))
    async with connected(serving(sandbox)) as admin, connected(serving(sandbox), user="bob") as bob:
        await write(admin, "secret/xylophone.md", "The xylophone is hidden in the attic.")
        await updated(admin)
        await updated(bob)
        assert await found(admin, "xylophone") == ["xylophone.md"]
        assert await found(bob, "xylophone") == []
        key = (await admin.ask("nc_semantic_search", query="xylophone", mode="keyword"))["items"][0]["id"]
        refusal = await bob.refusal("nc_semantic_get_document", source="file", document_id=key)
        assert "There is no file" in refusal


async def test_a_share_that_ends_disappears_at_once_from_answers_though_the_index_still_has_it(
    sandbox: Sandbox,
) -> None:
    service = serving(sandbox)
    async with connected(serving(sandbox)) as admin, connected(service, user="bob") as bob:
        await write(admin, "together/marmalade.md", "Bitter orange marmalade, three kilos of sugar.")
        share = await admin.ask("nc_share_create", path="together", share_type="user", share_with="bob")
        await updated(bob)
        assert await found(bob, "marmalade") == ["marmalade.md"]
        key = (await bob.ask("nc_semantic_search", query="marmalade", mode="keyword"))["items"][0]["id"]
        await admin.ask("nc_share_delete", share_id=share["id"])
        assert await found(bob, "marmalade") == []  # no update came between
        assert "There is no file" in await bob.refusal("nc_semantic_get_document", source="file", document_id=key)
        assert await found(admin, "marmalade") == []  # hers was not indexed
        await updated(admin)
        assert await found(admin, "marmalade") == ["marmalade.md"]


@pytest.mark.parametrize("privacy", ["CONFIDENTIAL", "PRIVATE"])
async def test_an_event_that_becomes_secret_disappears_at_once_for_those_who_may_only_read_its_calendar(
    sandbox: Sandbox, privacy: str
) -> None:
    """They see that its owner is busy, or nothing; what it said before is in their index."""
    async with connected(serving(sandbox)) as admin, connected(serving(sandbox), user="bob") as bob:
        new = {"calendar_name": "team", "title": "Regatta", "start_datetime": "2031-01-01T10:00:00Z"}
        made = await admin.ask("nc_calendar_create_event", **new)
        await admin.ask("nc_calendar_share_calendar", calendar_name="team", share_with="bob", permissions="read")
        await updated(bob)
        assert await found(bob, "regatta") == ["Regatta"]
        event = {"calendar_name": "team", "event_uid": made["uid"]}
        await admin.ask("nc_calendar_update_event", **event, privacy=privacy)
        assert await found(bob, "regatta") == []  # no update came between
        await updated(bob, sources=["event"])
        assert await found(bob, "regatta busy", sources=["event"]) == []
        await admin.ask("nc_calendar_update_event", **event, privacy="PUBLIC")
        await updated(bob, sources=["event"])
        assert await found(bob, "regatta") == ["Regatta"]
        await updated(admin, sources=["event"])
        await admin.ask("nc_calendar_update_event", **event, privacy=privacy)
        assert await found(admin, "regatta") == ["Regatta"]  # it is hers


async def test_a_calendar_and_a_board_that_are_shared_no_longer_disappear_at_once_from_answers(
    sandbox: Sandbox,
) -> None:
    async with connected(serving(sandbox)) as admin, connected(serving(sandbox), user="bob") as bob:
        new = {"calendar_name": "team", "title": "Regatta", "start_datetime": "2031-01-01T10:00:00Z"}
        await admin.ask("nc_calendar_create_event", **new)
        shared = {"calendar_name": "team", "share_with": "bob"}
        await admin.ask("nc_calendar_share_calendar", **shared, permissions="read")
        board = (await admin.ask("deck_create_board", title="Boats", color="AA3300"))["id"]
        stack = (await admin.ask("deck_create_stack", board_id=board, title="All", order=1))["id"]
        await admin.ask("deck_create_card", board_id=board, stack_id=stack, title="Regatta boats")
        await admin.ask("deck_share_board", board_id=board, participant="bob")
        await updated(bob)
        assert sorted(await found(bob, "regatta")) == ["Regatta", "Regatta boats"]
        await admin.ask("nc_calendar_unshare_calendar", **shared)
        assert await found(bob, "regatta") == ["Regatta boats"]
        await admin.ask("deck_delete_board", board_id=board)
        assert await found(bob, "regatta") == []


async def test_what_cannot_be_verified_is_withheld_and_counted(sandbox: Sandbox) -> None:
    service = Failing(serving(sandbox))
    async with connected(service) as admin:
        await admin.ask("nc_notes_create_note", title="Saxophone", content="A saxophone in E flat.")
        await write(admin, "saxophone.md", "Reeds for the saxophone.")
        await updated(admin)
        service.fails = "SEARCH"
        answer = await admin.ask("nc_semantic_search", query="saxophone", mode="keyword")
        assert [one["source"] for one in answer["items"]] == ["note"]
        assert answer["withheld"] == 1
        assert "withheld: Nextcloud did not tell whether you may see them" in answer["note"]
        assert "Reeds" not in json.dumps(answer)
        service.fails = None
        answer = await admin.ask("nc_semantic_search", query="saxophone", mode="keyword")
        assert {one["source"] for one in answer["items"]} == {"note", "file"}
        assert "withheld" not in answer


async def test_a_listing_that_fails_deletes_nothing_and_the_other_sources_go_on(sandbox: Sandbox) -> None:
    service = Failing(serving(sandbox))
    async with connected(service) as admin:
        await updated(admin)
        before = await admin.ask("nc_get_vector_sync_status")
        await admin.ask("nc_notes_create_note", title="Trombone", content="A trombone slides.")
        service.fails = "PROPFIND"
        done = await admin.ask("nc_update_search_index")
        service.fails = None
        sources = {one["source"]: one for one in done["items"]}
        assert not done["done"]
        assert "Nextcloud" in sources["file"]["problem"]
        assert sources["note"]["indexed"] == 1
        after = await admin.ask("nc_get_vector_sync_status")
        assert _documents(after)["file"] == _documents(before)["file"]


async def test_a_file_that_cannot_be_read_is_told_with_the_reason_and_not_tried_again(sandbox: Sandbox) -> None:
    service = serving(sandbox)
    async with connected(service) as admin:
        await write(admin, "odd/broken.pdf", "this is no PDF")
        await write(admin, "odd/large.txt", "x" * (2 * 1024 * 1024 + 1))
        done = await updated(admin)
        assert done["file"]["failed"] == 2
        (files,) = [one for one in (await admin.ask("nc_get_vector_sync_status"))["items"] if one["source"] == "file"]
        reasons = {one["title"]: one["reason"] for one in files["failures"]}
        assert "cannot be read as a document" in reasons["broken.pdf"]
        assert "files of up to 2097152 bytes are indexed" in reasons["large.txt"]
        assert not any("large.txt" in line for line in service.lines if line.startswith("GET"))
        await write(admin, "odd/other.md", "something")
        assert (await updated(admin))["file"]["failed"] == 0
        assert (await updated(admin, full=True))["file"]["failed"] == 2


async def test_a_search_without_an_index_says_what_to_do(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as admin:
        answer = await admin.ask("nc_semantic_search", query="anything")
        assert answer["items"] == []
        assert "Nothing is indexed yet. Call nc_update_search_index" in answer["note"]


async def test_many_hits_get_short_snippets_so_that_the_answer_keeps_to_its_budget(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as admin:
        for number in range(50):
            await write(admin, f"many/{number}.md", f"Lighthouse {number}. " + "The keeper writes a long report. " * 40)
        await updated(admin)
        answer = await admin.ask("nc_semantic_search", query="lighthouse keeper", mode="keyword", limit=50)
        assert len(answer["items"]) == 50
        assert sum(len(one["snippet"]) for one in answer["items"]) < 13_000


PAGES: Final = {
    "note": r"apps/notes/note/\d+",
    "file": r"f/\d+",
    "event": r"apps/calendar/edit/[\w+/=]+",
    "task": r"apps/tasks/calendars/[^/]+/tasks/[^/]+\.ics",
    "contact": r"apps/contacts/direct/contact/[^/]+~contacts",
    "card": r"apps/deck/board/\d+/card/\d+",
    "recipe": r"apps/cookbook/#/recipe/\d+",
    "news": r"apps/news/",  # which has no page for one item
}
"""Where each kind of document opens: the thing itself, where Nextcloud's app has a page for it."""


async def test_every_kind_of_document_is_found_and_is_gone_for_one_who_may_not_see_it(sandbox: Sandbox) -> None:
    service = Failing(serving(sandbox))
    async with connected(service) as admin:
        done = await updated(admin)
        assert done.keys() == KINDS.keys() == AREAS.keys()
        listed = _documents(await admin.ask("nc_get_vector_sync_status"))
        for kind, words in KINDS.items():
            assert listed[kind] == done[kind]["indexed"] > 0
            asked = {"query": words, "mode": "keyword", "sources": [kind]}
            answer = await admin.ask("nc_semantic_search", **asked)
            assert answer["items"], kind
            first = answer["items"][0]
            page = unquote(first["url"]).removeprefix("http://nextcloud/index.php/")
            assert re.fullmatch(PAGES[kind], page), first["url"]
            part = await admin.ask("nc_semantic_get_document", source=kind, document_id=first["id"])
            assert (part["title"], part["url"]) == (first["title"], first["url"])
            service.fails = "all"
            answer = await admin.ask("nc_semantic_search", **asked)
            assert answer["items"] == [], kind
            assert answer["withheld"] > 0
            service.fails = None


def _documents(status: dict[str, Any]) -> dict[str, int]:
    return {one["source"]: one["documents"] for one in status["items"]}


class Failing(Watched):
    """A service that answers no request of one method."""

    def __init__(self, service: httpx2.AsyncBaseTransport | Script) -> None:
        super().__init__(service)
        self.fails: str | None = None

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        if self.fails in ("all", request.method):
            return httpx2.Response(500, text="out of order")
        return await super().handle_async_request(request)


async def test_what_the_operator_excludes_is_not_found_by_searching_either(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox), catalogue=Catalogue(SERVICE, Policy(exclude=["files"]))) as admin:
        done = await updated(admin)
        assert "file" not in done
        assert "note" in done
        answer = await admin.ask("nc_semantic_search", query="plan")
        assert "file" not in {one["source"] for one in answer["items"]}
        refused = await admin.refusal("nc_semantic_search", query="plan", sources=["file"])
        assert refused == "The operator of this server excluded files (--exclude), to which file belongs."


async def test_a_card_that_deck_also_shows_as_a_task_is_one_document(sandbox: Sandbox) -> None:
    """A real Deck makes a calendar of every board, and a task of every card."""
    board = "/remote.php/dav/calendars/admin/app-generated--deck--board-1/"
    task = calendar_text("slow", "VTODO", "SUMMARY:Search is slow\n")
    way = httpx2.ASGITransport(sandbox.app)
    auth = ("admin", Sandbox.users["admin"])
    async with httpx2.AsyncClient(transport=way, base_url="http://nextcloud", auth=auth) as deck:
        assert (await deck.request("MKCALENDAR", board)).is_success
        headers = {"Content-Type": "text/calendar"}
        assert (await deck.put(f"{board}card-5.ics", content=task, headers=headers)).is_success
    async with connected(serving(sandbox)) as admin:
        await updated(admin, sources=["task", "card"])
        answer = await admin.ask("nc_semantic_search", query="Search is slow", mode="keyword", sources=["task", "card"])
    assert [one["source"] for one in answer["items"] if one["title"] == "Search is slow"] == ["card"]
