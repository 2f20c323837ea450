"""The web outside, as the apps of this sandbox reach it: pages that were put there, and nothing else.

The sandbox itself never reaches out. A page of http://host/name is also served to anyone, as /web/host/name.
"""

import re
from urllib.parse import urlsplit

from aboveboard.nextcloud.sandbox.calls import Call, Routes
from aboveboard.nextcloud.sandbox.store import Store
from aboveboard.nextcloud.sandbox.wire import page
from aboveboard.sandbox.table import Table
from aboveboard.sandbox.wire import Response

PAGES = Table(
    "web_pages", "url TEXT PRIMARY KEY, host TEXT, content BLOB", hidden="It is outside: no app can change it."
)

routes = Routes()


def publish(store: Store, url: str, content: str | bytes) -> None:
    """Put a page on the web."""
    raw = content.encode() if isinstance(content, str) else content
    store.run("INSERT OR REPLACE INTO web_pages VALUES (?, ?, ?)", url, host_of(url), raw)


def fetch(store: Store, url: str) -> bytes | None:
    """A page of the web, without regard to what is asked of it; None where there is none."""
    row = store.one("SELECT content FROM web_pages WHERE url = ?", url.partition("?")[0])
    return bytes(row["content"]) if row else None


def has_host(store: Store, url: str) -> bool:
    """Whether someone answers at the address of a page, be it that the page is missing."""
    return store.one("SELECT 1 FROM web_pages WHERE host = ?", host_of(url)) is not None


def host_of(url: str) -> str:
    """The host and port of an address, empty where it is none."""
    try:
        return urlsplit(url).netloc if re.match("https?://", url) else ""
    except ValueError:
        return ""


@routes.page("GET", "/web/{host}/{name...}", public=True)
def serve(call: Call) -> Response:
    """A page, for people who want to look."""
    found = fetch(call.store, f"http://{call.text('host')}/{call.text('name')}")
    if found is None:
        return page("Page not found", 404)
    kind = "application/rss+xml" if found.lstrip().startswith(b"<?xml") else "text/html"
    return Response(200, {"content-type": f"{kind}; charset=utf-8"}, found)
