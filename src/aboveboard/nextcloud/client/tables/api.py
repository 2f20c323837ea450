"""The two APIs of the Tables app: of a refusal, neither says in its own words what is the matter."""

from typing import Any, Final, TypeVar, cast

from aboveboard.errors import ApiError, NotFound, Refused
from aboveboard.http import Path, Response, Session, path
from aboveboard.http.session import Query
from aboveboard.nextcloud.client.apps import App
from aboveboard.nextcloud.client.missing import AppMissing
from aboveboard.nextcloud.client.ocs import Ocs

T = TypeVar("T")

_NONE_FOUND: Final = "Did expect one result but found none"
"""What the app hands on from its database where there is no such row or column at all, whoever asks."""
_NO_ACCESS: Final = "no read access"


class TablesApi:
    """Sends requests to the Tables app; `what` names the thing that a request is about, for errors."""

    def __init__(self, session: Session) -> None:
        self.ocs = Ocs(session)
        self._app = App(session, "tables")

    async def get(self, at: Path, into: type[T], what: str, query: Query | None = None) -> T:
        return await self.read(await self.send("GET", at, query=query), into, what)

    async def get_ocs(self, at: Path, into: type[T], what: str) -> T:
        """Get something by the second API."""
        try:
            return await self.ocs.get(at, into)
        except ApiError as error:
            raise word_error(error, what) from None

    async def send(
        self, method: str, at: Path, *, query: Query | None = None, body: object = None, repeats: bool = True
    ) -> Response:
        """Send a request of the first API and return the answer, whatever its status."""
        return await self._app.send(method, at, query=query, body=body, repeats=repeats)

    async def read(self, answer: Response, into: type[T], what: str) -> T:
        """Read what an answer of the first API holds, or raise the error that it is."""
        if answer.status < 400:
            return self._app.read(answer, into)
        raise await self.error(answer, what)

    async def error(self, answer: Response, what: str) -> ApiError:
        """Turn an answer of the first API into the error a reader can act on."""
        said = message_of(answer)
        if _NONE_FOUND in said:
            return NotFound(f"There is no {what}.", status=answer.status)
        if _NO_ACCESS in said or (answer.status == 404 and not said):
            # An app that is not there answers with the same empty page; by the second API, it does not.
            await self.ocs.get(path("/ocs/v2.php/apps/tables/api/2/contexts"), object)
            return _out_of_reach(what, answer.status)
        return word_error(self._app.error(answer), what)


def word_error(error: ApiError, what: str) -> ApiError:
    """Say which thing is not there, or not to be touched; any other error is as it was."""
    if isinstance(error, AppMissing):
        return error
    if isinstance(error, NotFound):
        return _out_of_reach(what, 404)
    if isinstance(error, Refused):
        next_step = "It is shared with this user for less than that: its owner can change it."
        return Refused(f"This user may not do that with {what}.", status=403, next_step=next_step)
    return error


def _out_of_reach(what: str, status: int) -> NotFound:
    next_step = "It is gone, or not shared with this user for that; list_tables shows what there is."
    return NotFound(f"There is no {what} to do that with.", status=status, next_step=next_step)


def is_gone(answer: Response) -> bool:
    """Tell whether an answer proves that there is no such thing, for anybody."""
    return answer.status in {404, 500} and _NONE_FOUND in message_of(answer)


def message_of(answer: Response) -> str:
    """Return what the first API says in an error, if it is JSON that says something."""
    try:
        found = cast("dict[str, Any]", answer.json())
        return str(found.get("message") or "")
    except (ApiError, AttributeError):
        return ""
