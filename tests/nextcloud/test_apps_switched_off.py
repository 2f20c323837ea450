"""An app that the operator switches off while we run: whatever Nextcloud answers then, the tools name the app."""

from typing import Any, Final, cast

import httpx2
import pytest
from tests.nextcloud.calls import PLAN
from tests.nextcloud.sessions import TOOLS, connected

from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio


_PAGE = httpx2.Response(404, html="<html>Page not found</html>")
_GONE: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "nc_share_list": ("files_sharing", {}),
    "nc_share_create": ("files_sharing", {"path": PLAN, "share_with": "bob"}),
    "nc_share_search_recipients": ("files_sharing", {"query": "bo"}),
    "nc_notes_search_notes": ("notes", {"query": "milk"}),
    "nc_notes_list_notes": ("notes", {}),
    "deck_get_boards": ("deck", {}),
    "deck_update_card": ("deck", {"board_id": 1, "stack_id": 1, "card_id": 1, "title": "x"}),
    "deck_create_card_comment": ("deck", {"card_id": 1, "message": "x"}),
    "nc_cookbook_list_recipes": ("cookbook", {}),
    "nc_cookbook_create_recipe": ("cookbook", {"name": "x"}),
    "nc_cookbook_update_recipe": ("cookbook", {"recipe_id": 1, "name": "x"}),
    "nc_cookbook_delete_recipe": ("cookbook", {"recipe_id": 1}),
    "nc_cookbook_import_recipe": ("cookbook", {"url": "https://x.example"}),
    "nc_news_list_items": ("news", {}),
    "nc_news_get_item": ("news", {"item_id": 1}),
    "nc_news_add_feed": ("news", {"url": "https://x.example"}),
    "nc_news_delete_feed": ("news", {"feed_id": 1}),
    "nc_news_delete_folder": ("news", {"folder_id": 1}),
    "nc_news_mark_read": ("news", {"item_ids": [1]}),
    "nc_webdav_list_comments": ("comments", {"path": PLAN}),
    "nc_webdav_create_comment": ("comments", {"path": PLAN, "message": "x"}),
    "nc_webdav_list_trash": ("files_trashbin", {}),
    "nc_webdav_restore_from_trash": ("files_trashbin", {"trash_key": "x.d1"}),
    "nc_webdav_delete_from_trash": ("files_trashbin", {"trash_key": "x.d1"}),
    "nc_webdav_list_versions": ("files_versions", {"path": PLAN}),
    "nc_webdav_restore_version": ("files_versions", {"path": PLAN, "kept_version": "1"}),
}


@pytest.mark.parametrize("tool", _GONE)
async def test_an_app_that_is_gone_is_named(sandbox: Sandbox, tool: str) -> None:
    app, arguments = _GONE[tool]
    async with connected(_SwitchedOff(sandbox)) as session:
        said = await session.refusal(tool, **arguments)
    assert said == (
        f"The app {app!r} is not installed on this Nextcloud, switched off, or too old."
        " Ask the operator to install it or to switch it on."
    )


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
        if any(f"/apps/{app}/" in path for app, _ in _GONE.values()):
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
