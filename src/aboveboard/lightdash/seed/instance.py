"""One Lightdash, spoken to over its API by somebody's token."""

from typing import Any

import httpx2

from aboveboard.errors import Failure


class SeedError(Failure):
    """The Lightdash did not take what the seed wanted to put there."""


class Instance:
    """It reads and writes JSON, and fails with a sentence."""

    def __init__(self, url: str, token: str, transport: httpx2.AsyncBaseTransport | None = None) -> None:
        scheme = "ApiKey" if token.startswith("ldpat_") else "Bearer"
        headers = {"Authorization": f"{scheme} {token}"}
        self._http = httpx2.AsyncClient(headers=headers, timeout=60, trust_env=False, transport=transport)
        self._url = url.rstrip("/")

    async def __aenter__(self) -> "Instance":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.aclose()

    async def get(self, path: str, **query: str | int) -> Any:
        """Read something."""
        return await self._send("GET", path, params=query)

    async def send(self, method: str, path: str, body: object) -> Any:
        """Write something, and return what Lightdash says of it."""
        return await self._send(method, path, json=body)

    async def documents(self, project: str, kind: str) -> list[dict[str, Any]]:
        """Read all charts, dashboards, SQL charts or spaces of a project as code."""
        found: list[dict[str, Any]] = []
        while True:
            more = {"offset": len(found)} if found else {}
            page = await self.get(f"/api/v1/projects/{project}/code/{kind}", **more)
            found += page[kind]
            if len(found) >= page.get("total", 0) or not page[kind]:
                return found

    async def _send(self, method: str, path: str, **given: Any) -> Any:
        try:
            answer = await self._http.request(method, self._url + path, **given)
        except httpx2.HTTPError as error:
            raise SeedError(f"{self._url} cannot be reached: {error or type(error).__name__}.") from None
        try:
            told = answer.json()
            if answer.is_success:
                return told.get("results")
            reason = f": {told['error']['message']}"
        except (ValueError, KeyError, TypeError, AttributeError):
            reason = ", which is not an answer of Lightdash" if answer.is_success else ""
        raise SeedError(f"Lightdash answered {method} {path} with HTTP status {answer.status_code}{reason}.")
