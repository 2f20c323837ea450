"""Paths and bodies that mean harm: nobody gets out of a home, and no XML body reaches out or blows up."""

import pytest
from tests.nextcloud.sandbox.sending import Person

from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio

FILES = "/remote.php/dav/files"
SECRET = "Nobody else reads this."


@pytest.mark.parametrize(
    "path",
    [
        f"{FILES}/admin/../bob/Diary.md",
        f"{FILES}/admin/%2e%2e/bob/Diary.md",
        f"{FILES}/admin/%2E%2E%2Fbob%2FDiary.md",
        f"{FILES}/admin/..%2fbob%2fDiary.md",
        f"{FILES}/admin/%252e%252e/bob/Diary.md",
        f"{FILES}/admin//../bob/Diary.md",
        f"{FILES}/admin/./../bob/Diary.md",
        f"{FILES}/admin\\..\\bob/Diary.md",
        "/remote.php/webdav/../dav/files/bob/Diary.md",
        "/remote.php/webdav/%2e%2e/bob/Diary.md",
        "/remote.php/dav/uploads/admin/../../files/bob/Diary.md",
        "/remote.php/dav/trashbin/admin/trash/../../../files/bob/Diary.md",
    ],
)
@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "PROPFIND", "MKCOL"])
async def test_no_path_leads_out_of_a_home(sandbox: Sandbox, admin: Person, method: str, path: str) -> None:
    before = sandbox.dump()
    got = await admin.send(method, path, body="x" if method == "PUT" else "")
    assert got.status in {400, 403, 404, 405, 409, 415}, got
    assert SECRET not in got.body.decode()
    assert sandbox.dump() == before


@pytest.mark.parametrize("there", [f"{FILES}/admin/%2e%2e/bob/taken.md", f"{FILES}/bob/taken.md", "/etc/passwd", "//x"])
@pytest.mark.parametrize("method", ["MOVE", "COPY"])
async def test_no_destination_leads_out_of_a_home(sandbox: Sandbox, admin: Person, method: str, there: str) -> None:
    before = sandbox.dump()
    got = await admin.send(method, f"{FILES}/admin/Readme.md", headers={"destination": there})
    assert got.status in {400, 403, 404, 409}, got
    assert sandbox.dump() == before


async def test_notes_stay_in_their_folder(sandbox: Sandbox, admin: Person) -> None:
    root = "/index.php/apps/notes/api"
    made = await admin.post(f"{root}/v1/notes", {"title": "../../x", "category": "../../../bob"})
    assert made.json["internalPath"] == "/Notes/bob/x.md"
    await admin.post(f"{root}/v1/settings", {"notesPath": "../../bob/Notes"}, "PUT")
    moved = await admin.post(f"{root}/v1/notes", {"title": "y"})
    assert moved.json["internalPath"] == "/bob/Notes/y.md"
    assert not any(key.startswith("files/bob") and "/y.md" in key for key in sandbox.dump())
    note = made.json["id"]
    sneaky = await admin.send("GET", f"{root}/v1.4/attachment/{note}?path=../../../bob/Diary.md")
    assert sneaky.status == 404


async def test_a_bulk_upload_stays_in_the_home(sandbox: Sandbox, admin: Person) -> None:
    before = sandbox.dump()
    body = "--B\r\nX-File-Path: /../bob/x.txt\r\nContent-Length: 1\r\n\r\nA\r\n--B--\r\n"
    headers = {"content-type": "multipart/related; boundary=B"}
    got = await admin.send("POST", "/remote.php/dav/bulk", headers=headers, body=body)
    assert got.status == 400
    assert sandbox.dump() == before


BOMB = (
    '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">'
    '<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]>'
)
EXTERNAL = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]>'
PARAMETER = '<!DOCTYPE x [<!ENTITY % p SYSTEM "http://127.0.0.1:1/x.dtd"> %p;]>'


async def test_an_xml_bomb_is_refused(admin: Person) -> None:
    body = f'{BOMB}<d:propfind xmlns:d="DAV:"><d:prop><d:displayname/>&c;</d:prop></d:propfind>'
    assert (await admin.send("PROPFIND", f"{FILES}/admin/", body=body)).status == 400
    patch = (
        f'{BOMB}<d:propertyupdate xmlns:d="DAV:"><d:set><d:prop><x:bomb xmlns:x="urn:x">&c;</x:bomb></d:prop></d:set>'
        "</d:propertyupdate>"
    )
    assert (await admin.send("PROPPATCH", f"{FILES}/admin/Readme.md", body=patch)).status == 400
    report = f'{BOMB}<oc:filter-files xmlns:oc="http://owncloud.org/ns">&c;</oc:filter-files>'
    assert (await admin.send("REPORT", f"{FILES}/admin/", body=report)).status == 500
    search = f'{BOMB}<d:searchrequest xmlns:d="DAV:">&c;</d:searchrequest>'
    xml = {"content-type": "text/xml"}
    assert (await admin.send("SEARCH", "/remote.php/dav/", headers=xml, body=search)).status == 400


@pytest.mark.parametrize("declaration", [EXTERNAL, PARAMETER])
async def test_an_external_entity_is_never_read(sandbox: Sandbox, admin: Person, declaration: str) -> None:
    inside = "&e;" if declaration == EXTERNAL else ""
    patch = (
        f'{declaration}<d:propertyupdate xmlns:d="DAV:"><d:set><d:prop><x:c xmlns:x="urn:x">a{inside}b</x:c></d:prop>'
        "</d:set></d:propertyupdate>"
    )
    got = await admin.send("PROPPATCH", f"{FILES}/admin/Readme.md", body=patch)
    stored = sandbox.dump().get("files/admin/Readme.md/properties/admin/{urn:x}c", "ab")
    assert got.status in {207, 400}
    assert stored in {"a", "ab"}
