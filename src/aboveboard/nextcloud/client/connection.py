"""One Nextcloud, and one user of it: what every part of the client stands on."""

import base64
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import anyio
import httpx2
from pydantic import SecretStr

from aboveboard.http import Session
from aboveboard.nextcloud.client.ocs import Ocs

if TYPE_CHECKING:  # a start imports none of them: each comes when it is first used
    from aboveboard.nextcloud.client.account import Account
    from aboveboard.nextcloud.client.dav import Dav
    from aboveboard.nextcloud.client.files.overwriting import Sleep
    from aboveboard.search.settings import SearchSettings


class Connection:
    """One instance, seen with one user's credentials; nothing is opened before the first request."""

    def __init__(
        self,
        host: str,
        username: str,
        password: SecretStr,
        *,
        principal: str | None = None,
        transport: httpx2.AsyncBaseTransport | None = None,
        sleep: "Sleep" = anyio.sleep,
        search_settings: "Callable[[], SearchSettings] | None" = None,
    ) -> None:
        self.search_settings = search_settings
        """Where what this user has is indexed, read on first use; None leaves it to the environment."""
        self.remembered: dict[str, Any] = {}
        """What tools keep of this user from call to call; it goes when the client goes."""
        secret = password.get_secret_value()
        basic = base64.b64encode(f"{username}:{secret}".encode()).decode()
        self._session = Session(
            "Nextcloud",
            host,
            headers={"Authorization": f"Basic {basic}"},
            secrets=[basic, secret],
            transport=transport,
            sleep=sleep,
        )
        self._sleep, self._principal = sleep, principal
        self._ocs = Ocs(self._session)

    @cached_property
    def _dav(self) -> "Dav":
        from aboveboard.nextcloud.client.dav import Dav

        return Dav(self._session, self._principal)

    @property
    def url(self) -> str:
        """Where people open this Nextcloud."""
        return self._session.base_url

    def web_url(self, file: int) -> str:
        """Return where people open a file; it needs no pretty URLs."""
        return f"{self.url}/index.php/f/{file}"

    def app_url(self, app: str) -> str:
        """Return where people open an app; it needs no pretty URLs."""
        return f"{self.url}/index.php/apps/{app}/"

    @cached_property
    def account(self) -> "Account":
        """Who asks, on which Nextcloud."""
        from aboveboard.nextcloud.client.account import Account

        return Account(self._ocs)

    async def principal(self) -> str:
        """Return the id of the user, which may not be the login name."""
        return await self._dav.principal()

    async def aclose(self) -> None:
        """Close the connections."""
        await self._session.aclose()
