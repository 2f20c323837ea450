"""Whatever people do between two syncs, and whatever stops one, the index ends up as one that is built from nothing."""

import tempfile
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import anyio
import httpx2
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pydantic import SecretStr

from aboveboard import effects
from aboveboard.effects import RUN
from aboveboard.errors import Failure
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.calendar.collections import Access
from aboveboard.nextcloud.client.calendar.event_changes import Changes
from aboveboard.nextcloud.client.calendar.fields import Fields
from aboveboard.nextcloud.client.calendar.timing import Timing
from aboveboard.nextcloud.client.contacts.changes import ContactData
from aboveboard.nextcloud.client.contacts.contacts import new_card
from aboveboard.nextcloud.client.contacts.edits import apply
from aboveboard.nextcloud.sandbox import Sandbox
from aboveboard.nextcloud.tools.search.people import ADVICE
from aboveboard.nextcloud.tools.search.sources.calendars import calendar_sources
from aboveboard.nextcloud.tools.search.sources.contacts import ContactSource
from aboveboard.nextcloud.tools.search.sources.files import FileSource
from aboveboard.nextcloud.tools.search.sources.notes import NoteSource
from aboveboard.search.entries import Where
from aboveboard.search.person import Person
from aboveboard.search.settings import SearchSettings

PEOPLE = ("admin", "bob")
PLACES = ("a.md", "b.txt", "folder/c.md", "folder/deep/d.md", "other/100% größer #1.md")
FOLDERS = ("folder", "other", "folder/deep")
BALLAST = ("Documents", "Recipes", "Odd names")
"""What takes half of the time, one document even a process of its own, and tells nothing of syncing."""
TEXTS = ("one", "two words", "# Three\n\nparagraphs", "")

_text, _place, _folder = st.sampled_from(TEXTS), st.sampled_from(PLACES), st.sampled_from(FOLDERS)
_number = st.integers(0, 3)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("write"), _place, _text),
        st.tuples(st.just("move"), _place, _place),
        st.tuples(st.just("move"), _folder, st.sampled_from(("moved", "folder/under"))),
        st.tuples(st.just("delete"), st.one_of(_place, _folder)),
        st.tuples(st.just("share"), _folder),
        st.tuples(st.just("unshare"), _number),
        st.tuples(st.just("note"), _text),
        st.tuples(st.just("edit"), _number, _text),
        st.tuples(st.just("file_note"), _number, st.sampled_from(("", "Home", "Work/Shed"))),
        st.tuples(st.just("drop"), _number),
        st.tuples(st.just("event"), _text),
        st.tuples(st.just("edit_event"), _number, _text, st.sampled_from(("PUBLIC", "PRIVATE", "CONFIDENTIAL"))),
        st.tuples(st.just("move_event"), _number),
        st.tuples(st.just("drop_event"), _number),
        st.tuples(st.just("lend"), st.sampled_from(("read", "write"))),
        st.tuples(st.just("take_back")),
        st.tuples(st.just("person"), _text),
        st.tuples(st.just("edit_person"), _number, _text),
        st.tuples(st.just("drop_person"), _number),
        st.tuples(st.just("update"), st.sampled_from(PEOPLE)),
        st.tuples(st.just("crash"), st.sampled_from(PEOPLE), st.integers(1, 60)),
        st.tuples(st.just("restart"), st.sampled_from(PEOPLE)),
    ),
    max_size=18,
)


class Breaking(httpx2.AsyncBaseTransport):
    """The way to the sandbox, which breaks after some requests if it is told to."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._way = httpx2.ASGITransport(sandbox.app)
        self.left: int | None = None

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        if self.left is not None:
            self.left -= 1
            if self.left < 0:
                return httpx2.Response(500, text="gone")
        return await self._way.handle_async_request(request)


class World:
    """A Nextcloud, two people, and the indexes that each of them has."""

    def __init__(self, sandbox: Sandbox, folder: str) -> None:
        self.sandbox, self.folder = sandbox, folder
        self.notes: list[int] = []
        self.shares: list[int] = []
        self.events: list[tuple[str, str]] = []
        self.contacts: list[str] = []
        self.people = {name: self._one(name) for name in PEOPLE}

    def _one(self, name: str, index: str | None = None) -> tuple[Breaking, NextcloudClient, Person]:
        way = Breaking(self.sandbox)

        async def at_once(_: float) -> None: ...

        client = NextcloudClient("http://nextcloud", name, SecretStr(Sandbox.users[name]), transport=way, sleep=at_once)
        store = SearchSettings(index=index or self.folder).open_store()
        sources = (NoteSource(client), FileSource(client), *calendar_sources(client), ContactSource(client))
        return way, client, Person(f"nextcloud#{name}", store, None, sources, ADVICE)

    async def do(self, step: Sequence[Any]) -> None:
        """Take one step; one that the service refuses is none."""
        with suppress(Failure):
            await getattr(self, f"_{step[0]}")(*step[1:])

    @property
    def _admin(self) -> NextcloudClient:
        return self.people["admin"][1]

    async def _write(self, place: str, text: str) -> None:
        await self._admin.files.write(place, text.encode(), parents=True)

    async def _move(self, source: str, destination: str) -> None:
        await self._admin.files.move(source, destination, overwrite=True)

    async def _delete(self, place: str) -> None:
        await self._admin.files.delete(place)

    async def _share(self, folder: str) -> None:
        made = await self._admin.shares.create(folder, "user", "bob")
        self.shares.append(made.id)

    async def _unshare(self, number: int) -> None:
        if number < len(self.shares):
            await self._admin.shares.delete(self.shares.pop(number))

    async def _note(self, text: str) -> None:
        self.notes.append((await self._admin.notes.create(f"Note {len(self.notes)}", text)).id)

    async def _edit(self, number: int, text: str) -> None:
        if number < len(self.notes):
            note = await self._admin.notes.get(self.notes[number])
            await self._admin.notes.update(note.id, note.etag, content=text)

    async def _file_note(self, number: int, category: str) -> None:
        if number < len(self.notes):
            note = await self._admin.notes.get(self.notes[number])
            await self._admin.notes.update(note.id, note.etag, category=category)

    async def _drop(self, number: int) -> None:
        if number < len(self.notes):
            await self._admin.notes.delete(self.notes.pop(number))

    async def _event(self, text: str) -> None:
        timing = Timing(start="2031-01-01T10:00:00Z")
        made = await self._admin.events.create("team", Changes(fields=Fields(title=text), timing=timing))
        self.events.append(("team", made.event.uid))

    async def _edit_event(self, number: int, text: str, privacy: str) -> None:
        if number < len(self.events):
            fields = Fields(description=text, privacy=privacy)
            await self._admin.events.update(*self.events[number], Changes(fields=fields))

    async def _move_event(self, number: int) -> None:
        if number < len(self.events):
            calendar, uid = self.events[number]
            other = "personal" if calendar == "team" else "team"
            await self._admin.calendar_objects.move(
                await self._admin.calendar_objects.find(calendar, uid, "VEVENT"), other
            )
            self.events[number] = (other, uid)

    async def _drop_event(self, number: int) -> None:
        if number < len(self.events):
            await self._admin.events.delete(*self.events.pop(number))

    async def _lend(self, access: Access) -> None:
        await self._admin.calendars.share("team", "bob", "user", access)

    async def _take_back(self) -> None:
        await self._admin.calendars.share("team", "bob", "user", None)

    async def _person(self, text: str) -> None:
        self.contacts.append((await self._admin.contacts.create("contacts", new_card(None, f"Mo {text}"))).card.uid)

    async def _edit_person(self, number: int, text: str) -> None:
        if number < len(self.contacts):
            data = ContactData(note=text)
            await self._admin.contacts.update("contacts", self.contacts[number], lambda card: apply(card, data))

    async def _drop_person(self, number: int) -> None:
        if number < len(self.contacts):
            await self._admin.contacts.delete("contacts", self.contacts.pop(number))

    async def _update(self, name: str) -> None:
        await self.people[name][2].update()

    async def _crash(self, name: str, after: int) -> None:
        way, _, person = self.people[name]
        way.left = after
        await person.update()
        way.left = None

    async def _restart(self, name: str) -> None:
        await self.people[name][1].aclose()
        self.people[name] = self._one(name)

    async def check(self) -> None:
        """Bring every index up to date, and compare it with one that is built from nothing."""
        for name in PEOPLE:
            way, _, kept = self.people[name]
            way.left = None
            assert all(report.is_done for report in await kept.update())
            await kept.update()
            _, client, fresh = self._one(name, ":memory:")
            await fresh.update()
            assert await _contents(kept) == await _contents(fresh)
            assert (await kept.status()).is_complete
            await client.aclose()


async def _contents(person: Person) -> dict[Any, Any]:
    """Return everything that an index holds."""
    index: Any = (await person._reading()).index  # pyright: ignore[reportPrivateUsage]
    held: dict[Any, Any] = {}
    for source in person.sources:
        for key, known in index.known(source).items():
            stored = index.stored(source, key)
            held[source, key] = (known, None if stored is None else stored.text)
    found = index.find(["one", "two", "three", "paragraphs"], None, Where(), 1000)
    return {"documents": held, "found": sorted((round(one.bm25, 6)) for one in found.items)}


@settings(max_examples=12)
@given(STEPS)
@example([("crash", "admin", 30), ("restart", "admin")])
@example([("write", "folder/c.md", "one"), ("update", "admin"), ("write", "folder/c.md", "two words")])
@example([("update", "admin"), ("write", "a.md", "one"), ("crash", "admin", 4)])
@example([("write", "folder/deep/d.md", "one"), ("update", "admin"), ("write", "a.md", "one"), ("update", "admin")])
@example([("write", "folder/deep/d.md", "one"), ("update", "bob"), ("share", "folder")])
@example([("event", "one"), ("lend", "read"), ("update", "bob"), ("edit_event", 0, "one", "CONFIDENTIAL")])
@example([("event", "one"), ("lend", "read"), ("update", "bob"), ("take_back",), ("update", "bob"), ("lend", "write")])
@example([("event", "one"), ("update", "admin"), ("move_event", 0), ("crash", "admin", 6), ("drop_event", 0)])
@example([("person", "one"), ("update", "admin"), ("edit_person", 0, "two words"), ("crash", "admin", 9)])
@example([("share", "folder"), ("update", "bob"), ("unshare", 0), ("update", "bob"), ("share", "folder")])
def test_an_index_that_lived_through_anything_equals_one_that_is_built_from_nothing(
    steps: list[tuple[Any, ...]],
) -> None:
    async def run() -> None:
        sandbox = Sandbox()
        with tempfile.TemporaryDirectory() as folder, effects.under(RUN):
            world = World(sandbox, folder)
            for step in (*(("delete", one) for one in BALLAST), *steps):
                await world.do(step)
            await world.check()
            for _, client, _ in world.people.values():
                await client.aclose()
        sandbox.close()

    anyio.run(run)
