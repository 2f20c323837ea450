"""Whose client a call uses: a tool never knows how its client came to be."""

from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Any, Generic, Protocol, TypeVar

from mcp.server.context import ServerRequestContext

from aboveboard.kit.call import Call
from aboveboard.kit.caller import Caller, local_caller


class Closable(Protocol):
    """A client that holds connections."""

    async def aclose(self) -> None:
        """Let go of them."""
        ...


C = TypeVar("C", bound=Closable)
C_co = TypeVar("C_co", bound=Closable, covariant=True)


class Provider(Protocol[C_co]):
    """Knows who asks, and gives each call the client of its caller."""

    @property
    def has_many_callers(self) -> bool:
        """Tell whether callers differ: then what one is shown is not for another."""
        ...

    def caller(self, context: ServerRequestContext[Any, Any]) -> Caller:
        """Tell who sent a request."""
        ...

    def lease(self, call: Call) -> AbstractAsyncContextManager[C_co]:
        """Lend the client to serve this call with; it is not closed before it is given back."""
        ...

    async def aclose(self) -> None:
        """Close every client this provider has opened."""
        ...


class OneClient(Generic[C]):
    """The default: one person's client, built at start, for every call."""

    has_many_callers = False

    def __init__(self, client: C) -> None:
        self._client = client

    def caller(self, context: ServerRequestContext[Any, Any]) -> Caller:
        """Return the one person."""
        return local_caller(context)

    def lease(self, call: Call) -> AbstractAsyncContextManager[C]:
        """Lend the one client."""
        del call
        return nullcontext(self._client)

    async def aclose(self) -> None:
        """Close it."""
        await self._client.aclose()
