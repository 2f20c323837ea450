"""Contacts through MCP: what each call answers, and that nothing anyone wrote is lost."""

from typing import Any, Final
from urllib.parse import quote

import httpx2
import pytest
from tests.nextcloud.calls import arranged
from tests.nextcloud.flavours import FLAVOURS, NEXTCLOUD
from tests.nextcloud.sessions import Session, Watched, connected, facts, serving

from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio

HOME: Final = "/remote.php/dav/addressbooks/users/admin"


class Meddling(Watched):
    """Lets a card change just before the first PUT over it arrives."""

    def __init__(self, sandbox: Sandbox, place: str, text: str) -> None:
        super().__init__(httpx2.ASGITransport(sandbox.app))
        self._sandbox, self._place, self._text = sandbox, place, text

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        if request.method == "PUT" and self._text:
            text, self._text = self._text, ""
            await put(self._sandbox, self._place, text)
        return await super().handle_async_request(request)


async def put(sandbox: Sandbox, place: str, text: str) -> None:
    """Write a card past our own client."""
    transport = httpx2.ASGITransport(sandbox.app)
    async with httpx2.AsyncClient(transport=transport, auth=(sandbox.username, sandbox.token)) as client:
        answer = await client.put(f"http://sandbox{HOME}/{quote(place)}", content=text.encode())
        assert answer.status_code in {201, 204}, answer.text


async def text_of_card(sandbox: Sandbox, place: str) -> str:
    """Read a card past our own client, in the version that it is in."""
    sql = "SELECT data FROM cards WHERE uri = ?"
    [row] = sandbox._state.all(sql, place)  # pyright: ignore[reportPrivateUsage]
    return bytes(row["data"]).decode()


@pytest.mark.parametrize("flavour", [name for name in FLAVOURS if name != "an odd one"])
async def test_a_card_of_any_client_loses_nothing_by_an_update_through_a_tool(sandbox: Sandbox, flavour: str) -> None:
    place, text = "some card.vcf", FLAVOURS[flavour]
    await put(sandbox, f"contacts/{place}", text)
    uid = next(line for line in text.splitlines() if line.startswith("UID:")).removeprefix("UID:")
    async with connected(serving(sandbox)) as session:
        answer = await session.ask(
            "nc_contacts_update_contact", addressbook="contacts", uid=uid, contact_data={"title": "Joiner"}
        )
    assert answer["changed"] == ["title"]
    before, after = text.split("\r\n"), (await text_of_card(sandbox, place)).split("\r\n")
    assert [line for line in after if not line.startswith("TITLE")] == [
        line for line in before if not line.startswith("TITLE")
    ]
    assert "TITLE:Joiner" in after


async def test_a_card_with_other_line_ends_is_read_in_its_own_version_too(sandbox: Sandbox) -> None:
    text = NEXTCLOUD.replace("\r\n", "\n")
    await put(sandbox, "contacts/nextcloud-1.vcf", text)
    async with connected(serving(sandbox)) as session:
        await _update(session, "nextcloud-1", {"title": "Writer"})
    assert await text_of_card(sandbox, "nextcloud-1.vcf") == text.replace("TITLE:Editor", "TITLE:Writer")


async def test_an_update_that_changes_nothing_writes_nothing(sandbox: Sandbox) -> None:
    await put(sandbox, "contacts/nextcloud-1.vcf", NEXTCLOUD)
    service = serving(sandbox)
    async with connected(service) as session:
        given = {"addressbook": "contacts", "uid": "nextcloud-1"}
        answer = await session.ask(
            "nc_contacts_update_contact", **given, contact_data={"org": "Press", "bday": "1979-08-01"}
        )
        groups = await session.ask("nc_contacts_set_groups", **given, groups=["Friends", "Work"])
    assert (answer["changed"], groups["changed"]) == ([], [])
    assert "PUT" not in [request.method for request in service.arrived]


async def test_what_somebody_else_writes_meanwhile_stays(sandbox: Sandbox) -> None:
    await put(sandbox, "contacts/nextcloud-1.vcf", NEXTCLOUD)
    changed = NEXTCLOUD.replace("NOTE:Deadlines!", "NOTE:Call first")
    async with connected(Meddling(sandbox, "contacts/nextcloud-1.vcf", changed)) as session:
        given = {"addressbook": "contacts", "uid": "nextcloud-1", "contact_data": {"title": "Writer"}}
        answer = await session.ask("nc_contacts_update_contact", **given)
    assert (answer["note"], answer["title"]) == ("Call first", "Writer")


async def test_with_an_etag_what_somebody_else_wrote_meanwhile_is_not_touched(sandbox: Sandbox) -> None:
    await put(sandbox, "contacts/nextcloud-1.vcf", NEXTCLOUD)
    changed = NEXTCLOUD.replace("NOTE:Deadlines!", "NOTE:Call first")
    async with connected(Meddling(sandbox, "contacts/nextcloud-1.vcf", changed)) as session:
        given: dict[str, Any] = {"addressbook": "contacts", "uid": "nextcloud-1"}
        etag = (await session.ask("nc_contacts_get_contact", **given))["etag"]
        refused = await session.refusal("nc_contacts_update_contact", **given, etag=etag, contact_data={"note": "lost"})
    assert "Nothing was written." in refused
    assert await text_of_card(sandbox, "nextcloud-1.vcf") == changed


async def test_search_asks_for_what_it_looks_for_and_fetches_no_photos(sandbox: Sandbox) -> None:
    service = serving(sandbox)
    async with connected(service) as session:
        found = await session.ask("nc_contacts_search_contacts", query="MÜLLER tischlerei")
        number = await session.ask("nc_contacts_search_contacts", query="+1 555 0000")
        nobody = await session.ask("nc_contacts_search_contacts", query="müller press")
    assert [one["fn"] for one in found["items"]] == ["Käthe Müller"]
    assert number["items"] == nobody["items"] == []
    reports = [request for request in service.arrived if request.method == "REPORT"]
    assert reports
    assert all(b"text-match" in request.content or b'prop-filter name="TEL"' in request.content for request in reports)
    assert not any(b"PHOTO" in request.content for request in reports)


async def test_a_search_finds_in_any_case_within_lists_and_groups_but_no_letter_without_its_accent(
    sandbox: Sandbox,
) -> None:
    """As a real server was recorded to search; it fails over an empty text, which is not sent."""
    head, tail = "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:found\r\n", "END:VCARD\r\n"
    lines = "FN:Mia Ångström, Lange Straße\r\nitem1.EMAIL:user3@example.com\r\nCATEGORIES:Cat A,Cat B\r\n"
    await put(sandbox, "contacts/found.vcf", head + lines + tail)
    async with connected(serving(sandbox)) as session:
        for query, there in (
            ("STRASSE", True), ("lange strasse", True), ("ÅNGSTRÖM", True), ("user3@example.com", True),
            ("cat B", True), ("angstrom", False), ("Angström", False),
        ):  # fmt: skip
            found = await session.ask("nc_contacts_search_contacts", query=query)
            assert [one["uid"] for one in found["items"]] == ["found"] * there, query
        assert "nothing to search for" in await session.refusal("nc_contacts_search_contacts", query=" ")


async def test_a_number_is_found_however_it_is_written(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        for query in ("+49 151 5550101", "+491515550101", "1515550101", "0151 555-0101"):
            found = await session.ask("nc_contacts_search_contacts", query=query)
            assert [one["fn"] for one in found["items"]] == ["Käthe Müller"], query


async def test_a_thousand_contacts_are_listed_page_by_page(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        await session.ask("nc_contacts_create_addressbook", name="many", display_name="Many")
        from aboveboard.nextcloud.sandbox.contacts.contacts import write_card

        store = sandbox._state  # pyright: ignore[reportPrivateUsage]
        [book] = store.all("SELECT id FROM addressbooks WHERE uri = 'many'")
        for number in range(1000):
            card = f"BEGIN:VCARD\r\nVERSION:3.0\r\nUID:p{number}\r\nFN:Person {number}\r\nEND:VCARD\r\n"
            write_card(store, book["id"], f"p{number}.vcf", card)
        names: set[str] = set()
        offset: int | None = 0
        while offset is not None:
            page = await session.ask("nc_contacts_list_contacts", addressbook="many", limit=400, offset=offset)
            names |= {one["fn"] for one in page["items"]}
            offset = page.get("next_offset")
    assert len(names) == 1000


async def test_books_that_may_only_be_read_say_so(sandbox: Sandbox) -> None:
    before = facts(sandbox)
    async with connected(serving(sandbox), user="bob") as session:
        books = (await session.ask("nc_contacts_list_addressbooks"))["items"]
        shared = next(one for one in books if one.get("owner") == "admin")
        assert shared["read_only"]
        book = shared["name"]
        for tool, more in (
            ("nc_contacts_create_contact", {"contact_data": {"fn": "Mo"}}),
            ("nc_contacts_update_contact", {"uid": "club-treasurer", "contact_data": {"note": "x"}}),
            ("nc_contacts_delete_contact", {"uid": "club-treasurer"}),
        ):
            assert "is read-only for this user" in await session.refusal(tool, addressbook=book, **more), tool
        assert "cannot be deleted" in await session.refusal(
            "nc_contacts_delete_addressbook", name="z-server-generated--system"
        )
    assert facts(sandbox) == before


async def test_texts_and_entries_as_they_are_shown_are_taken_too(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        made = await session.ask(
            "nc_contacts_create_contact",
            addressbook="contacts",
            contact_data={"fn": "Mo Ünal", "email": "mo@example.org", "tel": ["+1 555 0100"], "org": "Press"},
        )
        again = {name: made[name] for name in ("fn", "email", "tel", "org")}
        answer = await _update(session, made["uid"], again | {"adr": [{"city": "York", "types": ["home"]}]})
    assert answer["changed"] == ["adr"]
    assert [one["value"] for one in made["email"]] == ["mo@example.org"]
    assert (made["n"]["family"], made["org"]) == ("Ünal", ["Press"])


async def test_an_unknown_field_is_refused_by_its_name(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        refused = await session.refusal(
            "nc_contacts_create_contact", addressbook="contacts", contact_data={"fn": "Mo", "phone": "1"}
        )
    assert "phone" in refused


async def test_a_photo_comes_as_it_was_given(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        arguments = await arranged(session, "nc_contacts_get_contact")
        plain = await session.ask("nc_contacts_get_contact", **arguments)
        whole = await session.ask("nc_contacts_get_contact", **arguments, include_photo=True)
    assert plain["photo"] == {"media_type": "image/png", "size": 70}
    assert whole["photo"]["data"].startswith("iVBORw0KGgo")


async def _update(session: Session, uid: str, fields: dict[str, Any]) -> dict[str, Any]:
    return await session.ask("nc_contacts_update_contact", addressbook="contacts", uid=uid, contact_data=fields)
