"""Versions that clients rely on, beside what the recordings show."""

import pytest
from lxml import etree
from tests.nextcloud.sandbox.sending import Person

from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio

DAV = "/remote.php/dav"
NOTES = "/index.php/apps/notes/api/v1/notes"


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


async def test_a_note_with_a_set_time_keeps_its_versions(admin: Person, sandbox: Sandbox) -> None:
    note = (await admin.post(NOTES, {"title": "Timed", "content": "one"})).json
    await admin.post(f"{NOTES}/{note['id']}", {"modified": 1700000000}, "PUT")
    changed = (await admin.post(f"{NOTES}/{note['id']}", {"content": "two"}, "PUT")).json
    assert changed["modified"] > 1700000000
    versions = f"{DAV}/versions/admin/versions/{note['id']}"
    assert (await admin.send("GET", f"{versions}/1700000000")).body == b"one"
    listing = await admin.send("PROPFIND", versions, headers={"depth": "1"})
    assert len(list(etree.fromstring(listing.body).iter("{DAV:}href"))) == 3
