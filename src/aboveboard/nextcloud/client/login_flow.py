"""Login Flow v2: a person logs in on a page of Nextcloud's, and this program is handed an app password for them."""

from typing import Final
from urllib.parse import urlencode

from aboveboard.http import Nature, Response, Session, path
from aboveboard.nextcloud.client.model import Model, check_value

_HEADERS: Final = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}


class AppPassword(Model):
    """What a login ends in: the login name must be sent exactly as it is given here."""

    loginName: str  # noqa: N815 (Nextcloud's word)
    appPassword: str  # noqa: N815


class _Poll(Model):
    token: str


class Flow(Model):
    """A login that has begun: a page for the person, a token to ask with whether they are done."""

    poll: _Poll
    login: str


class LoginFlow:
    """Logins at one instance, asked for as nobody."""

    def __init__(self, nobody: Session) -> None:
        self._nobody = nobody

    async def start(self, name: str) -> Flow:
        """Begin a login; the app password will be listed under the name."""
        answer = await self._posted("/index.php/login/v2", {}, {"User-Agent": name})
        if answer.status != 200:
            raise self._nobody.error(answer)
        return check_value(answer.json(), Flow, answer)

    async def poll(self, token: str) -> AppPassword | None:
        """Return the app password, which is given out once; None while the person is not done."""
        answer = await self._posted("/index.php/login/v2/poll", {"token": token}, {})
        if answer.status == 404:
            return None
        if answer.status != 200:
            raise self._nobody.error(answer)
        return check_value(answer.json(), AppPassword, answer)

    async def _posted(self, at: str, form: dict[str, str], headers: dict[str, str]) -> Response:
        # What is asked for once is gone when its answer is lost: sent again, it would say that nobody is done.
        return await self._nobody.request(
            "POST",
            path(at),
            content=urlencode(form).encode(),
            headers={**_HEADERS, **headers},
            nature=Nature.ADDS,
            repeats=False,
        )
