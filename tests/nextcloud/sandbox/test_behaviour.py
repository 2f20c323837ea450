"""What the recordings do not show and clients rely on all the same."""

import base64
from urllib.parse import quote

import pytest
from lxml import etree
from tests.nextcloud.sandbox.sending import Person, send

from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio

DAV = "/remote.php/dav"
NOTES = "/index.php/apps/notes/api/v1/notes"
SHARES = "/ocs/v2.php/apps/files_sharing/api/v1/shares"


@pytest.mark.parametrize(
    ("given", "status", "body", "shown"),
    [
        ("bytes=0-3", 206, b"Dear", "bytes 0-3/39"),
        ("bytes=30-", 206, b"roof.\n\nAda\n"[-9:], "bytes 30-38/39"),
        ("bytes=-4", 206, b"Ada\n", "bytes 35-38/39"),
        ("bytes=36-1000", 206, b"da\n", "bytes 36-38/39"),
        ("bytes=0-1,4-5", 200, None, None),
        ("lines=1-2", 200, None, None),
    ],
)
async def test_a_range_gives_a_part(
    admin: Person, given: str, status: int, body: bytes | None, shown: str | None
) -> None:
    whole = await admin.get("Documents/letter.txt")
    got = await admin.send("GET", f"{DAV}/files/admin/Documents/letter.txt", headers={"range": given})
    assert (got.status, got.headers.get("content-range")) == (status, shown)
    assert got.body == (whole.body if body is None else body)


async def test_a_range_of_another_content_is_the_whole(admin: Person) -> None:
    whole = await admin.get("Documents/letter.txt")
    headers = {"range": "bytes=0-3", "if-range": '"another"'}
    assert (await admin.send("GET", f"{DAV}/files/admin/Documents/letter.txt", headers=headers)).body == whole.body
    headers["if-range"] = whole.headers["etag"]
    assert (await admin.send("GET", f"{DAV}/files/admin/Documents/letter.txt", headers=headers)).body == b"Dear"


async def test_dates_guard_as_etags_do(admin: Person) -> None:
    path = f"{DAV}/files/admin/Documents/letter.txt"
    modified = (await admin.send("GET", path)).headers["last-modified"]
    assert (await admin.send("GET", path, headers={"if-modified-since": modified})).status == 304
    early = "Mon, 01 Jan 2024 00:00:00 GMT"
    assert (await admin.send("GET", path, headers={"if-modified-since": early})).status == 200
    assert (await admin.send("PUT", path, headers={"if-unmodified-since": early}, body="x")).status == 412
    assert (await admin.send("PUT", path, headers={"if-unmodified-since": modified}, body="x")).status == 204


async def test_a_folders_etag_changes_with_anything_below_and_with_nothing_else(admin: Person, bob: Person) -> None:
    async def etag(person: Person, path: str) -> str:
        got = await person.send("PROPFIND", f"{DAV}/files/{person.uid}/{path}", headers={"depth": "0"})
        return etree.fromstring(got.body).findtext(".//{DAV:}getetag") or ""

    places = ((admin, ""), (admin, "Projects"), (admin, "Projects/shed"), (bob, ""), (bob, "Projects"))
    before = [await etag(*place) for place in places]
    aside = await etag(admin, "Documents")
    await admin.put("Projects/shed/drawings/notes.txt", "Two by four.")
    after = [await etag(*place) for place in places]
    assert all(one != other for one, other in zip(before, after, strict=True))
    assert await etag(admin, "Documents") == aside


async def test_many_chunks_are_put_together_in_the_order_of_their_numbers(admin: Person) -> None:
    await admin.send("MKCOL", f"{DAV}/uploads/admin/up")
    for number in (10, 2, 1, 11, 3):
        await admin.send("PUT", f"{DAV}/uploads/admin/up/{number}", body=f"<{number}>")
    headers = {"destination": f"{DAV}/files/admin/whole.txt"}
    assert (await admin.send("MOVE", f"{DAV}/uploads/admin/up/.file", headers=headers)).status == 201
    assert (await admin.get("whole.txt")).body == b"<1><2><3><10><11>"


async def test_a_restored_version_is_the_file_again(sandbox: Sandbox, admin: Person) -> None:
    plan = sandbox.dump()["derived/files/admin/Documents/plan.md/id"]
    listing = await admin.send("PROPFIND", f"{DAV}/versions/admin/versions/{plan}", headers={"depth": "1"})
    hrefs = [href.text or "" for href in etree.fromstring(listing.body).iter("{DAV:}href")]
    assert len(hrefs) == 4
    first = (await admin.send("GET", hrefs[1])).body
    assert b"First draft" in first
    restore = {"destination": f"{DAV}/versions/admin/restore/target"}
    assert (await admin.send("MOVE", hrefs[1], headers=restore)).status == 201
    assert (await admin.get("Documents/plan.md")).body == first


async def test_a_note_is_listed_in_chunks_without_loss(admin: Person) -> None:
    seen: list[int] = []
    cursor = ""
    while True:
        got = await admin.send("GET", f"{NOTES}?chunkSize=5&exclude=content&chunkCursor={quote(cursor)}")
        seen += [note["id"] for note in got.json if "title" in note]
        cursor = got.headers.get("x-notes-chunk-cursor", "")
        if not cursor:
            break
    everything = {note["id"] for note in (await admin.send("GET", NOTES)).json}
    assert len(seen) == len(everything) == 12
    assert set(seen) == everything


async def test_notes_follow_their_folder_setting(admin: Person) -> None:
    await admin.post("/index.php/apps/notes/api/v1/settings", {"notesPath": "Notes/Work"}, "PUT")
    titles = {note["title"] for note in (await admin.send("GET", NOTES)).json}
    assert titles == {"Shed", "Kick-off", "Retrospective", "Übersicht & Größen"}
    capabilities = (await admin.send("GET", "/ocs/v2.php/cloud/capabilities")).data["capabilities"]
    assert capabilities["notes"]["notes_path"] == "Notes/Work"


async def test_an_attachment_of_a_categorised_note_is_beside_it(admin: Person) -> None:
    notes = (await admin.send("GET", NOTES)).json
    note = next(note for note in notes if note["title"] == "Paint colours")
    path = f"Notes/Home/.attachments.{note['id']}/swatch.png"
    assert (await admin.get(path)).body.startswith(b"\x89PNG")
    api = f"/index.php/apps/notes/api/v1.4/attachment/{note['id']}?path=.attachments.{note['id']}/swatch.png"
    assert (await admin.send("GET", api)).headers["content-type"] == "image/png"


async def test_the_last_note_of_a_category_takes_it_along(sandbox: Sandbox, admin: Person) -> None:
    notes = (await admin.send("GET", NOTES)).json
    porridge = next(note for note in notes if note["title"] == "Porridge")
    await admin.post(f"{NOTES}/{porridge['id']}", {"category": "Breakfast"}, "PUT")
    facts = sandbox.dump()
    assert "files/admin/Notes/Recipes/kind" not in facts
    assert "files/admin/Notes/Breakfast/Porridge.md/content" in facts


async def test_a_link_with_a_password_opens_with_it(sandbox: Sandbox, admin: Person) -> None:
    share = next(s for s in (await admin.send("GET", SHARES)).data if s["path"] == "/Documents/report.pdf")
    url = f"/public.php/dav/files/{share['token']}"
    assert (await send(sandbox, "GET", url)).status == 401
    opened = await send(sandbox, "GET", url, login=("anyone", "sandbox-link"))
    assert opened.body.startswith(b"%PDF-1.4")
    listed = next(s for s in (await admin.send("GET", SHARES)).data if s["path"] == "/Public")
    folder = await send(sandbox, "PROPFIND", f"/public.php/dav/files/{listed['token']}/", headers={"depth": "1"})
    assert b"price%20list.csv" in folder.body
    assert (await send(sandbox, "DELETE", f"/public.php/dav/files/{listed['token']}/flyer.md")).status == 403


async def test_a_direct_link_needs_no_login(sandbox: Sandbox, admin: Person) -> None:
    letter = sandbox.dump()["derived/files/admin/Documents/letter.txt/id"]
    url = (await admin.post("/ocs/v2.php/apps/dav/api/v1/direct", {"fileId": letter})).data["url"]
    assert (await send(sandbox, "GET", url.partition("8081")[2])).body == (await admin.get("Documents/letter.txt")).body
    assert (await send(sandbox, "GET", "/remote.php/direct/guess")).status == 404


async def test_an_ocs_answer_is_xml_unless_json_is_asked_for(sandbox: Sandbox) -> None:
    login, headers = ("bob", sandbox.users["bob"]), {"ocs-apirequest": "true"}
    got = await send(sandbox, "GET", "/ocs/v1.php/cloud/user", login=login, headers=headers)
    root = etree.fromstring(got.body)
    assert (root.findtext("meta/statuscode"), root.findtext("data/id")) == ("100", "bob")
    got = await send(sandbox, "GET", "/ocs/v2.php/cloud/user?format=json", login=login, headers=headers)
    assert got.data["email"] == "bob@example.org"


async def test_recipients_are_found_by_name_mail_and_group(admin: Person) -> None:
    root = "/ocs/v2.php/apps/files_sharing/api/v1/sharees?itemType=file&search="
    assert (await admin.send("GET", f"{root}bob")).data["exact"]["users"][0]["value"]["shareWith"] == "bob"
    assert (await admin.send("GET", f"{root}example.org")).data["users"][0]["label"] == "Bob"
    assert (await admin.send("GET", f"{root}tea")).data["groups"][0]["value"] == {"shareType": 1, "shareWith": "team"}
    only = await admin.send("GET", f"{root}o&shareType[]=1")
    assert only.data["users"] == []


async def test_a_broken_authorization_is_a_wrong_password(sandbox: Sandbox) -> None:
    for value in ("Basic !!!", "Basic " + base64.b64encode(b"\xff\xff").decode(), "Basic"):
        headers = {"authorization": value, "ocs-apirequest": "true", "accept": "application/json"}
        assert (await send(sandbox, "GET", "/ocs/v2.php/cloud/user", headers=headers)).status == 401


async def test_favourites_and_tags_are_found_again(sandbox: Sandbox, admin: Person) -> None:
    body = (
        '<oc:filter-files xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:prop><oc:fileid/></d:prop>'
        "<oc:filter-rules>{}</oc:filter-rules></oc:filter-files>"
    )
    for rule in ("<oc:favorite>1</oc:favorite>", "<oc:systemtag>1</oc:systemtag>"):
        got = await admin.send("REPORT", f"{DAV}/files/admin/Documents", body=body.format(rule))
        hrefs = [href.text for href in etree.fromstring(got.body).iter("{DAV:}href")]
        assert hrefs == [f"{DAV}/files/admin/Documents/plan.md"]
    both = body.format("<oc:favorite>1</oc:favorite><oc:systemtag>2</oc:systemtag>")
    assert b"href" not in (await admin.send("REPORT", f"{DAV}/files/admin/", body=both)).body


async def test_a_note_with_a_set_time_keeps_its_versions(admin: Person, sandbox: Sandbox) -> None:
    note = (await admin.post(NOTES, {"title": "Timed", "content": "one"})).json
    await admin.post(f"{NOTES}/{note['id']}", {"modified": 1700000000}, "PUT")
    changed = (await admin.post(f"{NOTES}/{note['id']}", {"content": "two"}, "PUT")).json
    assert changed["modified"] > 1700000000
    versions = f"{DAV}/versions/admin/versions/{note['id']}"
    assert (await admin.send("GET", f"{versions}/1700000000")).body == b"one"
    listing = await admin.send("PROPFIND", versions, headers={"depth": "1"})
    assert len(list(etree.fromstring(listing.body).iter("{DAV:}href"))) == 3


@pytest.mark.parametrize("given", ["99999999999999999999", "²", "-1", "1.5", "%00", "0x10"])
async def test_no_id_breaks_the_server(admin: Person, given: str) -> None:
    for target in (f"{NOTES}/{given}", f"{SHARES}/{given}", f"{DAV}/files/admin/{given}"):
        assert (await admin.send("GET", quote(target, safe="/%"))).status in {400, 404}
    for place in ("versions/admin/versions", "comments/files", "systemtags", "systemtags-relations/files"):
        assert (await admin.send("PROPFIND", quote(f"{DAV}/{place}/{given}", safe="/%"))).status in {400, 404}


async def test_half_a_character_is_broken_json(admin: Person) -> None:
    json = {"content-type": "application/json"}
    made = await admin.send("POST", NOTES, headers=json, body='{"title": "\\ud83d"}')
    assert made.json["title"] == "New note"
    tag = await admin.send("POST", f"{DAV}/systemtags", headers=json, body='{"name": "\\ud83d"}')
    assert tag.status == 500
