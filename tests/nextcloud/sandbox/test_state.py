"""The sandbox as a thing to test against: its first state, resets, dumps, files, and several side by side."""

from pathlib import Path

import httpx2
import pytest
from starlette.applications import Starlette
from starlette.routing import Mount
from tests.nextcloud.sandbox.sending import Person, send

from aboveboard.nextcloud.sandbox import Sandbox
from aboveboard.nextcloud.sandbox.seed.seed import LINK_PASSWORD

pytestmark = pytest.mark.anyio

SHARES = "/ocs/v2.php/apps/files_sharing/api/v1/shares"
NOTES = "/index.php/apps/notes/api/v1/notes"
DAV = "/remote.php/dav"


async def _work(admin: Person, bob: Person) -> None:
    """A bit of everything that writes."""
    await admin.put("Documents/plan.md", "another plan")
    await admin.put("new/deep/file.txt", b"\xff\x00")
    await admin.delete("Documents/letter.txt")
    await admin.post(NOTES, {"title": "A", "content": "b", "category": "C/D", "favorite": True})
    await admin.post(SHARES, {"path": "/Readme.md", "shareType": 3, "password": "Secret-1"})
    await bob.put("Projects/garden.md", "of bob")
    await bob.send("MKCOL", "/remote.php/dav/uploads/bob/up")
    await bob.send("PUT", "/remote.php/dav/uploads/bob/up/1", body="part")
    await admin.post("/remote.php/dav/systemtags", {"name": "later"})
    await admin.post("/remote.php/dav/comments/files/4", {"actorType": "users", "verb": "comment", "message": "hi"})


async def test_equal_calls_after_a_reset_give_equal_states(sandbox: Sandbox, admin: Person, bob: Person) -> None:
    first = sandbox.dump()
    await _work(admin, bob)
    worked = sandbox.dump()
    assert worked != first
    sandbox.reset()
    assert sandbox.dump() == first
    await _work(admin, bob)
    assert sandbox.dump() == worked


async def test_reading_changes_no_fact(sandbox: Sandbox, admin: Person) -> None:
    before = sandbox.dump()
    for method, target in (
        ("GET", NOTES),
        ("GET", SHARES),
        ("PROPFIND", "/remote.php/dav/files/admin/"),
        ("PROPFIND", "/remote.php/dav/trashbin/admin/trash"),
        ("GET", "/remote.php/dav/files/admin/Documents/plan.md"),
        ("GET", "/ocs/v2.php/cloud/capabilities"),
        ("GET", "/ocs/v2.php/search/providers/notes/search?term=shed"),
    ):
        got = await admin.send(method, target)
        assert got.status in {200, 207}, target
    assert sandbox.dump() == before


async def test_a_refused_request_changes_no_fact(sandbox: Sandbox, admin: Person) -> None:
    before = sandbox.dump()
    assert (await admin.put("Documents/plan.md", "x", if_match='"stale"')).status == 412
    assert (await admin.put("Documents/plan.md", "x", x_oc_mtime="yesterday")).status == 500
    assert (await admin.post(SHARES, {"path": "/none", "shareType": 3})).status == 404
    assert sandbox.dump() == before


async def test_the_dump_names_what_a_person_would_name(sandbox: Sandbox, admin: Person) -> None:
    facts = sandbox.dump()
    assert facts["files/admin/Documents/plan.md/content"] == "# Plan\n\n1. Measure\n2. Cut\n"
    assert str(facts["files/admin/Photos/sunset.png/content"]).startswith("sha256:")
    assert facts["files/admin/Documents/kind"] == "folder"
    assert facts["files/admin/Documents/plan.md/favorite/admin"] is True
    assert facts["shares/2/permissions"] == 15
    assert facts["shares/2/targets/bob"] == "/Projects"
    note = facts["derived/files/admin/Notes/Work/Shed.md/id"]
    assert (facts[f"notes/{note}/title"], facts[f"notes/{note}/category"]) == ("Shed", "Work")
    assert any(key.startswith("trash/admin/Documents/old draft.md.d") for key in facts)


VERSIONS = "files/admin/Documents/plan.md/versions/"


def _versions(sandbox: Sandbox) -> list[str]:
    return [key for key in sandbox.dump() if key.startswith(VERSIONS) and key.endswith("/content")]


async def test_writing_the_same_again_keeps_a_version_of_it_as_the_real_one_does(
    sandbox: Sandbox, admin: Person
) -> None:
    await admin.put("Documents/plan.md", "new")
    once = _versions(sandbox)
    await admin.put("Documents/plan.md", "new")
    assert len(_versions(sandbox)) == len(once) + 1 > 1


async def test_within_a_second_an_etag_stays_a_stale_condition_holds_and_no_version_is_kept(
    sandbox: Sandbox, admin: Person
) -> None:
    """As in files:same-second-put of the recordings."""
    first = (await admin.put("quick.txt", "aaaa")).headers["etag"]
    sandbox.hold_clock()
    assert (await admin.put("quick.txt", "bbbbbbbb")).headers["etag"] == first
    known = await admin.send("GET", f"{DAV}/files/admin/quick.txt", headers={"if-none-match": first})
    assert known.status == 304
    kept = [key for key in sandbox.dump() if key.startswith("files/admin/quick.txt/versions/")]
    assert kept == []
    sandbox.pass_time(1)
    late = await admin.put("quick.txt", "stale writer wins?", if_match=first)
    assert (late.status, late.headers["etag"] != first) == (204, True)
    told = (await admin.get("quick.txt")).headers
    assert told["date"] == told["last-modified"]


async def test_a_chunk_for_a_folder_that_is_missing_is_refused_at_once(admin: Person) -> None:
    about = {"destination": f"{DAV}/files/admin/missing/dir/big.bin", "x-nc-webdav-auto-mkcol": "1"}
    await admin.send("MKCOL", f"{DAV}/uploads/admin/up", headers=about)
    refused = await admin.send("PUT", f"{DAV}/uploads/admin/up/00001", headers=about, body=b"x")
    assert (refused.status, "File with name /missing/dir could not be located" in refused.body.decode()) == (404, True)


async def test_what_is_in_the_bin_is_kept_until_it_is_deleted_for_good(sandbox: Sandbox, admin: Person) -> None:
    letter = f"nodes/{sandbox.dump()['derived/files/admin/Documents/letter.txt/id']}"
    await admin.delete("Documents/letter.txt")
    assert sandbox.dump()[letter] is True
    await admin.send("DELETE", "/remote.php/dav/trashbin/admin/trash")
    assert letter not in sandbox.dump()


async def test_only_another_password_changes_the_one_of_a_link(sandbox: Sandbox, admin: Person) -> None:
    first = sandbox.dump()["shares/5/password"]
    for password, changes in ((LINK_PASSWORD, False), ("another", True)):
        assert (await admin.post(f"{SHARES}/5", {"password": password}, "PUT")).status == 200
        assert (sandbox.dump()["shares/5/password"] != first) is changes


async def test_a_file_keeps_the_state_and_two_sandboxes_keep_apart(tmp_path: Path) -> None:
    data = tmp_path / "cloud.sqlite"
    one, other = Sandbox(data), Sandbox()
    await Person(one, "admin").put("kept.txt", "still here")
    assert "files/admin/kept.txt/content" not in other.dump()
    state = one.dump()
    one.close()
    again = Sandbox(str(data))
    assert again.dump() == state
    assert (await Person(again, "admin").get("kept.txt")).body == b"still here"
    again.reset()
    assert again.dump() == other.dump()
    again.close()
    other.close()


async def test_a_reset_brings_back_what_another_one_changed_in_the_same_file(tmp_path: Path) -> None:
    one, other = Sandbox(tmp_path / "cloud.sqlite"), Sandbox(tmp_path / "cloud.sqlite")
    one.reset()
    first = one.dump()
    await Person(other, "admin").put("new.txt", "of another")
    assert other.dump() == one.dump() != first
    one.reset()
    assert other.dump() == one.dump() == first
    one.close()
    other.close()


async def test_the_control_routes_need_their_token_and_no_login(sandbox: Sandbox, admin: Person) -> None:
    await admin.put("gone.txt")
    for method, route in (("GET", "state"), ("POST", "reset"), ("POST", "maintenance/on")):
        assert (await admin.send(method, f"/_sandbox/{route}")).status == 401
    assert (await admin.get("gone.txt")).status == 200
    token = {"x-sandbox-token": sandbox.control}
    state = await send(sandbox, "GET", "/_sandbox/state", headers=token)
    assert state.json["files/admin/gone.txt/content"] == "x"
    assert (await send(sandbox, "POST", "/_sandbox/reset", headers=token)).status == 204
    assert "files/admin/gone.txt/content" not in sandbox.dump()
    await send(sandbox, "POST", "/_sandbox/maintenance/on", headers=token)
    assert (await admin.get("Readme.md")).status == 503
    await send(sandbox, "POST", "/_sandbox/maintenance/off", headers=token)
    assert (await admin.get("Readme.md")).status == 200


async def test_it_works_through_an_http_client(sandbox: Sandbox) -> None:
    transport = httpx2.ASGITransport(app=sandbox.app)
    login = (sandbox.username, sandbox.token)
    async with httpx2.AsyncClient(transport=transport, base_url="http://sandbox", auth=login) as client:
        listing = await client.request("PROPFIND", "/remote.php/dav/files/admin/Odd%20names/", headers={"depth": "1"})
        assert listing.status_code == 207
        assert "emoji%20%f0%9f%9a%80%20%c3%bcn%c3%af.txt" in listing.text


@pytest.mark.parametrize(("login", "person"), [("ada@example.org", "admin"), ("bob@example.org", "bob")])
async def test_the_principal_is_not_the_name_one_logs_in_with(sandbox: Sandbox, login: str, person: str) -> None:
    body = '<d:propfind xmlns:d="DAV:"><d:prop><d:current-user-principal/></d:prop></d:propfind>'
    got = await send(sandbox, "PROPFIND", "/remote.php/dav/", login=(login, sandbox.users[person]), body=body)
    assert f"/remote.php/dav/principals/users/{person}/" in got.body.decode()
    home = await send(sandbox, "PROPFIND", f"/remote.php/dav/files/{login}/", login=(login, sandbox.users[person]))
    assert home.status == 404


async def test_below_a_path_every_url_has_that_path(sandbox: Sandbox) -> None:
    transport = httpx2.ASGITransport(app=Starlette(routes=[Mount("/cloud", app=sandbox.app)]))
    login = (sandbox.username, sandbox.token)
    body = (
        '<d:propfind xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:prop><d:current-user-principal/>'
        "<oc:comments-href/></d:prop></d:propfind>"
    )
    async with httpx2.AsyncClient(transport=transport, base_url="http://host", auth=login) as client:
        root = "/cloud/remote.php/dav"
        found = await client.request("PROPFIND", f"{root}/files/admin/Readme.md", content=body)
        assert f"<d:href>{root}/files/admin/Readme.md</d:href>" in found.text
        assert f"<d:href>{root}/principals/users/admin/</d:href>" in found.text
        assert f"<oc:comments-href>{root}/comments/files/" in found.text
        headers = {"destination": f"http://host{root}/files/admin/Moved.md"}
        assert (await client.request("MOVE", f"{root}/files/admin/Readme.md", headers=headers)).status_code == 201
        outside = {"destination": "http://host/remote.php/dav/files/admin/Readme.md"}
        assert (await client.request("MOVE", f"{root}/files/admin/Moved.md", headers=outside)).status_code == 403
