"""What all dialects have in common: envelopes, logins, odd ids, broken JSON."""

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


async def test_an_ocs_answer_is_xml_unless_json_is_asked_for(sandbox: Sandbox) -> None:
    login, headers = ("bob", sandbox.users["bob"]), {"ocs-apirequest": "true"}
    got = await send(sandbox, "GET", "/ocs/v1.php/cloud/user", login=login, headers=headers)
    root = etree.fromstring(got.body)
    assert (root.findtext("meta/statuscode"), root.findtext("data/id")) == ("100", "bob")
    got = await send(sandbox, "GET", "/ocs/v2.php/cloud/user?format=json", login=login, headers=headers)
    assert got.data["email"] == "bob@example.org"


async def test_a_broken_authorization_is_a_wrong_password(sandbox: Sandbox) -> None:
    for value in ("Basic !!!", "Basic " + base64.b64encode(b"\xff\xff").decode(), "Basic"):
        headers = {"authorization": value, "ocs-apirequest": "true", "accept": "application/json"}
        assert (await send(sandbox, "GET", "/ocs/v2.php/cloud/user", headers=headers)).status == 401


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
