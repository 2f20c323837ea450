"""Two people at one team's server with all that it remembers, beside a server of each one's own to compare with."""

import json
import re
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import httpx2
from mcp import Client
from pydantic import SecretStr
from tests.people import lightdash
from tests.people.team import BACKEND, Assistant, deployed
from tests.plans import values_of
from tests.sessions import Era, Session, text_of

from aboveboard.kit.call import Call
from aboveboard.kit.policy import Policy
from aboveboard.kit.provider import OneClient
from aboveboard.kit.server import build_server
from aboveboard.kit.service import Catalogue
from aboveboard.lightdash.client import LightdashClient
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.sandbox import Sandbox
from aboveboard.nextcloud.server import SERVICE

FULL: Final = (("mode", "full"),)
EVERYTHING: Final = Policy(toolsets=[toolset.area for toolset in lightdash.SERVICE.toolsets])
CHANGING: Final = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"  # made up for each new thing
    r"|\b[0-9a-f]{32}\b"  # an etag, of a text that holds such an id
    r"|(?<=apps/calendar/edit/)[\w=%+/-]+"  # an event's page, whose address holds such an id
    r"|T\d\d:\d\d:\d\d"  # what is upcoming begins now
)
SELDOM: Final = 5.0
"""Seconds between two looks whether a stream may stay open, as in earnest: here none has to be closed."""
NOWHERE: Final = httpx2.MockTransport(lambda _: httpx2.Response(500))


class Forgetful(OneClient[Any]):
    """Serves one person, with a new client for each call."""

    def __init__(self, make: Callable[[], Any]) -> None:
        super().__init__(make())
        self._make = make

    def lease(self, call: Call) -> AbstractAsyncContextManager[Any]:
        """Lend a client that remembers nothing."""
        del call
        return nullcontext(self._make())


@dataclass(frozen=True)
class Person:
    """One of the two: at the team's server, and at one of their own that knows nobody else and remembers nothing."""

    name: str
    session: Session
    alone: Session


async def told(session: Session, tool: str, arguments: Mapping[str, Any]) -> str:
    """Call a tool and return all that its answer says, but for what differs each time."""
    result = await session.call(tool, **arguments)
    structured = json.dumps(result.structured_content, ensure_ascii=False)
    return CHANGING.sub("...", f"{result.is_error} {structured} {text_of(result)}")


@dataclass
class Two:
    """Both, and the one service that they use."""

    one: Person
    other: Person
    sandbox: Sandbox | lightdash.Sandbox
    values: Mapping[str, Any]


@asynccontextmanager
async def two_at_nextcloud(folder: Path, era: Era) -> AsyncGenerator[Two]:
    """Let Ada, who is the admin, and Bob sign in."""
    sandbox, catalogue = Sandbox(), Catalogue(SERVICE, Policy())
    service = httpx2.ASGITransport(sandbox.app)
    async with (
        deployed(sandbox, str(folder / "db"), folder, check_streams_every=SELDOM) as team,
        AsyncExitStack() as stack,
    ):

        async def come(user: str) -> Person:
            client = await stack.enter_async_context(Assistant(team, user, FULL).connected(era))
            secret = SecretStr(Sandbox.users[user])
            alone = partial(NextcloudClient, BACKEND, user, secret, transport=service)
            own = await stack.enter_async_context(Client(build_server(catalogue, Forgetful(alone))))
            return Person(user, Session(client, NOWHERE), Session(own, NOWHERE))

        yield Two(await come("admin"), await come("bob"), sandbox, values_of("nextcloud", BACKEND))
    sandbox.close()


@asynccontextmanager
async def two_at_lightdash(folder: Path, era: Era) -> AsyncGenerator[Two]:
    """Let Ada, who is the admin, and Vera, who may only look, sign in."""
    shop, values = lightdash.Sandbox(enterprise=True, soft_delete=True), values_of("lightdash", BACKEND)
    service, project = httpx2.ASGITransport(shop.app), values["project"]
    place = lightdash.Place(BACKEND, BACKEND, default_project=project)
    catalogue, prefix = Catalogue(lightdash.SERVICE, EVERYTHING), lightdash.SERVICE.prefix
    options: dict[str, Any] = {"policy": EVERYTHING, "place": place, "check_streams_every": SELDOM}
    async with deployed(shop, str(folder / "db"), folder, **options) as team, AsyncExitStack() as stack:

        async def come(user: str, role: str) -> Person:
            assistant = Assistant(team, f"{user}@corner-shop.example", FULL)
            client = await stack.enter_async_context(assistant.connected(era))
            secret = SecretStr(f"ldpat_sandbox_{role}")
            alone = partial(LightdashClient, BACKEND, secret, default_project=project, transport=service)
            own = await stack.enter_async_context(Client(build_server(catalogue, Forgetful(alone))))
            return Person(user, Session(client, service, prefix), Session(own, NOWHERE, prefix))

        yield Two(await come("ada", "admin"), await come("vera", "viewer"), shop, values)
    shop.close()
