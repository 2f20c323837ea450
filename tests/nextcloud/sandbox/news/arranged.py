"""What is there when a recorded scenario about news begins."""

from collections.abc import Awaitable, Callable, Mapping
from xml.sax.saxutils import escape

from tests.nextcloud.sandbox.replay import Replay

Arrange = Callable[[Replay], Awaitable[None]]


def _publish_feed(replay: Replay, url: str, link: str, items: str) -> None:
    head = f"<rss version='2.0'><channel><title>Rig feed</title><link>{link}</link>"
    replay.sandbox.publish(url, f"<?xml version='1.0'?>{head}{items}</channel></rss>".replace("<HOST>", "&lt;HOST&gt;"))


def _item(guid: str, link: str, title: str, date: str, body: str) -> str:
    return (
        f"<item><guid>{guid}</guid><link>{link}</link><title>{title}</title><pubDate>{date}</pubDate>"
        f"<description>{escape(body)}</description></item>"
    )


async def _rig_feed(replay: Replay) -> None:
    site = "http://127.0.0.1:8082"
    _publish_feed(
        replay,
        f"{site}/feed.xml",
        f"{site}/",
        _item("one", f"{site}/one.html", "One", "Sun, 01 Nov 2026 10:00:00 GMT", "First item")
        + _item("two", f"{site}/two.html", "Two", "Mon, 02 Nov 2026 10:00:00 GMT", "<p>Second <b>item</b></p>"),
    )
    replay.sandbox.publish(f"{site}/recipe.html", "<!DOCTYPE html><html></html>")


async def _full_feed(replay: Replay) -> None:
    _publish_feed(
        replay,
        "http://<HOST>/feed/rss.xml",
        "http://<HOST>/",
        _item("1", "http://<HOST>/1", "One", "Mon, 16 Nov 2026 01:00:00 GMT", "Hello <b>x</b>")
        + _item("2", "http://<HOST>/2", "Two", "Mon, 16 Nov 2026 02:00:00 GMT", "World"),
    )


SCENARIOS: Mapping[str, Arrange] = {
    "news:folders-and-feeds": _rig_feed,
    "objects/news:full-feed": _full_feed,
}
