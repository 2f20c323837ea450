"""One call that serves a service: on stdio, or over HTTP where web settings are given."""

import logging
import sys
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final, TypeVar

from aboveboard.kit.policy import Policy
from aboveboard.kit.provider import Closable, OneClient
from aboveboard.kit.server import build_server
from aboveboard.kit.service import Catalogue, Service
from aboveboard.observing import Observers

if TYPE_CHECKING:  # a server on stdio does not pay for what HTTP needs
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
    an `AuditLog`, are told of every call. `waiting` is what a person reads who starts a stdio server on a terminal.
    """
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    catalogue = Catalogue(service, policy or Policy(), prefix)
    client = connect()
    server = build_server(catalogue, OneClient(client), observers)
    if web is None:
        from aboveboard.kit.serving.stdio import serve_stdio

        if sys.stdin.isatty():
            _tell(waiting)
        serve_stdio(server)
        return
    from aboveboard.kit.serving.web import serve_web, web_app

    def announce(address: str) -> None:
        short = web.auth and web.key is not None and len(web.key.get_secret_value()) < SHORT_KEY
        _tell(f"Serving {service.title} at {address}" + (f"\n{GUESSABLE}" if short else ""))

    serve_web(web_app(server, web, ready), web, announce)


def _tell(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()
