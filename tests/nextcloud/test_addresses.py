"""Where people open what a tool made or changed: every such answer says it, or there is a reason."""

from base64 import b64decode
from typing import Final
from urllib.parse import urlsplit

import pytest
from pydantic import SecretStr
from tests.nextcloud.calls import arranged
from tests.nextcloud.sessions import TOOLS, connected, serving
from tests.plans import UPSTREAM, good_cases, served

from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.sandbox import Sandbox
from aboveboard.nextcloud.tools.calendar.area import event_url

pytestmark = pytest.mark.anyio

GONE: Final = "_delete"
"""In the name of a tool after which there is nothing to open."""
ELSEWHERE: Final = {
    **dict.fromkeys(("nc_cookbook_import_recipe", "nc_cookbook_create_recipe", "nc_cookbook_update_recipe"), "link"),
    **dict.fromkeys(("nc_calendar_create_todo", "nc_calendar_update_todo", "nc_calendar_complete_todo"), "link"),
    **dict.fromkeys(("nc_contacts_create_contact", "nc_contacts_update_contact", "nc_contacts_set_groups"), "link"),
}
"""Where it is said by tools of things that have a url of their own."""
WITHOUT: Final = {
    "nc_news_add_feed": "a feed has a url and a link of its own",
    "nc_news_rename_feed": "a feed has a url and a link of its own",
    "nc_news_move_feed": "a feed has a url and a link of its own",
    "nc_update_search_index": "our own index has no page",
}


async def test_every_tool_that_writes_says_where_people_open_what_it_made_or_changed_or_there_is_a_reason() -> None:
    lacking: list[str] = []
    async with served("nextcloud") as nextcloud:
        for name in [name for name, tool in TOOLS.items() if not tool.effect.read_only and GONE not in name]:
            arguments = await nextcloud.arrange(good_cases("nextcloud", name)[0])
            answer = await nextcloud.session.ask(name, **arguments)
            if not str(answer.get(ELSEWHERE.get(name, "url"))).startswith(f"{UPSTREAM}/"):
                lacking.append(name)
            await nextcloud.reset()
    assert sorted(lacking) == sorted(WITHOUT), "answer with a url, or say in WITHOUT why there is none"


async def test_telling_where_a_thing_is_asks_nextcloud_nothing_more() -> None:
    """Setting a star and making a folder are one request each, once it is known whose credentials these are."""
    async with served("nextcloud") as nextcloud:
        await nextcloud.session.ask("nc_webdav_get_quota")
        nextcloud.sent()
        for tool, arguments, sent in (
            ("nc_webdav_set_favorite", {"path": "Documents/plan.md"}, ["PROPPATCH"]),
            ("nc_webdav_create_directory", {"path": "Drafts"}, ["MKCOL"]),
            ("nc_webdav_create_comment", {"path": "Documents/plan.md", "message": "So?"}, ["PROPFIND", "POST"]),
            ("nc_webdav_tag_file", {"path": "Documents/plan.md", "tag": 1}, ["PROPFIND", "PUT"]),
        ):
            await nextcloud.session.ask(tool, **arguments)
            assert [one.partition(" ")[0] for one in nextcloud.sent()] == sent, tool


async def test_the_page_of_an_event_names_the_object_that_was_written_by_its_address(sandbox: Sandbox) -> None:
    """Nextcloud's own search of events links there: the Calendar app's route edit/, and the address in Base64."""
    async with connected(serving(sandbox)) as session:
        arguments = await arranged(session, "nc_calendar_update_event")
        changed = await session.ask("nc_calendar_update_event", **{**arguments, "url": "https://example.org/tea"})
        event = await session.ask(
            "nc_calendar_get_event", calendar_name=changed["calendar_name"], event_uid=changed["uid"]
        )
    start, _, address = changed["url"].partition("/edit/")
    assert start == "http://nextcloud/index.php/apps/calendar"
    at = f"/remote.php/dav/calendars/admin/{changed['calendar_name']}/{changed['uid']}.ics"
    assert b64decode(address).decode() == at
    assert event["url"] == "https://example.org/tea"  # its own, which the page does not hide


async def test_the_page_of_a_task_names_its_calendar_and_the_file_that_was_written(sandbox: Sandbox) -> None:
    """Nextcloud's own search of tasks links there."""
    async with connected(serving(sandbox)) as session:
        arguments = await arranged(session, "nc_calendar_create_todo")
        made = await session.ask("nc_calendar_create_todo", **arguments)
        named = {"calendar_name": made["calendar_name"], "todo_uid": made["uid"]}
        changed = await session.ask("nc_calendar_update_todo", **named, summary="Tea, green")
        done = await session.ask("nc_calendar_complete_todo", **named)
    page = f"http://nextcloud/index.php/apps/tasks/calendars/{made['calendar_name']}/tasks/{made['uid']}.ics"
    assert [one["link"] for one in (made, changed, done)] == [page] * 3


async def test_pages_are_below_the_path_of_a_nextcloud_that_is_not_at_the_top_of_its_host() -> None:
    """A space in a name is written as Nextcloud writes it in addresses; an @ stays."""
    below = NextcloudClient("https://host.example/cloud", "ada", SecretStr("x"), principal="ada l@host")
    assert below.app_url("deck") == "https://host.example/cloud/index.php/apps/deck/"
    page = urlsplit(await event_url(below, "my days", "a@b.ics"))
    assert page.path.startswith("/cloud/index.php/apps/calendar/edit/")
    address = b64decode(page.path.rpartition("/edit/")[2]).decode()
    assert address == "/cloud/remote.php/dav/calendars/ada%20l@host/my%20days/a@b.ics"
