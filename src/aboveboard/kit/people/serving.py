"""The application of a server for many people: the MCP endpoint behind its door, and the pages around it."""

import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any, Final, Generic, TypeVar

import anyio
from mcp.server.auth.middleware.auth_context import AuthContextMiddleware
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from aboveboard.errors import Failure
from aboveboard.kit.people.access_tools import access_tools
from aboveboard.kit.people.account import Account
from aboveboard.kit.people.adapter import SignIn
from aboveboard.kit.people.authorization import Authorization
from aboveboard.kit.people.clients import Clients
from aboveboard.kit.people.connect import Connect
from aboveboard.kit.people.documents import fetch_document
from aboveboard.kit.people.door import Door, Doorkeeper
from aboveboard.kit.people.endpoints import Endpoints, resource_routes
from aboveboard.kit.people.headers import HeaderDoor
from aboveboard.kit.people.identity.asking import Asking
from aboveboard.kit.people.identity.door import IdentityDoor
from aboveboard.kit.people.identity.issuer import Issuer
from aboveboard.kit.people.identity.matching import Match
from aboveboard.kit.people.identity.proof import Proof
from aboveboard.kit.people.limits import Limits, TooMuch
from aboveboard.kit.people.pages import Pages
from aboveboard.kit.people.people import People
from aboveboard.kit.people.pool import Pool
from aboveboard.kit.people.rights import Scopes
from aboveboard.kit.people.rounds import Rounds
from aboveboard.kit.people.sealing import Keys
from aboveboard.kit.people.settings import PeopleSettings
from aboveboard.kit.people.sign_in_mode import SignInMode
from aboveboard.kit.people.store import Store
from aboveboard.kit.people.token_door import TokenDoor, unavailable
from aboveboard.kit.policy import Policy
from aboveboard.kit.provider import Closable
from aboveboard.kit.server import build_server
from aboveboard.kit.service import Catalogue, Service
from aboveboard.kit.serving.web import PATH, Observed, WebSettings, web_app
from aboveboard.kit.toolset import Toolset
from aboveboard.kit.upkeep import try_work
from aboveboard.observing import Observers

logger = logging.getLogger("aboveboard")

C = TypeVar("C", bound=Closable)
TIDIED_EVERY: Final = 600.0


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
    made = _WAYS[settings.mode](_Wanted(service, sign_in, settings, limits, policy or Policy(), prefix))
    pool = Pool(sign_in, limits)
    server = build_server(made.catalogue, pool, observers)
    app = web_app(server, _reached(web, settings), ready, made.routes)
    app.add_exception_handler(Failure, _telling(Pages(service.title)))
    app.add_middleware(AuthContextMiddleware)
    watching = settings.check_streams_every
    app.add_middleware(
        Door,
        path=PATH,
        keeper=made.keeper,
        catalogue=made.catalogue,
        watched_every=watching,
        observers=observers,
    )
    app.add_middleware(Observed, observers=observers)
    if made.people is not None:
        upkeep = made.catalogue.upkeep
        rounds = None if upkeep is None else Rounds(made.people, pool, upkeep, watched_every=watching)
        _keep_tidy(app, made.people, rounds)
    return app


def _telling(pages: Pages) -> Callable[[Request, Exception], Response]:
    """Answer where something that this server needs does not: people with a page, programs in their own way."""

    def tell(request: Request, failure: Exception) -> Response:
        if not isinstance(failure, Failure):
            raise failure
        if isinstance(failure, TooMuch):  # whoever floods this server does not flood its log
            return pages.error(str(failure), status=429)
        logger.warning("%s could not be answered: %s", request.url.path.split("/")[1], failure, exc_info=failure)
        is_for_people = request.url.path.startswith(("/authorize", "/connect", "/account"))
        return pages.error(str(failure), status=503) if is_for_people else unavailable(failure)

    return tell


@dataclass(frozen=True)
class _Wanted(Generic[C]):
    service: Service[C]
    sign_in: SignIn[C]
    settings: PeopleSettings
    limits: Limits
    policy: Policy
    prefix: str | None

    def catalogue(self, *more: Toolset[C]) -> Catalogue[C]:
        """Return what is served, with tools before it that come with signing in."""
        service = replace(self.service, toolsets=[*more, *self.service.toolsets]) if more else self.service
        return Catalogue(service, self.policy, self.prefix)


@dataclass(frozen=True)
class _Deployment(Generic[C]):
    catalogue: Catalogue[C]
    keeper: Doorkeeper
    routes: Sequence[Route] = ()
    people: People | None = None


def _by_headers(wanted: _Wanted[C]) -> _Deployment[C]:
    door = HeaderDoor(wanted.sign_in, wanted.limits, clock=wanted.settings.clock, title=wanted.service.title)
    return _Deployment(wanted.catalogue(), door)


def _by_tokens(wanted: _Wanted[C]) -> _Deployment[C]:
    settings, limits = wanted.settings, wanted.limits
    people, catalogue, pages, clients = _with_store(wanted)
    connect = Connect(people, pages, limits, allowed_people=settings.allowed_people)
    account = Account(people, pages, limits, connect.begin_login)
    endpoints = Endpoints(people, Authorization(people, clients), pages, limits)
    routes = [*endpoints.routes(), *connect.routes(), *account.routes()]
    return _Deployment(catalogue, TokenDoor(people), routes, people)


def _by_identity(wanted: _Wanted[C]) -> _Deployment[C]:
    settings, limits = wanted.settings, wanted.limits
    oidc, issuer = settings.oidc, Issuer(settings.oidc.issuer, settings.clock, subject=settings.oidc.subject)
    people, catalogue, pages, clients = _with_store(wanted)
    proof = Proof(issuer, oidc.client_id, oidc.client_secret, Match.parse(oidc.match or wanted.sign_in.match))
    connect = Connect(people, pages, limits, allowed_people=settings.allowed_people, proof=proof)
    account = Account(people, pages, limits, connect.begin_login)
    documents = resource_routes(people.resource, issuer.address, wanted.service.title, oidc.scopes)
    routes = [*documents, *Asking(people, clients, pages, limits).routes(), *connect.routes(), *account.routes()]
    keeper = IdentityDoor(people, issuer, audience=oidc.audience_for(people.resource), scopes=oidc.scopes)
    return _Deployment(catalogue, keeper, routes, people)


def _with_store(wanted: _Wanted[C]) -> tuple[People, Catalogue[C], Pages, Clients]:
    service, settings = wanted.service, wanted.settings
    people = open_people(service, wanted.sign_in, settings, Scopes.of(wanted.catalogue()))
    clients = Clients(people, wanted.limits, settings.fetch or fetch_document, allowed=settings.allowed_clients)
    return people, wanted.catalogue(access_tools(people)), Pages(service.title), clients


_WAYS: Final = {SignInMode.HEADERS: _by_headers, SignInMode.CONNECT: _by_tokens, SignInMode.OIDC: _by_identity}


def open_people(service: Service[Any], sign_in: SignIn[Any], settings: PeopleSettings, scopes: Scopes) -> People:
    """Open the store of a deployment."""
    return People(
        Store(settings.store_address(service.name)),
        Keys.read(settings.key_file(service.name)),
        sign_in,
        scopes,
        title=service.title,
        origin=settings.origin,
        path=PATH,
        clock=settings.clock,
        forgets=None if service.upkeep is None else service.upkeep.forget,
    )


def _keep_tidy(app: Starlette, people: People, rounds: Rounds[Any] | None) -> None:
    """Let what has expired go by itself while the application runs, and look after people."""
    inner = app.router.lifespan_context

    @asynccontextmanager
    async def lifespan(of: Starlette) -> AsyncGenerator[Any]:
        async with inner(of) as state, anyio.create_task_group() as tasks:
            tasks.start_soon(_tidying, people)
            if rounds is not None:
                tasks.start_soon(rounds.run)
            yield state
            tasks.cancel_scope.cancel()
        people.store.close()

    app.router.lifespan_context = lifespan


async def _tidying(people: People) -> None:
    while True:
        await try_work(people.tidy)
        await anyio.sleep(TIDIED_EVERY)


def _reached(web: WebSettings, settings: PeopleSettings) -> WebSettings:
    """Let in what is sent to the public address, whatever this server listens on."""
    web = replace(web, signs_in=True, stateless=settings.stateless)
    if not settings.public_url:
        return web
    hosts, origins = [*web.allowed_hosts, settings.host], [*web.allowed_origins, settings.origin]
    return replace(web, allowed_hosts=hosts, allowed_origins=origins)
