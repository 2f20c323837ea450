"""The JSON APIs of Nextcloud's apps: no envelope, and addresses that need no pretty URLs."""

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from aboveboard.errors import ApiError
from aboveboard.http import Nature, Path, Response, Session
from aboveboard.http.session import Query
from aboveboard.nextcloud.client.missing import AppMissing, NoRoom
from aboveboard.nextcloud.client.model import check_value
from aboveboard.nextcloud.client.ocs import HEADERS, ocs_error

T = TypeVar("T")


class App:
    """Sends requests to one app of one instance."""

    def __init__(self, session: Session, name: str) -> None:
        self._session = session
        self._name = name

    async def send(
        self,
        method: str,
        at: Path,
        *,
        query: Query | None = None,
        body: object = None,
        content: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        nature: Nature | None = None,
        repeats: bool = True,
        patience: float | None = None,
    ) -> Response:
        """Send a request and return the answer, whatever its status."""
        given = {**HEADERS, **(headers or {})}
        return await self._session.request(
            method,
            at,
            query=query,
            json=body,
            content=content,
            headers=given,
            nature=nature,
            repeats=repeats,
            patience=patience,
        )

    async def get(self, at: Path, into: type[T], query: Query | None = None) -> T:
        return self.read(await self.send("GET", at, query=query), into)

    def read(self, answer: Response, into: type[T]) -> T:
        """Read what an answer holds, or raise the error that it is."""
        if answer.status >= 400:
            raise self.error(answer)
        if answer.status != 200:
            raise self._session.strange(answer)
        return check_value(answer.json(), into, answer)

    def error(self, answer: Response) -> ApiError:
        """Turn an answer into the error a reader can act on."""
        if answer.status == 507:
            return NoRoom()
        kind = answer.headers.get("content-type", "")
        if answer.status == 404 and "json" not in kind:
            # An unknown route is a page; an app's own 404 is JSON.
            return AppMissing(self._name)
        return ocs_error(self._session, answer, app_message(answer))


def app_message(answer: Response) -> str:
    """Return the app's own explanation, empty where it has none."""
    try:
        found = cast("dict[str, Any]", answer.json())
        return str(found.get("message") or "")
    except (ApiError, AttributeError):
        return ""
