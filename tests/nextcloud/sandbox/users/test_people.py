"""Two people on one server: neither sees nor touches what the other did not share."""

import json

import pytest
from tests.nextcloud.sandbox.sending import Person

from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio

DAV = "/remote.php/dav"
SHARES = "/ocs/v2.php/apps/files_sharing/api/v1/shares"
NOTES = "/index.php/apps/notes/api/v1/notes"
LIKE_ALL = (
    '<d:searchrequest xmlns:d="DAV:"><d:basicsearch><d:select><d:prop><d:displayname/></d:prop></d:select><d:from>'
    "<d:scope><d:href>/files/{}</d:href><d:depth>infinity</d:depth></d:scope></d:from><d:where><d:like><d:prop>"
    "<d:displayname/></d:prop><d:literal>%</d:literal></d:like></d:where></d:basicsearch></d:searchrequest>"
)


def _id(sandbox: Sandbox, path: str) -> object:
    return sandbox.dump()[f"derived/files/{path}/id"]


async def test_bob_reaches_nothing_of_admins_that_is_not_shared(sandbox: Sandbox, bob: Person) -> None:
    before = sandbox.dump()
    letter, note = _id(sandbox, "admin/Documents/letter.txt"), _id(sandbox, "admin/Notes/Ideas.md")
    version = f"{DAV}/versions/bob/versions/{letter}"
    comment = {"actorType": "users", "verb": "comment", "message": "x"}
    tries: list[tuple[str, str, object, int]] = [
        ("GET", f"{DAV}/files/admin/Documents/letter.txt", None, 404),
        ("PUT", f"{DAV}/files/admin/new.txt", "x", 403),
        ("PUT", f"{DAV}/files/admin/Documents/letter.txt", "x", 404),
        ("DELETE", f"{DAV}/files/admin/Documents/letter.txt", None, 404),
        ("PROPFIND", f"{DAV}/files/admin/Documents", None, 404),
        ("PROPFIND", f"{DAV}/trashbin/admin/trash", None, 403),
        ("DELETE", f"{DAV}/trashbin/admin/trash", None, 403),
        ("PROPFIND", f"{DAV}/versions/admin/versions/{letter}", None, 403),
        ("PROPFIND", version, None, 404),
        ("PROPFIND", f"{DAV}/comments/files/{letter}", None, 404),
        ("POST", f"{DAV}/comments/files/{letter}", comment, 404),
        ("PUT", f"{DAV}/systemtags-relations/files/{letter}/1", None, 404),
        ("GET", f"{NOTES}/{note}", None, 404),
        ("PUT", f"{NOTES}/{note}", {"content": "x"}, 404),
        ("DELETE", f"{NOTES}/{note}", None, 404),
        ("GET", f"/index.php/apps/notes/api/v1.4/attachment/{note}?path=Reading.md", None, 404),
        ("GET", f"{SHARES}/5", None, 404),
        ("PUT", f"{SHARES}/5", {"label": "x"}, 404),
        ("DELETE", f"{SHARES}/5", None, 404),
        ("POST", SHARES, {"path": "/Documents/letter.txt", "shareType": 3}, 404),
        ("POST", "/ocs/v2.php/apps/dav/api/v1/direct", {"fileId": letter}, 404),
        ("GET", f"/index.php/core/preview?fileId={letter}", None, 404),
        ("GET", "/ocs/v2.php/cloud/users/admin", None, 404),
    ]
    for method, target, body, status in tries:
        text = body if isinstance(body, str) else "" if body is None else json.dumps(body)
        headers = {} if isinstance(body, str) else {"content-type": "application/json"}
        got = await bob.send(method, target, headers=headers, body=text)
        assert got.status == status, (method, target, got)
    assert sandbox.dump() == before


async def test_bobs_lists_hold_only_what_is_his_or_shared(bob: Person) -> None:
    notes = (await bob.send("GET", NOTES)).json
    assert {note["title"] for note in notes} == {"Presents", "Salary"}
    found = (await bob.send("GET", "/ocs/v2.php/search/providers/notes/search?term=shed")).data
    assert found["entries"] == []
    shares = (await bob.send("GET", SHARES)).data
    assert {share["path"] for share in shares} == {"/Holiday"}
    received = (await bob.send("GET", f"{SHARES}?shared_with_me=true")).data
    assert {share["path"] for share in received} == {"/plan.md", "/Projects", "/Photos"}
    xml = {"content-type": "text/xml"}
    search = await bob.send("SEARCH", f"{DAV}/", headers=xml, body=LIKE_ALL.format("bob"))
    assert "garden.md" in search.body.decode()
    assert "letter.txt" not in search.body.decode()
    foreign = await bob.send("SEARCH", f"{DAV}/", headers=xml, body=LIKE_ALL.format("admin"))
    assert foreign.status == 500


async def test_a_share_gives_what_it_says_and_no_more(sandbox: Sandbox, admin: Person, bob: Person) -> None:
    assert (await bob.get("plan.md")).status == 200
    assert (await bob.put("plan.md", "mine")).status == 403
    assert (await bob.put("Photos/new.txt", "mine")).status == 403
    assert (await bob.delete("Photos/sunset.png")).status == 403
    assert (await bob.put("Projects/by bob.txt".replace(" ", "%20"), "hello")).status == 201
    assert (await admin.get("Projects/by%20bob.txt")).body == b"hello"
    assert (await bob.delete("Projects/garden.md")).status == 204
    bin_of_admin = [key for key in sandbox.dump() if key.startswith("trash/admin/Projects/garden.md")]
    assert bin_of_admin
    assert (await bob.delete("Projects")).status == 204
    assert (await bob.get("Projects/shed/materials.md")).status == 404
    assert (await admin.get("Projects/shed/materials.md")).status == 200


async def test_a_receiver_renames_a_share_for_himself_alone(admin: Person, bob: Person) -> None:
    headers = {"destination": f"{DAV}/files/bob/Holiday/from%20admin.md"}
    assert (await bob.send("MOVE", f"{DAV}/files/bob/plan.md", headers=headers)).status == 201
    assert (await bob.get("Holiday/from%20admin.md")).body == (await admin.get("Documents/plan.md")).body
    assert (await admin.get("Documents/plan.md")).status == 200


async def test_an_upload_in_someones_name_lands_in_ones_own(bob: Person, admin: Person) -> None:
    assert (await bob.send("MKCOL", f"{DAV}/uploads/admin/up")).status == 201
    assert (await admin.send("PROPFIND", f"{DAV}/uploads/admin/up")).status == 404
    assert (await bob.send("PROPFIND", f"{DAV}/uploads/bob/up")).status == 207


@pytest.mark.parametrize("scheme", ["basic", "Basic"])
async def test_a_wrong_password_opens_nothing(sandbox: Sandbox, scheme: str) -> None:
    mallory = Person(sandbox, "admin", "guess")
    mallory.login = ("admin", f"{scheme}-guess")
    for target in ("/ocs/v2.php/cloud/user", NOTES, f"{DAV}/files/admin/Readme.md"):
        assert (await mallory.send("GET", target)).status == 401
