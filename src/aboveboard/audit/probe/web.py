"""A server over streamable HTTP, read byte by byte: JSON or an event stream, with or without a session."""

from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import aclosing, suppress
from typing import Any, Final
from urllib.parse import urljoin, urlsplit

import httpx2

from aboveboard import __version__
from aboveboard.audit import raw
from aboveboard.audit.probe.certificates import tls_context
from aboveboard.audit.probe.wire import LARGEST, Gone, Unreadable, settles
from aboveboard.audit.target import Address

SESSION: Final = "mcp-session-id"
UNAUTHORIZED: Final = 401
_ADVICE = {
    UNAUTHORIZED: "It wants credentials: pass --token, or --header 'Name: value'.",
    403: "It refuses these credentials, or this host: check --token and the address.",
    404: "There is no MCP server at this path: it often is /mcp.",
    405: "It takes no POST there: an older HTTP+SSE server, or another path.",
}


class StatusError(Unreadable):
    """The server answered with a status that does not answer the request."""

    def __init__(self, status: int) -> None:
        super().__init__(f"The server answered with HTTP status {status}.", next_step=_ADVICE.get(status, ""))
        self.status = status


class Web:
    """The wire to a server at a URL."""

    def __init__(self, address: Address, timeout: float) -> None:
        self._url = address.url
        self._own = {"User-Agent": f"aboveboard/{__version__}", **address.headers}
        self._http = httpx2.AsyncClient(timeout=timeout, verify=tls_context())
        self.stray: list[str] = []
        self.headers: dict[str, str] = {}

    async def exchange(self, message: Mapping[str, Any]) -> Mapping[str, Any]:
        """Send a request, and read until its answer comes."""
        async with aclosing(self._post(message)) as answers:
            async for answer in answers:
                if settles(answer, message):
                    return answer
        raise Gone("The server ended its answer without the result.")

    async def notify(self, message: Mapping[str, Any]) -> None:
        """Send a message that gets no answer."""
        async with aclosing(self._post(message)) as answers:
            async for _ in answers:
                pass

    async def _post(self, message: Mapping[str, Any]) -> AsyncGenerator[raw.Object]:
        headers = {
            "Accept": "application/json, text/event-stream",
            "Content-Type": "application/json",
            **self._own,
            **self.headers,
        }
        try:
            moved = True
            while moved:
                async with self._http.stream("POST", self._url, content=raw.dump(message), headers=headers) as response:
                    moved = self._moved(response)
                    if not moved:
                        async for answer in self._answers(response, expected="id" in message):
                            yield answer
        except httpx2.TimeoutException:
            raise Unreadable("The server did not answer in time.") from None
        except httpx2.HTTPError as error:
            raise Gone(f"The server cannot be reached: {str(error) or type(error).__name__}.") from None

    def _moved(self, response: httpx2.Response) -> bool:
        """Follow a redirect within the same origin, such as /mcp to /mcp/; credentials go nowhere else."""
        if response.status_code not in (307, 308):
            return False
        target = urljoin(self._url, response.headers.get("location", ""))
        if urlsplit(target)[:2] != urlsplit(self._url)[:2] or target == self._url:
            raise Unreadable("The server redirects to another host.", next_step="Give that address instead.")
        self._url = target
        return True

    async def _answers(self, response: httpx2.Response, *, expected: bool) -> AsyncIterator[raw.Object]:
        if session := response.headers.get(SESSION):
            self.headers[SESSION] = session
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind == "text/event-stream" and response.is_success:
            async for data in _events(bounded_body(response)):
                yield _message(data)
            return
        body = b"".join([chunk async for chunk in bounded_body(response)])
        if response.status_code == UNAUTHORIZED or (not response.is_success and not _is_message(body)):
            raise StatusError(response.status_code)
        if expected:
            yield _message(body)

    def last_words(self) -> Sequence[str]:
        """Return nothing: what a server over HTTP writes to its log stays there."""
        return ()

    async def aclose(self) -> None:
        """End the session, if there is one, and let go of the connections."""
        if SESSION in self.headers:
            with suppress(httpx2.HTTPError):  # a server may refuse it, and ends the session by itself
                await self._http.delete(self._url, headers={**self._own, **self.headers}, timeout=2)
        await self._http.aclose()


async def bounded_body(response: httpx2.Response) -> AsyncIterator[bytes]:
    """Read an answer, but not without end."""
    size = 0
    async for chunk in response.aiter_bytes():
        size += len(chunk)
        if size > LARGEST:
            raise Unreadable(f"The server answered with more than {LARGEST // 1024**2} MiB.")
        yield chunk


async def _events(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Take the data out of an event stream; an event whose data are empty is none, as browsers have it."""
    held, data = b"", list[bytes]()
    async for chunk in chunks:
        *lines, held = (held + chunk).split(b"\n")
        for line in lines:
            text = line.rstrip(b"\r")
            if text.startswith(b"data:"):
                data.append(text[5:].removeprefix(b" "))
            elif not text:
                if whole := b"\n".join(data):
                    yield whole
                data.clear()


def _is_message(body: bytes) -> bool:
    try:
        message = raw.parse(body)
    except ValueError:
        return False
    return isinstance(message, raw.Object) and "jsonrpc" in message


def _message(body: bytes) -> raw.Object:
    try:
        message = raw.parse(body)
    except ValueError:
        raise Unreadable("The server's answer is not JSON.", next_step="Check that this is an MCP server.") from None
    if not isinstance(message, raw.Object):
        raise Unreadable("The server's answer is not a JSON-RPC message.")
    return message
