"""What is there when a recorded scenario about contacts begins."""

from collections.abc import Awaitable, Callable, Mapping

from tests.nextcloud.sandbox.recordings import steps_of
from tests.nextcloud.sandbox.replay import Replay

HOME = "/remote.php/dav/addressbooks/users/admin"
_NAMES = (
    *("Müller", "müller", "MÜLLER", "Mueller", "Muller", "Straße", "STRASSE", "Ángel", "angel", "İstanbul"),
    *("100% sure", "under_score", "back\\\\slash"),
)
_MKCOL = (
    '<d:mkcol xmlns:d="DAV:" xmlns:card="urn:ietf:params:xml:ns:carddav"><d:set><d:prop><d:resourcetype><d:collection/>'
    "<card:addressbook/></d:resourcetype><d:displayname>{}</d:displayname></d:prop></d:set></d:mkcol>"
)
Arrange = Callable[[Replay], Awaitable[None]]


async def _book(replay: Replay, name: str, shown: str) -> None:
    made = await replay.admin.send("MKCOL", f"{HOME}/{name}/", body=_MKCOL.format(shown))
    assert made.status == 201, made


async def _put(replay: Replay, place: str, text: str) -> None:
    put = await replay.admin.send("PUT", f"{HOME}/{place}", body=text)
    assert put.status in {201, 204}, put


def _recorded(area: str, scenario: str, name: str) -> str:
    body = next(step.body for step in steps_of(area, scenario) if step.name == name)
    assert isinstance(body, str)
    return body


def _card(uid: str, name: str, *lines: str) -> str:
    return "\r\n".join(["BEGIN:VCARD", "VERSION:3.0", f"UID:{uid}", f"FN:{name}", *lines, "END:VCARD", ""])


async def fresh(replay: Replay) -> None:
    """A new account: one book, and in it the example."""
    for book in ("club", "contacts"):
        await replay.admin.send("DELETE", f"{HOME}/{book}/")
    await _book(replay, "contacts", "Contacts")
    example = ("EMAIL;TYPE=HOME:leon@example.com", "TEL;TYPE=HOME,VOICE:+999999999999")
    await _put(replay, "contacts/default", _card("38d88ab9", "Leon Green", *example))


async def _to_query(replay: Replay) -> None:
    await fresh(replay)
    anna = _recorded("contacts", "contacts-crud", "02-create-v3")
    await _put(replay, "contacts/rec-anna.vcf", anna)
    await _put(replay, "contacts/rec-ben.vcf", _recorded("contacts", "contacts-crud", "17-update-other-uid"))
    people = (("Carl Jones", "carl@x.example"), ("Dora Jonas", "dora@x.example"), ("Emil", "EMIL@X.EXAMPLE"))
    for number, (name, mail) in enumerate(people):
        category = "Home" if number == 1 else "Work"
        lines = (f"EMAIL;TYPE=HOME:{mail}", f"CATEGORIES:{category}")
        await _put(replay, f"contacts/q{number}.vcf", _card(f"rec-q{number}", name, *lines))
    for _ in range(21):  # until the book has had as many changes as the recorded one
        await _put(replay, "contacts/rec-anna.vcf", anna)
    await _book(replay, "rec-b2", "B2")


async def _empty_book(replay: Replay) -> None:
    await _book(replay, "ob", "Objects")


async def _with_v4(replay: Replay) -> None:
    await _empty_book(replay)
    await _put(replay, "ob/v4.vcf", _recorded("objects/contacts", "photo-and-groups", "25-put-after-delete"))


async def _to_search(replay: Replay) -> None:
    await _book(replay, "ob2", "Search")
    for number, name in enumerate(_NAMES):
        lines = (
            f"item1.EMAIL;TYPE=WORK:User{number}@Example.COM",
            "item1.X-ABLabel:lab",
            f"TEL;TYPE=CELL:+49 151 {number}",
            "CATEGORIES:Cat A,Cat B",
            f"X-MY:val{number}",
        )
        await _put(replay, f"ob2/s{number}.vcf", _card(f"s{number}", name, *lines))


async def _changes(replay: Replay) -> None:
    for text in ("one", "two"):
        await _put(replay, "ob2/s0.vcf", _card("s0", text))
    await replay.admin.send("DELETE", f"{HOME}/ob2/s1.vcf")
    await _put(replay, "ob2/new.vcf", _card("new", "New"))
    await _put(replay, "ob2/nd.vcf", _card("nd", "Gone soon"))
    await replay.admin.send("DELETE", f"{HOME}/ob2/nd.vcf")
    await _empty_book(replay)
    await replay.admin.send("MOVE", f"{HOME}/ob2/s2.vcf", headers={"destination": f"http://x{HOME}/ob/s2.vcf"})


async def _to_move(replay: Replay) -> None:
    await _to_search(replay)
    await _empty_book(replay)
    await _put(replay, "ob/g3.vcf", _recorded("objects/contacts", "photo-and-groups", "16-put-group-3"))


SCENARIOS: Mapping[str, Arrange] = {
    "contacts:addressbooks": fresh,
    "contacts:contacts-crud": fresh,
    "contacts:contacts-queries": _to_query,
    "objects/contacts:full-vcard-3": _empty_book,
    "objects/contacts:full-vcard-4": _empty_book,
    "objects/contacts:photo-and-groups": _with_v4,
    "objects/contacts:search": _to_search,
    "objects/contacts:move": _to_move,
}
STEPS: Mapping[str, Arrange] = {
    "objects/contacts:search/27-sync-delta": _changes,
    "errors:without-ocs-header/04-get-contacts": fresh,
}
