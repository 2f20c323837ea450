"""The same contacts client against the sandbox, Radicale and sabre/dav: none of them may be what it is built for."""

from collections.abc import Iterator
from uuid import uuid4

import pytest
from tests.nextcloud.client.groupware import KINDS, groupware
from tests.nextcloud.client.servers import Server
from tests.nextcloud.flavours import FLAVOURS

from aboveboard.effects import RUN, under
from aboveboard.errors import Conflict, NotFound
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.contacts.cards import Card
from aboveboard.nextcloud.client.contacts.changes import ContactData
from aboveboard.nextcloud.client.contacts.contacts import new_card
from aboveboard.nextcloud.client.contacts.edits import apply

pytestmark = pytest.mark.anyio


@pytest.fixture(params=KINDS, scope="module")
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    with groupware(request.param) as made:
        yield made


async def book_of(client: NextcloudClient) -> str:
    name = uuid4().hex
    await client.contacts.books.create(name, "Ünï & <Co>")
    return name


async def test_books_are_made_listed_and_deleted_everywhere(server: Server) -> None:
    client = server.connect()
    with under(RUN):
        name = await book_of(client)
        assert ("Ünï & <Co>", False) in [
            (one.display_name, one.read_only) for one in await client.contacts.books.list()
        ]
        with pytest.raises(Conflict):
            await client.contacts.books.create(name, "Again")
        await client.contacts.books.delete(name)
        assert name not in [one.name for one in await client.contacts.books.list()]
        with pytest.raises(NotFound, match="There is no address book"):
            await client.contacts.books.delete(name)
    await client.aclose()


@pytest.mark.parametrize("flavour", [name for name in FLAVOURS if name != "an odd one"])
async def test_an_update_keeps_what_other_clients_wrote_everywhere(server: Server, flavour: str) -> None:
    client = server.connect()
    with under(RUN):
        book = await book_of(client)
        uid = (await client.contacts.create(book, Card(FLAVOURS[flavour]))).card.uid
        stored = await client.contacts.get(book, uid)
        await client.contacts.update(book, uid, lambda card: apply(card, ContactData(title="Joiner")))
        now = await client.contacts.get(book, uid)
        assert now.etag != stored.etag
        left = [line.raw for line in stored.card.lines if line.name != "TITLE"]
        assert [line.raw for line in now.card.lines if line.name != "TITLE"] == left
        assert now.card.text("TITLE") == "Joiner"
        await client.contacts.books.delete(book)
    await client.aclose()


async def test_contacts_are_guarded_found_and_deleted_everywhere(server: Server) -> None:
    client = server.connect()
    with under(RUN):
        book = await book_of(client)
        for number in range(3):
            card = new_card(f"c {number}", f"Person {number} Ünal")
            apply(card, ContactData(email={f"p{number}@example.org": "work"}, categories=["Büro"]))
            await client.contacts.create(book, card)
        with pytest.raises(Conflict, match="already"):
            await client.contacts.create(book, new_card("c 1", "Other"))
        first, more = await client.contacts.list(book, limit=2)
        rest, no_more = await client.contacts.list(book, limit=2, offset=2)
        assert (len(first), more, len(rest), no_more) == (2, True, 1, False)
        assert {one.card.uid for one in (*first, *rest)} == {"c 0", "c 1", "c 2"}
        found = await client.contact_search.search("p2@example person", book=book)
        assert [one.card.uid for one in found] == ["c 2"]
        assert await client.contact_search.groups(book) == {"Büro": 3}
        old = await client.contacts.get(book, "c 1")
        await client.contacts.update(book, "c 1", lambda card: apply(card, ContactData(note="one")), etag=old.etag)
        with pytest.raises(Conflict, match="Nothing was written"):
            await client.contacts.update(book, "c 1", lambda card: apply(card, ContactData(note="two")), etag=old.etag)
        await client.contacts.delete(book, "c 1")
        for missing in ("c 1", "none"):
            with pytest.raises(NotFound, match="has no contact"):
                await client.contacts.get(book, missing)
        await client.contacts.books.delete(book)
    await client.aclose()
