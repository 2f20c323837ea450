"""Links with passwords, and who can be shared with."""

import pytest
from tests.nextcloud.sandbox.sending import Person, send

from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio

SHARES = "/ocs/v2.php/apps/files_sharing/api/v1/shares"


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


async def test_recipients_are_found_by_name_mail_and_group(admin: Person) -> None:
    root = "/ocs/v2.php/apps/files_sharing/api/v1/sharees?itemType=file&search="
    assert (await admin.send("GET", f"{root}bob")).data["exact"]["users"][0]["value"]["shareWith"] == "bob"
    assert (await admin.send("GET", f"{root}example.org")).data["users"][0]["label"] == "Bob"
    assert (await admin.send("GET", f"{root}tea")).data["groups"][0]["value"] == {"shareType": 1, "shareWith": "team"}
    only = await admin.send("GET", f"{root}o&shareType[]=1")
    assert only.data["users"] == []
