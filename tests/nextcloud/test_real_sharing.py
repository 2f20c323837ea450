"""What a real Nextcloud did with shares, and what the tools say and do about it; each was wrong before."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import httpx2
import pytest
from tests.nextcloud.calls import PLAN
from tests.nextcloud.sessions import Watched, connected, serving

from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago", "", "Nowhere/Unknown"])
async def test_a_link_ends_with_the_day_of_the_person(zone: str) -> None:
    sent: list[dict[str, Any]] = []

    def script(request: httpx2.Request) -> httpx2.Response:
        if request.url.path.endswith("/cloud/user"):
            return _ocs({"id": "admin", "displayname": "Ada", "timezone": zone})
        if request.url.path.endswith("/capabilities"):
            return _ocs({"version": {"major": 34, "string": "34.0.1"}, "capabilities": {}})
        sent.append(json.loads(request.content))
        return _ocs({**_LINK, "expiration": f"{sent[-1]['expireDate']} 23:59:59"})

    async with connected(Watched(script)) as session:
        known = ZoneInfo(zone) if zone.startswith("Pacific") else UTC
        earliest = datetime.now(known)
        await session.ask("nc_share_create_public_link", path="Public")
        possible = {(now + timedelta(minutes=30)).date().isoformat() for now in (earliest, datetime.now(known))}
    assert sent[0]["expireDate"] in possible


async def test_before_nextcloud_34_a_share_ends_when_its_day_begins_so_the_day_after_the_last_is_told() -> None:
    sent: list[str] = []

    def script(request: httpx2.Request) -> httpx2.Response:
        if request.url.path.endswith("/cloud/user"):
            return _ocs({"id": "admin", "displayname": "Ada", "timezone": ""})
        if request.url.path.endswith("/capabilities"):
            return _ocs({"version": {"major": 32, "string": "32.0.1"}, "capabilities": {}})
        sent.append(json.loads(request.content)["expireDate"])
        return _ocs({**_LINK, "expiration": f"{sent[-1]} 00:00:00" if sent[-1] else None})

    async with connected(Watched(script)) as session:
        today = datetime.now(UTC).date().isoformat()
        soon = await session.ask("nc_share_create_public_link", path="Public", expires_in_minutes=1)
        made = await session.ask("nc_share_create", path="Public", share_type="link", expires="2030-12-31")
        changed = await session.ask("nc_share_update", share_id=7, expires="2031-02-28")
        ever = await session.ask("nc_share_update", share_id=7, expires="")
    assert sent[0] > today, "of the day that has begun, such a Nextcloud says that it is past"
    assert soon["expires"] < sent[0]
    assert sent[1:] == ["2031-01-01", "2031-03-01", ""]
    assert (made["expires"], changed["expires"], ever.get("expires")) == ("2030-12-31", "2031-02-28", None)
    assert "until the end of 2030-12-31" in made["usage"]
    assert "warning" not in made


_LINK = {
    "id": "7", "share_type": 3, "path": "/Public", "item_type": "folder", "file_source": 8, "uid_owner": "admin",
    "permissions": 17, "url": "http://nextcloud/s/Qx3", "token": "Qx3",
}  # fmt: skip


async def test_a_link_is_shown_with_what_downloads_it_and_its_token(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        made = await session.ask("nc_share_create_public_link", path="Public")
        drop = await session.ask("nc_share_create", path="Public", share_type="link", permissions="upload")
    assert made["download_url"] == f"{made['link']}/download"
    assert made["link"].endswith(made["token"])
    assert "download_url" not in drop  # one can only put things there
    assert "has_password" not in made


async def test_sharing_says_what_is_in_the_way(sandbox: Sandbox) -> None:
    share = {"path": "Documents/letter.txt", "share_with": "carol@example.org", "share_type": "email"}
    async with connected(serving(sandbox)) as session:
        made = await session.ask("nc_share_create", **share)
        again = await session.refusal("nc_share_create", **share)
        team = await session.refusal("nc_share_create", path=PLAN, share_with="x", share_type="team")
        myself = await session.refusal("nc_share_create", path=PLAN, share_with="admin")
        nowhere = await session.refusal("nc_share_list", path="Nowhere")
        create = await session.refusal("nc_share_update", share_id=made["id"], permissions="read, create")
        neither = await session.refusal("nc_share_update", share_id=made["id"], permissions="update")
        same = await session.ask("nc_share_update", share_id=made["id"], permissions=str(made["permissions"]))
    assert again.endswith("Most likely it is shared with that address already: list shows the shares of a path.")
    assert "there is no such team or receiver" in team
    assert myself == "Nextcloud answered 403: Cannot share with yourself."
    assert nowhere.endswith("Check the path: listing its folder shows what there is.")
    assert create.endswith("a file takes neither create nor delete.")
    assert neither == "Nextcloud answered 400: Share must at least have READ or CREATE permissions."
    assert same == made


def _ocs(data: object, status: int = 200, code: int = 200, message: str = "OK") -> httpx2.Response:
    return httpx2.Response(status, json={"ocs": {"meta": {"statuscode": code, "message": message}, "data": data}})
