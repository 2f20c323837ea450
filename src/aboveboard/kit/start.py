"""One call that serves a service: on stdio, or over HTTP where web settings are given."""

import logging
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar

from aboveboard.errors import BadInput
from aboveboard.kit.policy import Policy
from aboveboard.kit.provider import Closable, OneClient
from aboveboard.kit.server import build_server
from aboveboard.kit.service import Catalogue, Service
from aboveboard.observing import Observers

if TYPE_CHECKING:  # a server on stdio does not pay for what HTTP needs, nor one person's for what many need
    from aboveboard.kit.people.adapter import SignIn
    from aboveboard.kit.people.settings import PeopleSettings
    from aboveboard.kit.serving.web import WebSettings

C = TypeVar("C", bound=Closable)

SHORT_KEY: Final = 20
"""A key of fewer characters is warned of: whoever can reach the port can try as many as they like."""
GUESSABLE: Final = f"MCP_API_KEY is shorter than {SHORT_KEY} characters: make one with `openssl rand -hex 32`."
WAITING: Final = "Waiting on stdin for an MCP client, which starts this command by itself. Ctrl-C ends it."


async def _always() -> None: ...


def serve(
    service: Service[C],
    connect: Callable[[], C],
    *,
    web: "WebSettings | None" = None,
    policy: Policy | None = None,
    prefix: str | None = None,
    observers: Observers = (),
    ready: Callable[[], Awaitable[None]] = _always,
    waiting: str = WAITING,
) -> None:
    """Serve until the client is gone or a signal asks to stop.

    `connect` makes the client that tools get; it is closed at the end. `ready` raises a failure where the service
    cannot be used, which /readyz then tells anybody: it asks as nobody, with no person's client. `observers`, such as
    an `AuditLog`, are told of every call and of every request to the service. `waiting` is what a person reads who
    starts a stdio server on a terminal.
    """
    _log_to_stderr()
    catalogue = Catalogue(service, policy or Policy(), prefix)
    client = connect()
    upkeep = catalogue.upkeep
    work = None if upkeep is None else partial(upkeep.alone, client, stays=web is not None)
    server = build_server(catalogue, OneClient(client), observers, work)
    if web is None:
        from aboveboard.kit.serving.stdio import serve_stdio

        if sys.stdin.isatty():
            _tell(waiting)
        serve_stdio(server)
        return
    from aboveboard.kit.serving.web import Observed, serve_web, web_app

    def announce(address: str) -> None:
        short = web.auth and web.key is not None and len(web.key.get_secret_value()) < SHORT_KEY
        _tell(f"Serving {service.title} at {address}" + (f"\n{GUESSABLE}" if short else ""))

    app = web_app(server, web, ready)
    app.add_middleware(Observed, observers=observers)
    serve_web(app, web, announce)


def serve_people(
    service: Service[C],
    sign_in: "Callable[[], SignIn[C]]",
    people: "PeopleSettings",
    *,
    web: "WebSettings",
    policy: Policy | None = None,
    prefix: str | None = None,
    observers: Observers = (),
    ready: Callable[[], Awaitable[None]] = _always,
) -> None:
    """Serve many people over HTTP, each as themselves, until a signal asks to stop."""
    from aboveboard.kit.people.settings import EXTRA

    try:
        from aboveboard.kit.people.serving import people_app
    except ModuleNotFoundError:
        raise BadInput(EXTRA) from None
    from aboveboard.kit.serving.web import PATH, serve_web

    _log_to_stderr()
    app = people_app(service, sign_in(), people, web, policy=policy, prefix=prefix, observers=observers, ready=ready)
    public = f" (public: {people.origin}{PATH})" if people.origin else ""
    kept = people.kept_at(service.name)
    serve_web(app, web, lambda address: _tell(f"Serving {service.title} at {address}{public}\n{kept}".rstrip()))


def _log_to_stderr() -> None:
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")


def _tell(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()
