"""Who may use a server over HTTP; every start asks, so this imports nothing that only some of them need."""

from enum import StrEnum


class SignInMode(StrEnum):
    """Who may use a server over HTTP."""

    NONE = "none"
    KEY = "key"
    CONNECT = "connect"
    OIDC = "oidc"
    HEADERS = "headers"

    @property
    def has_people(self) -> bool:
        """Tell whether everyone acts as themselves."""
        return self not in (SignInMode.NONE, SignInMode.KEY)
