"""One credential's way to a service, over connections that many credentials share."""

from typing import Final

import httpx2

from aboveboard.errors import Unauthorised

SHARED: Final = httpx2.Limits(max_connections=100, max_keepalive_connections=50, keepalive_expiry=4.0)


def shared_transport(base_url: str) -> httpx2.AsyncHTTPTransport:
    """Make the connections that all share; certificates, which take long to load, are loaded once."""
    return httpx2.AsyncHTTPTransport(limits=SHARED, verify=not base_url.startswith("http:"))


class Link(httpx2.AsyncBaseTransport):
    """Notices when the service turns the credential down; with `once`, nothing more is sent after that.

    A service that counts wrong passwords by address counts those of all people as ours.
    """

    def __init__(self, shared: httpx2.AsyncBaseTransport, *, once: bool) -> None:
        self._shared, self._once = shared, once
        self.turned_down = False

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request."""
        if self._once and self.turned_down:
            raise Unauthorised("The service has turned this credential down, so it was not sent again.", status=401)
        response = await self._shared.handle_async_request(request)
        if response.status_code == 401:
            self.turned_down = True
        return response

    async def aclose(self) -> None:
        """Leave the connections to the others."""
