"""The sandbox on a real socket, as others use it to test their clients."""

import socket

import anyio
import httpx2
import pytest
import uvicorn
from tests.patience import patience

from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio


async def test_it_serves_under_uvicorn(sandbox: Sandbox) -> None:
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(sandbox.app, log_level="error", lifespan="off"))
    url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(server.serve, [listening])
        login = ("bob", sandbox.users["bob"])
        async with httpx2.AsyncClient(base_url=url, auth=login, timeout=patience(20)) as client:
            body = "grüße 🚀".encode()
            made = await client.put("/remote.php/dav/files/bob/n%C3%B6w%20%F0%9F%9A%80.txt", content=body)
            assert made.status_code == 201
            listing = await client.request("PROPFIND", "/remote.php/dav/files/bob/", headers={"depth": "1"})
            assert "n%c3%b6w%20%f0%9f%9a%80.txt" in listing.text
            assert (await client.get("/remote.php/dav/files/bob/n%C3%B6w%20%F0%9F%9A%80.txt")).content == body
            head = await client.head("/remote.php/dav/files/bob/Diary.md")
            assert head.headers["content-length"] == str(len("Nobody else reads this.\n"))
            share = {"path": "/Diary.md", "shareType": 3}
            headers = {"ocs-apirequest": "true", "accept": "application/json"}
            root = "/ocs/v2.php/apps/files_sharing/api/v1/shares"
            link = (await client.post(root, json=share, headers=headers)).json()["ocs"]["data"]["url"]
            assert link.startswith(f"{url}/s/")
            thrown = await client.delete("/remote.php/dav/files/bob/Diary.md")
            assert (thrown.status_code, thrown.content) == (204, b"")
            token = {"x-sandbox-token": sandbox.control}
            assert (await client.get("/_sandbox/state", headers=token)).json() == sandbox.dump()
        server.should_exit = True
