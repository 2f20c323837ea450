"""Who a request comes from, as long as it is being answered: the SDK carries this from the door to the call."""

from typing import Protocol

from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import AccessToken
from pydantic import ConfigDict, SkipValidation

from aboveboard.errors import Failure
from aboveboard.kit.caller import Caller
from aboveboard.kit.people.adapter import Credential


class Holder(Protocol):
    """Has the credential of whoever asks."""

    @property
    def key(self) -> str:
        """What tells one holder's client from another's."""
        ...

    @property
    def person(self) -> str:
        """Whose limits a call counts for."""
        ...

    async def credential(self) -> Credential:
        """Return the credential, fit to be used."""
        ...

    async def confirm(self) -> None:
        """Fail where the credential is not to be sent after all; asked before a client is made of it."""
        ...

    async def turned_down(self, credential: Credential) -> Failure | None:
        """Take note that the service turned a credential down; return what to tell, None where it still lives."""
        ...


class Access(AccessToken):
    """A request that was let in."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    caller: SkipValidation[Caller]
    holder: SkipValidation[Holder]


def current_access() -> Access:
    """Return who sent the request that is being answered."""
    access = get_access_token()
    if not isinstance(access, Access):
        raise AssertionError(  # noqa: TRY004 (a defect, not a wrong argument)
            "a request reached a tool and did not pass the door"
        )
    return access
