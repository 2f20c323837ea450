"""What a look for changes costs: a question or two for each source, and beyond that only what changed."""

from collections.abc import AsyncGenerator
from typing import Any

import httpx2
import pytest
from pydantic import SecretStr
from tests.nextcloud.sessions import Session, Watched, connected, serving

from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.sandbox import Sandbox
from aboveboard.nextcloud.tools.search.people import person_of
from aboveboard.nextcloud.tools.search.sources import AREAS, news, settled
from aboveboard.search.person import Person
from aboveboard.search.settings import SearchSettings

pytestmark = pytest.mark.anyio
UNCHANGED = {
    "note": ["GET /index.php/apps/notes/api/v1/notes"],
    "file": ["GET /index.php/apps/notes/api/v1/settings", "PROPFIND /remote.php/dav/files/admin/"],
    "event": ["PROPFIND /remote.php/dav/calendars/admin/"],
    "task": ["PROPFIND /remote.php/dav/calendars/admin/"],
    # That of people one had to do with lately tells nothing of its changes.
    "contact": [
        "PROPFIND /remote.php/dav/addressbooks/users/admin",
        "REPORT /remote.php/dav/addressbooks/users/admin/z-app-generated--contactsinteraction--recent",
    ],
    "card": ["GET /index.php/apps/deck/api/v1.0/boards"],
    "recipe": ["GET /index.php/apps/cookbook/api/v1/recipes"],
    "news": ["GET /index.php/apps/news/api/v1-3/feeds", "GET /index.php/apps/news/api/v1-3/items/updated"],
}
"""What is asked where nothing changed; a process that has just started asks no more."""


class Kept:
    """An index that is kept, a session in which things are changed, and what a look for changes asks."""

    def __init__(self, sandbox: Sandbox, session: Session) -> None:
        self.service, self.session = serving(sandbox), session
        self.person: Person

    def client(self, service: Watched) -> NextcloudClient:
        settings = SearchSettings()
        password = SecretStr(Sandbox.users["admin"])
        return NextcloudClient(
            "http://nextcloud", "admin", password, transport=service, search_settings=lambda: settings
        )

    async def asked(self, source: str) -> list[str]:
        """Look for changes of one source, and return what was asked."""
        self.service.arrived.clear()
        (report,) = await self.person.update([source])
        assert report.is_done, report.problem
        return self.service.lines

    async def check(self) -> None:
        """Compare the index with one that is built from nothing."""
        client = self.client(self.service)
        fresh = await person_of(client)
        await fresh.update()
        await self.person.update()
        await self.person.update()
        kept, built = _index(self.person), _index(fresh)
        for source in AREAS:
            texts = [
                {key: (one, index.stored(source, key)) for key, one in index.known(source).items()}
                for index in (kept, built)
            ]
            assert texts[0] == texts[1], source
        await client.aclose()


def _index(person: Person) -> Any:
    store: Any = person._store  # pyright: ignore[reportPrivateUsage]
    (index,) = store._open.values()
    return index


@pytest.fixture
async def kept(sandbox: Sandbox) -> AsyncGenerator[Kept]:
    async with connected(serving(sandbox)) as session:
        made = Kept(sandbox, session)
        client = made.client(made.service)
        made.person = await person_of(client)
        assert all(report.is_done for report in await made.person.update())
        yield made
        await client.aclose()


async def test_where_nothing_changed_each_source_asks_a_question_or_two(kept: Kept) -> None:
    await kept.person.update()  # what was changed in the second of the first look is looked at twice
    asked = {source: await kept.asked(source) for source in AREAS}
    assert asked == UNCHANGED
    # Another process knows no more than what the index keeps.
    client = kept.client(kept.service)
    again = await person_of(client)
    again._store = kept.person._store  # pyright: ignore[reportPrivateUsage]
    await client.principal()
    kept.person = again
    assert {source: await kept.asked(source) for source in AREAS} == UNCHANGED
    await client.aclose()


async def test_notes_that_changed_are_told_alone_and_no_change_is_a_304(kept: Kept) -> None:
    await kept.person.update(["note"])
    made = await kept.session.ask("nc_notes_create_note", title="Zebra", content="A zebra.")
    assert await kept.asked("note") == [*UNCHANGED["note"], f"GET /index.php/apps/notes/api/v1/notes/{made['id']}"]
    first = kept.service.arrived[0]
    assert int(first.url.params["pruneBefore"]) > 1_000_000_000
    # Only its place changes, and not its text.
    await kept.session.ask("nc_notes_update_note", note_id=made["id"], etag=made["etag"], category="Animals/Wild")
    await kept.asked("note")
    await kept.asked("note")
    await kept.asked("note")
    assert kept.service.arrived[0].headers["if-none-match"]
    await kept.session.ask("nc_notes_delete_note", note_id=made["id"])
    await kept.check()


async def test_a_note_that_is_not_known_and_did_not_change_is_found_by_listing_all(kept: Kept) -> None:
    await kept.person.update(["note"])
    index = _index(kept.person)
    lost = next(iter(index.known("note")))
    index.forget("note", [lost])
    await kept.session.ask("nc_notes_create_note", title="Zebra", content="A zebra.")
    await kept.asked("note")
    assert lost in index.known("note")


async def test_a_folder_of_which_a_document_was_lost_is_walked_again_and_no_other(kept: Kept) -> None:
    for place in ("a/b/deep.md", "c/other.md"):
        await kept.session.ask("nc_webdav_write_file", path=place, content="A narwhal.", create_parents=True)
    await kept.asked("file")
    index = _index(kept.person)
    (lost,) = [key for key, one in index.known("file").items() if one.entry.title == "deep.md"]
    for lose in (index.forget, index.hide):
        lose("file", [lost])
        asked = await kept.asked("file")
        listed = [line.partition("/files/admin/")[2] for line in asked if line.startswith("PROPFIND")]
        assert listed == ["", "", "a", "a/b"]  # the root is asked for its etag first
        assert index.stored("file", lost).text == "A narwhal."
        assert await kept.asked("file") == UNCHANGED["file"]


async def test_of_calendars_and_books_only_what_changed_is_read(kept: Kept) -> None:
    event = await kept.session.ask(
        "nc_calendar_create_event", calendar_name="personal", title="Regatta", start_datetime="2026-03-01T10:00:00"
    )
    asked = await kept.asked("event")
    assert asked == [*UNCHANGED["event"], "REPORT /remote.php/dav/calendars/admin/personal/"]
    assert b"sync-collection" in kept.service.arrived[-1].content
    given = {"addressbook": "contacts", "contact_data": {"fn": "Quentin Quokka", "email": "q@example.org"}}
    await kept.session.ask("nc_contacts_create_contact", **given)
    asked = await kept.asked("contact")
    book = "REPORT /remote.php/dav/addressbooks/users/admin/contacts"
    assert [line for line in asked if line == book] == [book, book]
    bodies = b"".join(one.content for one in kept.service.arrived if one.url.path.endswith("/contacts"))
    assert b"sync-collection" in bodies
    assert b"addressbook-multiget" in bodies
    assert b"addressbook-query" not in bodies
    await kept.session.ask("nc_calendar_delete_event", calendar_name="personal", event_uid=event["uid"])
    await kept.check()


async def test_of_boards_only_those_that_changed_are_read_and_of_news_what_is_new(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    boards = (await kept.session.ask("deck_get_boards"))["items"]
    stacks = (await kept.session.ask("deck_get_stacks", board_id=boards[0]["id"]))["items"]
    await kept.session.ask(
        "deck_create_card", board_id=boards[0]["id"], stack_id=stacks[0]["id"], title="Narwhal", description="Horn."
    )
    asked = await kept.asked("card")
    assert asked == [*UNCHANGED["card"], f"GET /index.php/apps/deck/api/v1.0/boards/{boards[0]['id']}/stacks"]
    await kept.check()
    monkeypatch.setattr(news, "WHOLE_EVERY", 0)
    assert "GET /index.php/apps/news/api/v1-3/items" in await kept.asked("news")


async def test_a_token_that_the_server_does_not_know_means_that_all_is_read(kept: Kept) -> None:
    index = _index(kept.person)
    for source in ("event", "contact"):
        mark = index.mark(source).replace("/ns/sync/", "/ns/sync/garbage")
        index.finish(source, mark, 1.0)
        asked = await kept.asked(source)
        assert len(asked) > len(UNCHANGED[source])
    await kept.check()


async def test_a_file_that_was_written_again_in_the_second_of_the_look_is_read_again(
    kept: Kept, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its etag is the one that was seen."""
    monkeypatch.setattr(settled, "SETTLED", 10**9)  # what happens here happens now
    sandbox.hold_clock()
    auth = (sandbox.username, sandbox.token)
    etags: set[str] = set()
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(sandbox.app), auth=auth) as client:
        for text in ("A walrus.", "A dugong."):
            put = await client.put("http://sandbox/remote.php/dav/files/admin/Sea.md", content=text)
            etags.add(put.headers["etag"])
            await kept.asked("file")
            (key,) = [key for key, one in _index(kept.person).known("file").items() if one.entry.title == "Sea.md"]
            assert _index(kept.person).stored("file", key).text == text
    assert len(etags) == 1
