"""What the sandbox has of the Cookbook and of News from the first, and its own small web."""

import pytest
from tests.nextcloud.sandbox.sending import Person, send

from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio

NEWS = "/index.php/apps/news/api/v1-3"
COOKBOOK = "/index.php/apps/cookbook/api/v1"


async def test_ten_recipes_and_three_feeds_are_there_and_the_sandbox_serves_each_feed_itself(
    sandbox: Sandbox, admin: Person
) -> None:
    assert len((await admin.send("GET", f"{COOKBOOK}/recipes")).json) == 10
    feeds = (await admin.send("GET", f"{NEWS}/feeds")).json["feeds"]
    assert len(feeds) == 3
    for feed in feeds:
        page = await send(sandbox, "GET", f"/web/{feed['url'].removeprefix('http://')}")
        assert (page.status, page.headers["content-type"]) == (200, "application/rss+xml; charset=utf-8")
        assert feed["title"].encode() in page.body
    assert (await send(sandbox, "GET", "/web/feeds.example/none.xml")).status == 404


async def test_a_page_that_is_put_on_its_web_can_be_fetched_and_a_reset_takes_it_away(
    sandbox: Sandbox, admin: Person
) -> None:
    url = "http://own.example/feed.xml"
    body = "<?xml version='1.0'?><rss><channel><title>Own</title></channel></rss>"
    for there in (False, True, False):
        if there:
            sandbox.publish(url, body)
        else:
            sandbox.reset()
        assert (await admin.post(f"{NEWS}/feeds", {"url": url})).status == (200 if there else 404)


async def test_a_feed_with_entities_brings_nothing_of_this_machine(sandbox: Sandbox, admin: Person) -> None:
    evil = (
        '<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY f SYSTEM "file:///etc/hostname">]>'
        "<rss><channel><title>x&f;x</title></channel></rss>"
    )
    sandbox.publish("http://evil.example/feed.xml", evil)
    made = await admin.post(f"{NEWS}/feeds", {"url": "http://evil.example/feed.xml"})
    assert made.json["feeds"][0]["title"] == "x"


async def test_what_one_keeps_nobody_else_sees(admin: Person, bob: Person) -> None:
    for path in (f"{COOKBOOK}/recipes", f"{COOKBOOK}/keywords"):
        assert (await bob.send("GET", path)).json == []
    assert (await bob.send("GET", f"{NEWS}/items")).json == {"items": []}
    assert (await bob.send("GET", f"{NEWS}/folders")).json == {"folders": []}
    assert (await admin.send("GET", f"{NEWS}/items")).json["items"]


async def test_recipes_are_found_in_the_unified_search(admin: Person) -> None:
    found = await admin.send("GET", "/ocs/v2.php/search/providers/cookbook/search?term=soup")
    assert [entry["title"] for entry in found.data["entries"]] == ["Minestrone", "Pumpkin soup"]
