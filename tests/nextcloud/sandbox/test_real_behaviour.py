"""What a real Nextcloud was seen to do besides the recordings, and the sandbox did otherwise."""

import re
from collections.abc import AsyncIterator

import anyio
import httpx2
import pytest
from tests.nextcloud.sandbox.sending import Person

from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio

FILES = "/remote.php/dav/files/admin"
NOTES = "/index.php/apps/notes/api/v1/notes"
SHARES = "/ocs/v2.php/apps/files_sharing/api/v1/shares"


@pytest.mark.parametrize(
    ("path", "body", "said"),
    [
        (f"{FILES}/par.bin", b"two", '"/par.bin" is locked'),
        (f"{NOTES}/{{note}}", b'{"content": "two"}', '{"errorType":"Exception"}'),
    ],
)
async def test_who_writes_what_is_being_written_is_refused_and_nothing_is_done(
    sandbox: Sandbox, path: str, body: bytes, said: str
) -> None:
    begun, go_on = anyio.Event(), anyio.Event()
    answers: list[httpx2.Response] = []

    async def slowly() -> AsyncIterator[bytes]:
        begun.set()
        await go_on.wait()
        yield body.replace(b"two", b"one")

    transport = httpx2.ASGITransport(sandbox.app)
    async with httpx2.AsyncClient(
        transport=transport, base_url="http://nextcloud", auth=("admin", sandbox.token)
    ) as web:
        note = (await web.get(NOTES)).json()[0]["id"]
        at = path.format(note=note)

        async def first() -> None:
            answers.append(await web.put(at, content=slowly(), headers={"content-type": "application/json"}))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(first)
            await begun.wait()
            answers.append(await web.put(at, content=body, headers={"content-type": "application/json"}))
            answers.append(await web.put(f"{FILES}/other.bin", content=b"two"))
            go_on.set()
        second, other, slow = answers
        assert (second.status_code, other.status_code) == (423, 201)
        assert said in second.text
        assert slow.is_success
        now = (await web.get(at)).text
        assert "one" in now
        assert "two" not in now
        assert (await web.put(at, content=body, headers={"content-type": "application/json"})).is_success


_LETTER, _FOLDER = "/Documents/letter.txt", "/Photos"
_FAILED = "Failed to update share."
_NEITHER = "Share must at least have READ or CREATE permissions"


@pytest.mark.parametrize(
    ("kind", "path", "asked", "status", "came"),
    [
        (0, _FOLDER, 4, 200, 5), (0, _FOLDER, 31, 200, 31), (0, _LETTER, 31, 200, 19),
        (3, _FOLDER, 4, 200, 4), (3, _FOLDER, 1, 200, 17), (3, _FOLDER, 2, 400, _NEITHER),
        (3, _LETTER, 15, 200, 19), (3, _LETTER, 4, 400, _NEITHER), (3, _LETTER, 2, 400, _NEITHER),
    ],
)  # fmt: skip
async def test_rights_of_a_new_share_are_those_that_its_kind_can_have(
    admin: Person, kind: int, path: str, asked: int, status: int, came: object
) -> None:
    share = {"path": path, "shareType": kind, "shareWith": "bob", "permissions": asked}
    got = await admin.post(SHARES, share)
    told = got.data["permissions"] if got.status == 200 else got.json["ocs"]["meta"]["message"]
    assert (got.status, told) == (status, came)


@pytest.mark.parametrize(
    ("kind", "path", "asked", "status", "came"),
    [
        (0, _FOLDER, 4, 400, _FAILED), (0, _FOLDER, 5, 200, 5), (0, _FOLDER, 2, 400, _FAILED),
        (0, _LETTER, 5, 400, _FAILED), (0, _LETTER, 3, 200, 3),
        (3, _LETTER, 5, 400, _FAILED), (3, _LETTER, 3, 200, 19),
        (3, _FOLDER, 5, 200, 21), (3, _FOLDER, 4, 200, 4), (3, _FOLDER, 8, 400, _NEITHER),
    ],
)  # fmt: skip
async def test_rights_that_a_share_cannot_have_are_refused_at_an_update(
    admin: Person, kind: int, path: str, asked: int, status: int, came: object
) -> None:
    made = await admin.post(SHARES, {"path": path, "shareType": kind, "shareWith": "bob", "permissions": 1})
    got = await admin.post(f"{SHARES}/{made.data['id']}", {"permissions": asked}, method="PUT")
    told = got.data["permissions"] if got.status == 200 else got.json["ocs"]["meta"]["message"]
    assert (got.status, told) == (status, came)


async def test_a_second_share_by_mail_and_one_with_an_unknown_team_are_refused(admin: Person) -> None:
    mail = {"path": _LETTER, "shareType": 4, "shareWith": "carol@example.org"}
    assert [(await admin.post(SHARES, mail)).status for _ in range(2)] == [200, 403]
    assert (await admin.post(SHARES, {**mail, "path": _FOLDER})).status == 200
    assert (await admin.post(SHARES, {"path": _LETTER, "shareType": 7, "shareWith": "x"})).status == 500


async def test_the_first_chunk_for_a_folder_that_is_missing_is_a_404(admin: Person) -> None:
    upload = "/remote.php/dav/uploads/admin/one"
    to = {"destination": f"http://127.0.0.1:8081{FILES}/nowhere/big.bin"}
    assert (await admin.send("MKCOL", upload, headers=to)).status == 201
    assert (await admin.send("PUT", f"{upload}/00001", headers=to, body="x")).status == 404


@pytest.mark.parametrize(("ending", "goes"), [("md", True), ("markdown", True), ("txt", False), ("org", False)])
async def test_attachments_go_with_notes_in_markdown_alone(admin: Person, ending: str, *, goes: bool) -> None:
    await admin.put(f"Notes/Home/Plain.{ending}", "hello")
    note = next(one["id"] for one in (await admin.send("GET", NOTES)).json if one.get("title") == "Plain")
    await admin.put(f"Notes/Home/.attachments.{note}/a.txt", "z")
    await admin.post(f"{NOTES}/{note}", {"category": "Moved"}, method="PUT")
    places = [f"Notes/{folder}/.attachments.{note}/a.txt" for folder in ("Moved", "Home")]
    assert [(await admin.get(place)).status == 200 for place in places] == [goes, not goes]
    await admin.send("DELETE", f"{NOTES}/{note}")
    assert [(await admin.get(place)).status == 200 for place in places] == [False, not goes]


async def test_properties_that_a_client_made_up_belong_to_a_path(admin: Person) -> None:
    """As recorded: a copy over a file leaves the file's own, a move takes along, and the bin has none of them."""
    asked = '<d:propfind xmlns:d="DAV:"><d:prop><x:mine xmlns:x="http://example.com/x"/></d:prop></d:propfind>'

    async def mine(name: str) -> str:
        got = await admin.send("PROPFIND", f"{FILES}/{name}", headers={"depth": "0"}, body=asked)
        found = re.search(r"mine[^>]*>(dead \w)<", got.body.decode())
        return found[1] if found else ""

    for name in "abc":
        await admin.put(f"{name}.txt", name)
        value = f'<x:mine xmlns:x="http://example.com/x">dead {name}</x:mine>'
        body = f'<d:propertyupdate xmlns:d="DAV:"><d:set><d:prop>{value}</d:prop></d:set></d:propertyupdate>'
        await admin.send("PROPPATCH", f"{FILES}/{name}.txt", body=body)
    for method, target in (("COPY", "b"), ("MOVE", "c")):
        to = {"destination": f"http://127.0.0.1:8081{FILES}/{target}.txt"}
        assert (await admin.send(method, f"{FILES}/a.txt", headers=to)).status == 204
    assert [await mine(f"{name}.txt") for name in "bc"] == ["dead b", "dead a"]
    await admin.send("DELETE", f"{FILES}/c.txt")
    bin_of = "/remote.php/dav/trashbin/admin"
    listed = await admin.send("PROPFIND", f"{bin_of}/trash/", headers={"depth": "1"})
    keys = re.findall(r"/trash/(c\.txt\.d\d+)", listed.body.decode())
    restored = {"destination": f"http://127.0.0.1:8081{bin_of}/restore/c.txt"}
    assert (await admin.send("MOVE", f"{bin_of}/trash/{max(keys)}", headers=restored)).status == 201
    assert ((await admin.get("c.txt")).body, await mine("c.txt")) == (b"a", "")
