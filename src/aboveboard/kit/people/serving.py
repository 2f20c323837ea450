"""The application of a server for many people: the MCP endpoint behind its door, and the pages around it."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TypeVar

from mcp.server.auth.middleware.auth_context import AuthContextMiddleware
from starlette.applications import Starlette

from aboveboard.kit.people.adapter import SignIn
from aboveboard.kit.people.door import Door
from aboveboard.kit.people.headers import HeaderDoor
from aboveboard.kit.people.limits import Limits
from aboveboard.kit.people.pool import Pool
from aboveboard.kit.people.settings import PeopleSettings
from aboveboard.kit.policy import Policy
from aboveboard.kit.provider import Closable
from aboveboard.kit.server import build_server
from aboveboard.kit.service import Catalogue, Service
from aboveboard.kit.serving.web import PATH, WebSettings, web_app
from aboveboard.observing import Observers

C = TypeVar("C", bound=Closable)


def people_app(
    service: Service[C],
    sign_in: SignIn[C],
    settings: PeopleSettings,
    web: WebSettings,
    *,
    ready: Callable[[], Awaitable[None]],
    policy: Policy | None = None,
    prefix: str | None = None,
    observers: Observers = (),
) -> Starlette:
    """Make the application."""
    settings.check()
    limits = Limits(at_once=settings.calls_at_once, a_minute=settings.calls_a_minute, where=settings.limits)
    catalogue = Catalogue(service, policy or Policy(), prefix)
    keeper = HeaderDoor(sign_in, limits, title=service.title)
    server = build_server(catalogue, Pool(sign_in, limits), observers)
    app = web_app(server, _reached(web, settings), ready)
    app.add_middleware(AuthContextMiddleware)
    app.add_middleware(Door, path=PATH, keeper=keeper, catalogue=catalogue, watched_every=settings.check_streams_every)
    return app


def _reached(web: WebSettings, settings: PeopleSettings) -> WebSettings:
    """Let in what is sent to the public address, whatever this server listens on."""
    if not settings.public_url:
        return replace(web, signs_in=True)
    hosts, origins = [*web.allowed_hosts, settings.host], [*web.allowed_origins, settings.origin]
    return replace(web, signs_in=True, stateless=settings.stateless, allowed_hosts=hosts, allowed_origins=origins)
