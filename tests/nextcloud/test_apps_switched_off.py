"""An app that the operator switches off while we run: whatever Nextcloud answers then, the tools name the app."""

import re
from typing import Any, Final, cast

import httpx2
import pytest
from tests.nextcloud.calls import VALUES
from tests.nextcloud.sessions import TOOLS, connected
from tests.plans import made_up, plain_cases

from aboveboard.nextcloud.sandbox import Sandbox
from aboveboard.nextcloud.server import SERVICE

pytestmark = pytest.mark.anyio


_PAGE = httpx2.Response(404, html="<html>Page not found</html>")
_APPS: Final = {
    f"{toolset.prefix}{tool.name}": toolset.app
    for toolset in SERVICE.toolsets
    for tool in toolset.tools
    if toolset.app not in (None, "systemtags")  # which nobody can switch off
}
_FIRST: Final = {case.tool: case for case in reversed(plain_cases("nextcloud"))}
_NAMED: Final = re.compile(
    r"The app '(\w+)' is not installed on this Nextcloud, switched off, or too old\."
    r" Ask the operator to install it or to switch it on\."
)


async def test_an_app_that_is_gone_is_named(sandbox: Sandbox) -> None:
    """By each of its tools, or the other app that a tool asks first."""
    otherwise: dict[str, str] = {}
    for tool, app in _APPS.items():
        said = await _refusal(sandbox, tool, 1)
        if "must be text" in said:
            said = await _refusal(sandbox, tool, "x.d1")
        named = _NAMED.fullmatch(said)
        if named is None or named[1] not in (app, "notes", "files_sharing"):
            otherwise[tool] = said
    assert otherwise == {}


async def _refusal(sandbox: Sandbox, tool: str, some: object) -> str:
    """Call a tool as the plan does, with something made up in the place of what would have to be arranged."""
    kept = {name: some for step in _FIRST[tool].arrange for name in step.keep}
    async with connected(_SwitchedOff(sandbox)) as session:
        return await session.refusal(tool, **made_up(_FIRST[tool], {**kept, **VALUES}))


async def test_the_tools_of_an_app_that_was_never_there_are_not_listed_and_say_why(sandbox: Sandbox) -> None:
    async with connected(_WithoutDeck(sandbox)) as session:
        listed = {tool.name for tool in (await session.client.list_tools()).tools}
        assert {name for name in TOOLS if not name.startswith("deck_")} <= listed
        assert [name for name in listed if name.startswith("deck_")] == []
        uris = [str(one.uri) for one in (await session.client.list_resources()).resources]
        assert [uri for uri in uris if "Deck" in uri] == []
        assert "does not have the app deck" in await session.refusal("deck_get_boards")


class _SwitchedOff(httpx2.AsyncBaseTransport):
    """A Nextcloud whose apps were switched off, with the answers that a real one gave then."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._rest = httpx2.ASGITransport(sandbox.app)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        path = request.url.path
        if "/search/providers/notes/" in path:
            return _ocs([], 500, 996, "Internal Server Error\n")
        if any(f"/apps/{app}/" in path for app in _APPS.values()):
            said = "Invalid query, please check the syntax. API specifications are here: http://www.freedesktop.org/"
            return _ocs([], 404, 404, said) if path.startswith("/ocs/") else _PAGE
        for branch, said in (
            ("comments/", 'Entity type "files" not found."'),
            ("trashbin/", "File not found: trashbin in 'root'"),
            ("versions/", "File not found: versions in 'root'"),
        ):
            if f"/remote.php/dav/{branch}" in path:
                moved = request.method == "MOVE"
                return _dav_error(409, "The destination node is not found") if moved else _dav_error(404, said)
        return await self._rest.handle_async_request(request)


class _WithoutDeck(_SwitchedOff):
    """A Nextcloud that never had Deck, and so does not name it anywhere."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        answer = await super().handle_async_request(request)
        if not request.url.path.endswith(("/cloud/capabilities", "/navigation/apps")):
            return answer
        await answer.aread()
        data: Any = answer.json()["ocs"]["data"]
        if isinstance(data, list):
            return _ocs([app for app in cast("list[dict[str, Any]]", data) if app["id"] != "deck"])
        del data["capabilities"]["deck"]
        return _ocs(data)


def _ocs(data: object, status: int = 200, code: int = 200, message: str = "OK") -> httpx2.Response:
    return httpx2.Response(status, json={"ocs": {"meta": {"statuscode": code, "message": message}, "data": data}})


def _dav_error(status: int, message: str) -> httpx2.Response:
    body = f'<d:error xmlns:d="DAV:" xmlns:s="http://sabredav.org/ns"><s:message>{message}</s:message></d:error>'
    return httpx2.Response(status, content=body, headers={"content-type": "application/xml; charset=utf-8"})
