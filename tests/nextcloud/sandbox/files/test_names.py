"""Names of files: whatever Nextcloud takes comes back as it was sent, through every door."""

import unicodedata
from contextlib import closing
from urllib.parse import quote, unquote

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lxml import etree
from tests.nextcloud.sandbox.sending import Person

from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio

_FORBIDDEN = "/\\\0"
_LETTERS = st.characters(min_codepoint=32, exclude_characters=_FORBIDDEN, exclude_categories=["Cs"])


def _taken(name: str) -> bool:
    """Whether Nextcloud takes such a name."""
    composed = unicodedata.normalize("NFC", name)
    endings = (".part", ".filepart")
    return (
        composed not in {".", "..", ".htaccess"}
        and len(composed.encode()) <= 250
        and not composed.lower().endswith(endings)
    )


NAMES = st.text(_LETTERS, min_size=1, max_size=60).filter(_taken)


def _hrefs(body: bytes) -> list[str]:
    return [unquote(href.text or "") for href in etree.fromstring(body).iter("{DAV:}href")]


@settings(max_examples=60, deadline=None)
@example(folder="e\u0301", name="a\u030a #%41+&.txt", content=b"decomposed")
@example(folder=" ", name="...", content=b"")
@given(folder=NAMES, name=NAMES, content=st.binary(max_size=30))
async def test_a_name_comes_back_as_it_was_sent(folder: str, name: str, content: bytes) -> None:
    with closing(Sandbox()) as sandbox:
        await _round_trip(Person(sandbox, "admin"), folder, name, content)


async def _round_trip(admin: Person, folder: str, name: str, content: bytes) -> None:
    home = "/remote.php/dav/files/admin"
    target = f"{home}/{quote(f'F{folder}', safe='')}"
    composed = unicodedata.normalize("NFC", f"F{folder}"), unicodedata.normalize("NFC", name)
    if len(composed[0].encode()) > 250:
        return
    assert (await admin.send("MKCOL", target)).status == 201
    file = f"{target}/{quote(name, safe='')}"
    assert (await admin.send("PUT", file, body=content)).status == 201
    assert (await admin.send("GET", file)).body == content
    listing = _hrefs((await admin.send("PROPFIND", target, headers={"depth": "1"})).body)
    assert listing == [f"{home}/{composed[0]}/", f"{home}/{composed[0]}/{composed[1]}"]
    moved = {"destination": f"http://host{target}.moved"}
    assert (await admin.send("MOVE", target, headers=moved)).status == 201
    assert (await admin.send("GET", f"{target}.moved/{quote(name, safe='')}")).body == content
    assert (await admin.send("DELETE", f"{target}.moved/{quote(name, safe='')}")).status == 204
    trash = "/remote.php/dav/trashbin/admin"
    thrown = _hrefs((await admin.send("PROPFIND", f"{trash}/trash", headers={"depth": "1"})).body)[1]
    assert thrown.rpartition(".d")[0] == f"{trash}/trash/{composed[1]}"
    restore = {"destination": f"http://host{trash}/restore/x"}
    assert (await admin.send("MOVE", quote(thrown), headers=restore)).status == 201
    assert (await admin.send("GET", f"{target}.moved/{quote(name, safe='')}")).body == content


@example(title="", category="\U0002f800", content="")
@settings(max_examples=30, deadline=None)
@given(title=st.text(_LETTERS, max_size=40), category=st.text(_LETTERS, max_size=20), content=st.text(max_size=40))
async def test_a_note_and_its_file_are_one_thing(title: str, category: str, content: str) -> None:
    with closing(Sandbox()) as sandbox:
        await _two_doors(Person(sandbox, "admin"), title, category, content)


async def _two_doors(admin: Person, title: str, category: str, content: str) -> None:
    text = content.encode("utf-8", "ignore").decode()
    made = await admin.post(
        "/index.php/apps/notes/api/v1/notes", {"title": title, "category": category, "content": text}
    )
    note = made.json
    path = quote(note["internalPath"].strip("/"))
    assert (await admin.get(path)).body == text.encode()
    await admin.put(path, "by file")
    again = (await admin.send("GET", f"/index.php/apps/notes/api/v1/notes/{note['id']}")).json
    assert again["content"] == "by file"
    assert again["etag"] != note["etag"]
    assert (await admin.delete(path)).status == 204
    gone = await admin.send("GET", f"/index.php/apps/notes/api/v1/notes/{note['id']}")
    assert gone.status == 404


@pytest.mark.parametrize("name", ["a\\b.txt", "tab\t.txt", "x.part", "x.FilePart", "x" * 251, "é" * 126])
async def test_a_bad_name_is_refused_with_the_reason(sandbox: Sandbox, admin: Person, name: str) -> None:
    before = sandbox.dump()
    got = await admin.send("PUT", f"/remote.php/dav/files/admin/{quote(name, safe='')}", body="x")
    assert got.status == 400
    assert b"InvalidPath" in got.body
    assert sandbox.dump() == before


async def test_every_odd_name_of_the_first_state_can_be_read(admin: Person) -> None:
    folder = "/remote.php/dav/files/admin/Odd%20names/"
    hrefs = [
        href.text or ""
        for href in etree.fromstring((await admin.send("PROPFIND", folder, headers={"depth": "1"})).body).iter(
            "{DAV:}href"
        )
    ]
    assert len(hrefs) == 13
    for href in hrefs[1:]:
        got = await admin.send("GET", href)
        assert got.body.decode() == f"The name of this file is {unquote(href).rpartition('/')[2]}\n"
