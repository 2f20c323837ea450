"""Whether a service can be used is asked as nobody: no person's credentials, no client of theirs."""

from typing import Any

import httpx2
import pytest
from starlette.types import ASGIApp, Receive, Scope, Send

from aboveboard.cli.services import EMBEDDED, open_sandbox, server_module
from aboveboard.errors import Failure

pytestmark = pytest.mark.anyio

HALFWAY = '{"installed": true, "maintenance": false, "needsDbUpgrade": true}'


@pytest.mark.parametrize("service", ["lightdash", "nextcloud"])
async def test_a_service_is_asked_whether_it_is_ready_without_anybodys_credentials(service: str) -> None:
    backend = open_sandbox(service, None)
    asked: list[dict[bytes, bytes]] = []

    async def noting(scope: Scope, receive: Receive, send: Send) -> None:
        asked.append(dict(scope["headers"]))
        await backend.app(scope, receive, send)

    await server_module(service).ready(backend.settings, noting)
    assert len(asked) == 1
    assert b"authorization" not in asked[0]


async def test_a_nextcloud_in_maintenance_or_in_an_upgrade_is_not_ready() -> None:
    sandbox: Any = open_sandbox("nextcloud", None)
    control = {"X-Sandbox-Token": sandbox.control}
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(sandbox.app), base_url=EMBEDDED) as operator:
        (await operator.post("/_sandbox/maintenance/on", headers=control)).raise_for_status()
    with pytest.raises(Failure, match="maintenance"):
        await server_module("nextcloud").ready(sandbox.settings, sandbox.app)
    with pytest.raises(Failure, match="upgrade"):
        await server_module("nextcloud").ready(sandbox.settings, answering(HALFWAY))
    with pytest.raises(Failure, match="web page"):
        await server_module("nextcloud").ready(sandbox.settings, answering("<html>Log in</html>"))


def answering(body: str) -> ASGIApp:
    """Return a service that says this to everything, with status 200."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": body.encode()})

    return app
