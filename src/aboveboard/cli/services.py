"""The services this product serves, each imported only when it is asked for."""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

from starlette.types import ASGIApp

from aboveboard.errors import BadInput

if TYPE_CHECKING:  # MCP takes long to load, and not every command needs it
    from aboveboard.kit.checkup import Checkup
    from aboveboard.kit.people.adapter import SignIn
    from aboveboard.kit.provider import Closable
    from aboveboard.kit.service import Service

NAMES: Final = ("lightdash", "nextcloud")
EMBEDDED: Final = "http://sandbox"
SETTINGS: Final = (
    "Environment of lightdash: LIGHTDASH_URL, LIGHTDASH_API_KEY, LIGHTDASH_PROJECT_UUID (the default project), "
    "LIGHTDASH_ALLOWED_PROJECTS (all if not set). "
    "Of nextcloud: NEXTCLOUD_HOST, NEXTCLOUD_USERNAME, NEXTCLOUD_PASSWORD (an app password)."
)


class ServerModule(Protocol):
    """What `<service>/server.py` offers."""

    SERVICE: "Service[Any]"

    def connect(self, environment: Mapping[str, str], backend: ASGIApp | None = None) -> "Closable":
        """Make the client that the environment describes; its requests go to a backend in this process, if given."""
        ...

    def sign_in(self, environment: Mapping[str, str], backend: ASGIApp | None = None) -> "SignIn[Any]":
        """Make what lets many people sign in with the instance that the environment names."""
        ...

    checkup: "Checkup"

    async def ready(self, environment: Mapping[str, str], backend: ASGIApp | None = None) -> None:
        """Raise a failure where the service cannot be used; it is asked as nobody, with no person's credentials."""
        ...


class Sandbox(Protocol):
    """What `<service>/sandbox` offers."""

    app: ASGIApp
    settings: Mapping[str, str]
    """What the environment says of one who uses this sandbox; EMBEDDED stands for its address."""
    logins: Mapping[str, str]
    """Who can log in at its pages, and with which password."""
    control: str
    """The token that the routes below /_sandbox/ want."""

    def dump(self) -> dict[str, object]:
        """Return the state as facts."""
        ...

    def close(self) -> None:
        """Let go of the data."""
        ...


def server_module(name: str) -> ServerModule:
    """Import a service's server."""
    return cast("ServerModule", import_module(f"aboveboard.{name}.server"))


def open_sandbox(name: str, data: str | None, *, control: str | None = None, **choices: bool) -> Sandbox:
    """Open a service's sandbox, in memory or in a file; choices are those of an operator of the real service."""
    import sqlite3

    if choices and name != "lightdash":
        given = " and ".join(f"--{choice.replace('_', '-')}" for choice in choices)
        raise BadInput(f"The {name} sandbox does not know {given}: only lightdash's does.")
    try:
        return import_module(f"aboveboard.{name}.sandbox").Sandbox(data, control=control, **choices)
    except sqlite3.Error as error:
        problem = f"The sandbox cannot keep its data in {data!r}: {error}."
        raise BadInput(
            problem, next_step="Nothing in it was changed: name another file, or one that is not there yet."
        ) from None


def plan_folder(name: str) -> Path:
    """Return where the plan is that proves a service's hints: a base, and a file for each area of its tools."""
    return Path(__file__).parent.parent / name / "plan"


def bookkeeping_file(name: str) -> Path:
    """Return where it stands what moves by itself in a service that is none of our sandboxes."""
    return plan_folder(name).parent / "bookkeeping.yaml"
