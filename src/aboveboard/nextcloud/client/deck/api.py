"""Deck's dialect: JSON without an envelope, and one 403 for what is missing and for what is forbidden."""

from collections.abc import Callable, Collection, Mapping
from typing import Any, Final, TypeVar

from aboveboard.errors import DOUBT, ApiError, Conflict, NotFound, Refused
from aboveboard.http import Nature, Path, Response, Session
from aboveboard.nextcloud.client.apps import App, app_message
from aboveboard.nextcloud.client.ocs import Ocs

T = TypeVar("T")
Raw = dict[str, Any]
"""A thing as it came, with all that this client does not know."""

READINGS: Final = 4
"""How often a thing is read until two readings are equal."""
_DENIED: Final = "Permission denied"
_DELETED: Final = "Card is deleted"

_ARCHIVED: Final = {
    "Operation not allowed. This board is archived.": (
        "its board is archived.",
        "update_board with archived=false brings the board back.",
    ),
    "Operation not allowed. This card is archived.": ("it is archived.", "unarchive_card brings it back."),
}
"""How Deck refuses to change what is archived, though it says so as if it had failed."""


class CardDeleted(NotFound):
    """Deck says of a card that it is deleted, and not only that it may not be seen."""


class DeckApi:
    """Sends requests to the Deck of one instance; `what` names the thing, for what is said when it is refused."""

    def __init__(self, session: Session) -> None:
        self._app = App(session, "deck")
        self.ocs = Ocs(session)

    async def get(self, at: Path, into: type[T], what: str) -> T:
        return self.read(await self._app.send("GET", at), into, what)

    async def send(
        self,
        method: str,
        at: Path,
        body: object = None,
        *,
        nature: Nature | None = None,
        repeats: bool = True,
    ) -> Response:
        """Send a writing request and return the answer, whatever its status."""
        return await self._app.send(method, at, body=body, nature=nature, repeats=repeats)

    async def write(
        self, method: str, at: Path, into: type[T], what: str, body: object = None, *, nature: Nature | None = None
    ) -> T:
        return self.read(await self.send(method, at, body, nature=nature), into, what)

    async def update(
        self,
        at: Path,
        into: type[T],
        what: str,
        changes: Mapping[str, object],
        prepared: Callable[[Raw], Raw] = Raw,
        *,
        only_changed: Collection[str] = (),
    ) -> tuple[T, T]:
        """Change what is given and send all else as it came; return the thing of before and of after.

        `prepared` looks at what came and makes of it what Deck takes back. What changes nothing is not sent: Deck would
        note down that something was changed. Nor is what is named in `only_changed` and stays as it is.
        """
        answer = await self._settled(at, what)
        before, raw = self.read(answer, into, what), prepared(self.read(answer, Raw, what))
        new = {name: value for name, value in changes.items() if raw.get(name) != value}
        if not new:
            return before, before
        kept = {name: value for name, value in raw.items() if name not in only_changed}
        return before, await self.write("PUT", at, into, what, {**kept, **new})

    async def _settled(self, at: Path, what: str) -> Response:
        """Read a thing until two readings are equal, and return the last.

        Deck replaces all of a thing, whatever condition the request has, and its ETags are per second: to look again
        right before the write, and to begin from what is there then, is all that keeps what somebody else changes.
        """
        before = await self._app.send("GET", at)
        for _ in range(READINGS - 1):
            if before.status >= 400:
                raise self.error(before, what)
            now = await self._app.send("GET", at)
            if now.content == before.content:
                return now
            before = now
        raise Conflict(f"Somebody else is changing the {what} right now; nothing was written.", status=409)

    async def upload(self, at: Path, into: type[T], what: str, form: tuple[bytes, str]) -> T:
        """Send a form, given as its bytes and their content type."""
        content, kind = form
        answer = await self._app.send("POST", at, content=content, headers={"Content-Type": kind})
        return self.read(answer, into, what)

    def read(self, answer: Response, into: type[T], what: str) -> T:
        """Read what an answer holds, or raise the error that it is."""
        if answer.status >= 400:
            raise self.error(answer, what)
        return self._app.read(answer, into)

    def error(self, answer: Response, what: str) -> ApiError:
        """Turn an answer into the error that a reader can act on."""
        words = app_message(answer)
        advice = DOUBT if answer.leaves_doubt else None
        if answer.status == 403 and words == _DELETED:
            return CardDeleted(f"The {what} was deleted.", status=403, next_step=advice)
        if answer.status == 403 and words == _DENIED:
            if answer.writes:
                problem = f"There is no {what}, or you may not change it."
                return Refused(problem, status=403, next_step=advice or "get_boards shows what you see.")
            return NotFound(f"There is no {what}, or it is not shared with you.", status=403)
        if answer.status == 500 and words in _ARCHIVED:
            reason, next_step = _ARCHIVED[words]
            # This attempt was refused; one before it, whose answer was lost, may have been carried out.
            told = f"{DOUBT} {next_step}" if answer.unsure else next_step
            return Refused(f"The {what} cannot be changed like this: {reason}", status=500, next_step=told)
        return self._app.error(answer)


def own_failure(answer: Response) -> bool:
    """Tell whether this is a failure that Deck itself reports, and not a gateway before it."""
    return answer.status == 500 and "server administrator" in app_message(answer)
