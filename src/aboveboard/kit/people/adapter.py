"""What a service brings so that people can sign in with it: `<service>/sign_in.py` has one of these.

A credential is a small map of texts that only the service's adapter understands; it is sealed before it is kept.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from aboveboard.errors import Failure
from aboveboard.kit.provider import Closable

C = TypeVar("C", bound=Closable)
C_co = TypeVar("C_co", bound=Closable, covariant=True)
Credential = Mapping[str, Any]


class SignInFailed(Failure):
    """The sign-in cannot go on; the person has to begin again."""

    advice = "Go back to your AI client and connect again."


class SignedOut(Failure):
    """The service no longer accepts the credential of who asks, and it is not sent again."""


@dataclass(frozen=True)
class Identity:
    """Who a credential belongs to, by the service's own word."""

    principal: str
    name: str
    email: str | None = None


@dataclass(frozen=True)
class Started:
    """A login at the service: where the person goes, and what is needed to go on with it."""

    url: str
    state: Mapping[str, Any]


@dataclass(frozen=True)
class Opened(Generic[C_co]):
    """A client made of a credential."""

    client: C_co
    link: "Link"


class Link(Protocol):
    """The client's way to the service."""

    turned_down: bool
    """Whether the service answered that it does not know the credential."""


class SignIn(Protocol[C_co]):
    """How people sign in with one service."""

    @property
    def instance(self) -> str:
        """The address that tells one instance of the service from another."""
        ...

    @property
    def comes_back(self) -> bool:
        """Tell whether the service sends the browser back; otherwise it has to be asked whether the person is done."""
        ...

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers in which a client may send a credential itself, and which part of it each holds."""
        ...

    @property
    def match(self) -> str:
        """Which claim of an identity provider is usually which part of an account: `claim=id` or `claim=email`."""
        ...

    async def start(self, label: str, callback: str, state: str) -> Started:
        """Begin a login; the service shows the label, which is plain ASCII, to the person as it is."""
        ...

    async def finish(self, state: Mapping[str, Any], answer: Mapping[str, str]) -> Credential | None:
        """Return the credential; None while the person is not done. `answer` is what the browser brought back."""
        ...

    async def identify(self, credential: Credential) -> Identity:
        """Ask the service whose credential this is."""
        ...

    def is_stale(self, credential: Credential, now: float) -> bool:
        """Tell whether a credential must be renewed before it is used."""
        ...

    async def renew(self, credential: Credential) -> Credential:
        """Exchange a credential for a fresh one; the old one is spent."""
        ...

    async def is_dead(self, credential: Credential) -> bool:
        """Tell, after it was turned down once, whether a credential is of no more use."""
        ...

    async def end(self, credential: Credential) -> None:
        """Delete a credential at the service; one that is gone already is no failure."""
        ...

    def open(self, credential: Credential) -> Opened[C_co]:
        """Make a client, which shares its connections with all others."""
        ...

    async def aclose(self) -> None:
        """Close the connections that all clients share."""
        ...
