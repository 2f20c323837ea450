"""Whose client a call uses: a tool never knows how its client came to be."""

from typing import Generic, Protocol, TypeVar

from aboveboard.kit.call import Call


class Closable(Protocol):
    """A client that holds connections."""

    async def aclose(self) -> None:
        """Let go of them."""
        ...


C = TypeVar("C", bound=Closable)
C_co = TypeVar("C_co", bound=Closable, covariant=True)


class Provider(Protocol[C_co]):
    """Gives each call the client of its caller."""

    async def client(self, call: Call) -> C_co:
        """Return the client to serve this call with."""
        ...

    async def aclose(self) -> None:
        """Close every client this provider has opened."""
        ...


class OneClient(Generic[C]):
    """The default: one person's client, built at start, for every call."""

    def __init__(self, client: C) -> None:
        self._client = client

    async def client(self, call: Call) -> C:
        """Return the one client."""
        del call
        return self._client

    async def aclose(self) -> None:
        """Close it."""
        await self._client.aclose()
