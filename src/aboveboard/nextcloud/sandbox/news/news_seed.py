"""Three feeds of the first state, all of them on the web of the sandbox, and a fourth there that nobody reads yet."""

from collections.abc import Sequence
from datetime import UTC, datetime
from email.utils import format_datetime
from xml.sax.saxutils import escape

from aboveboard.nextcloud.sandbox import web
from aboveboard.nextcloud.sandbox.news.feeds import add_feed
from aboveboard.nextcloud.sandbox.store import EPOCH, Store
from aboveboard.sandbox.store import Seed

HOST = "http://feeds.example"
Story = tuple[str, str]
"""The title and the HTML of an item."""

FEEDS: dict[str, tuple[str, str | None, Sequence[Story]]] = {
    "garden": (
        "The Garden Post",
        "Home",
        [
            ("Sow beans now", "<p>The soil is <b>warm enough</b>: sow beans, two fingers deep.</p>"),
            (
                "Five ponds for small gardens",
                "<h2>Small ponds</h2><ul><li>A half barrel</li><li>A zinc tub</li></ul><p>Frogs &amp; newts come"
                ' alone. <a href="http://feeds.example/ponds">More</a></p>',
            ),
            ("Größe zählt nicht", "<p>Auch auf 2&nbsp;m² wächst etwas. Grüße!</p>"),
        ],
    ),
    "sheds": (
        "Shed Builders Weekly",
        "Home",
        [
            (
                "A roof in a day",
                "<p>Measure twice.<br>Cut once.</p><blockquote>Boards first, felt second.</blockquote>",
            ),
            (
                "Prices of timber",
                "<table><tr><th>Wood</th><th>Euros</th></tr><tr><td>Larch</td><td>12</td></tr></table>",
            ),
        ],
    ),
    "trains": (
        "Trains of Today",
        None,
        [
            ("Night train returns", "<p>Berlin to Paris, <em>every</em> night.</p>"),
            ("Timetable change", "<p>From 13 December.</p><script>alert(1)</script>"),
        ],
    ),
    "stars": (
        "Look Up",
        "",
        [
            ("Comet in sight", "<p>Before dawn, in the east.</p>"),
            (
                "A new moon",
                '<p>Jupiter has <i>another</i> one.</p><img src="http://feeds.example/moon.png" alt="Moon">',
            ),
        ],
    ),
}


def rss(title: str, link: str, stories: Sequence[Story], *, first: int = EPOCH) -> str:
    """A feed as the web has it, one story an hour, the newest last."""
    items = "".join(
        f"<item><guid>{link}{number}</guid><link>{link}{number}</link><title>{escape(name)}</title><pubDate>"
        f"{format_datetime(datetime.fromtimestamp(first + number * 3600, UTC))}</pubDate><description>{escape(html)}"
        "</description></item>"
        for number, (name, html) in enumerate(stories, 1)
    )
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel><title>{escape(title)}</title>'
        f"<link>{link}</link>{items}</channel></rss>\n"
    )


def fill(store: Store) -> None:
    """Write the feeds; one of their items is read and starred."""
    folders = {name: store.insert("news_folders", uid="admin", name=name) for name in ("Home", "Empty")}
    for name, (title, folder, stories) in FEEDS.items():
        store.tick()
        web.publish(store, f"{HOST}/{name}.xml", rss(title, f"{HOST}/{name}/", stories))
        if folder != "":
            add_feed(store, "admin", f"{HOST}/{name}.xml", folders.get(folder or ""))
    store.run("UPDATE news_items SET read = 1, starred = 1 WHERE title = 'A roof in a day'")


seed = Seed(fill)
