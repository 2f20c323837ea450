"""What is remembered of calendars and address books between calls, and for how long."""

import httpx2
import pytest
from tests.nextcloud.client.people import PRINCIPAL, Person, scripted

from aboveboard.effects import REPLACE, under
from aboveboard.errors import NotFound
from aboveboard.nextcloud.client.calendar.collections import AGE as LIST_AGE
from aboveboard.nextcloud.client.calendar.collections import Collections
from aboveboard.nextcloud.client.contacts.queries import defined_filter, query
from aboveboard.nextcloud.client.memory import AGE, KEPT, Memory

pytestmark = pytest.mark.anyio


class Clock:
    """Time that passes when a test says so."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_what_was_answered_is_known_for_a_while_and_not_longer() -> None:
    clock = Clock()
    memory = Memory[str](clock)
    memory.keep("team", "tag", None, "found")
    clock.now += AGE
    assert memory.get("team") is not None
    clock.now += 1
    assert memory.get("team") is None


def test_of_more_than_are_kept_the_one_that_was_used_longest_ago_gives_way() -> None:
    memory = Memory[str]()
    for number in range(KEPT):
        memory.keep(number, "tag", None, "found")
    assert memory.get(0) is not None
    memory.keep(KEPT, "tag", None, "found")
    assert (memory.get(0) is None, memory.get(1) is None, memory.get(KEPT) is None) == (False, True, False)


async def test_which_calendars_there_are_is_known_for_a_minute_and_then_asked_for_again(ada: Person) -> None:
    clock = Clock()
    dav = ada._dav  # pyright: ignore[reportPrivateUsage]
    hers, others = Collections(dav, Memory(), clock), Collections(dav, Memory())
    assert (await hers.get("team")).name == "team"
    with under(REPLACE):
        await others.delete("team")
    clock.now += LIST_AGE - 1
    assert (await hers.get("team")).name == "team"
    clock.now += 1
    with pytest.raises(NotFound):
        await hers.get("team")


BOOK = """<d:multistatus xmlns:d="DAV:" xmlns:card="urn:ietf:params:xml:ns:carddav"><d:response>
<d:href>/remote.php/dav/addressbooks/users/ada/{name}/</d:href><d:propstat><d:prop>
<d:resourcetype><d:collection/><card:addressbook/></d:resourcetype><d:sync-token>always/1</d:sync-token>
</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response></d:multistatus>"""
CARDS = """<d:multistatus xmlns:d="DAV:" xmlns:card="urn:ietf:params:xml:ns:carddav"/>"""


@pytest.mark.parametrize(("name", "reports"), [("contacts", 1), ("z-app-generated--contactsinteraction--recent", 2)])
async def test_a_book_that_an_app_makes_is_read_again_though_its_token_is_the_same(name: str, reports: int) -> None:
    def server(request: httpx2.Request) -> httpx2.Response:
        if request.method == "REPORT":
            return httpx2.Response(207, text=CARDS)
        whole = request.url.path == "/remote.php/dav/"
        return httpx2.Response(207, text=PRINCIPAL.format("", "ada") if whole else BOOK.format(name=name))

    nextcloud = scripted(server)
    for _ in range(2):
        await nextcloud.contacts.ask_all(query(defined_filter("UID"), properties=("UID",)))
    assert nextcloud.sent.count("REPORT") == reports
    await nextcloud.aclose()
