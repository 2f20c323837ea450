"""A person's browser, without a screen: it opens pages, fills in forms and follows links, and runs no script."""

from collections.abc import Mapping
from urllib.parse import urljoin, urlsplit

import anyio
import httpx2
from lxml import html

from aboveboard.errors import Failure

PATIENCE = 60
"""Looks at a page that waits for the person to be done elsewhere."""


class Browser:
    """One browser, with cookies of its own."""

    def __init__(self, http: httpx2.AsyncClient) -> None:
        self._http = http
        self._at = ""
        self._page: html.HtmlElement | None = None

    async def open(self, url: str) -> None:
        """Open a page."""
        await self._show(await self._http.get(url, follow_redirects=True))

    async def follow(self, link: str) -> None:
        """Click on a link, which an XPath names."""
        await self.open(urljoin(self._at, self._found(f"{link}/@href")))

    async def send(self, filled_in: Mapping[str, str]) -> str:
        """Send the form of the page with what was filled in, and return where that leads."""
        form = self._shown.forms[0]
        fields = [(name, value) for name, value in form.form_values() if name not in filled_in]
        action = urljoin(self._at, form.action or "")
        content = str(httpx2.QueryParams([*fields, *filled_in.items()])).encode()
        parts = urlsplit(action)
        headers = {
            "Origin": f"{parts.scheme}://{parts.netloc}",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        answer = await self._http.post(action, content=content, headers=headers)
        if "location" not in answer.headers:
            await self._show(answer)
        return urljoin(str(answer.url), answer.headers.get("location", ""))

    async def wait(self, url: str) -> str:
        """Look at a page until it leads on, as its refresh does, and return where to."""
        for _ in range(PATIENCE):
            answer = await self._http.get(url)
            if "location" in answer.headers:
                return urljoin(url, answer.headers["location"])
            await anyio.sleep(0.5)
        raise Failure("The sign-in did not come to an end.")

    def leads_to(self) -> str:
        """Return where a page leads that refreshes by itself."""
        return self._found("//meta[@http-equiv='refresh']/@content").partition("url=")[2]

    def text(self, place: str) -> str:
        """Return the words at a place of the page, which an XPath names."""
        return " ".join("".join(self._shown.xpath(f"{place}//text()")).split())

    @property
    def at(self) -> str:
        """The address of the page."""
        return self._at

    @property
    def _shown(self) -> html.HtmlElement:
        if self._page is None:
            raise Failure("No page is open.")
        return self._page

    def _found(self, place: str) -> str:
        found = self._shown.xpath(place)
        if not found:
            raise Failure(f"The page at {self._at} is not the one that was expected.")
        return str(found[0])

    async def _show(self, answer: httpx2.Response) -> None:
        if not answer.is_success:
            raise Failure(f"{answer.url} answered {answer.status_code}.")
        self._at, self._page = str(answer.url), html.document_fromstring(answer.text)  # pyright: ignore[reportUnknownMemberType]
