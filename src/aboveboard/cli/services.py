"""The services this product serves, each imported only when it is asked for."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final, Protocol, cast

from starlette.types import ASGIApp

from aboveboard.errors import BadInput
from aboveboard.kit.checkup import Checkup
from aboveboard.kit.provider import Closable
from aboveboard.kit.service import Service

NAMES: Final = ("lightdash",)
SANDBOXES: Final = ("lightdash", "nextcloud")
SETTINGS: Final = (
    "Environment of lightdash: LIGHTDASH_URL, LIGHTDASH_API_KEY, LIGHTDASH_PROJECT_UUID (the default project), "
    "LIGHTDASH_ALLOWED_PROJECTS (all if not set)."
)


class ServerModule(Protocol):
    """What `<service>/server.py` offers."""

    SERVICE: Service[Any]

    def connect(self, environment: Mapping[str, str]) -> Closable:
        """Make the client that the environment describes."""
        ...

    def connect_to(self, backend: ASGIApp, token: str) -> Closable:
        """Make the client of a backend in this process."""
        ...

    checkup: Checkup

    async def ready(self, client: Any) -> None:
        """Raise a failure where the service cannot be used."""
        ...


class Sandbox(Protocol):
    """What `<service>/sandbox` offers."""

    app: ASGIApp
    token: str

    def dump(self) -> dict[str, object]:
        """Return the state as facts."""
        ...

    def close(self) -> None:
        """Let go of the data."""
        ...


def server_module(name: str) -> ServerModule:
    """Import a service's server."""
    return cast("ServerModule", import_module(f"aboveboard.{name}.server"))


def open_sandbox(name: str, data: str | None) -> Sandbox:
    """Open a service's sandbox, in memory or in a file."""
    import sqlite3

    try:
        return import_module(f"aboveboard.{name}.sandbox").Sandbox(data)
    except sqlite3.Error as error:
        raise BadInput(f"The sandbox cannot keep its data in {data!r}: {error}.") from None
