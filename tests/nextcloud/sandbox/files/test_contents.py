"""Contents of files: parts of them, conditions, uploads, links and finding them again."""

import pytest
from lxml import etree
from tests.nextcloud.sandbox.sending import Person, send

from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio

DAV = "/remote.php/dav"


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


async def test_a_direct_link_needs_no_login(sandbox: Sandbox, admin: Person) -> None:
    letter = sandbox.dump()["derived/files/admin/Documents/letter.txt/id"]
    url = (await admin.post("/ocs/v2.php/apps/dav/api/v1/direct", {"fileId": letter})).data["url"]
    assert (await send(sandbox, "GET", url.partition("8081")[2])).body == (await admin.get("Documents/letter.txt")).body
    assert (await send(sandbox, "GET", "/remote.php/direct/guess")).status == 404


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
