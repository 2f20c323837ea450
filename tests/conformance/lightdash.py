"""The real Lightdash server on its sandbox, for the scenarios that need no fixture."""

from starlette.applications import Starlette
from tests.conformance.process import serve

from aboveboard.kit.policy import Policy
from aboveboard.kit.provider import OneClient
from aboveboard.kit.server import build_server
from aboveboard.kit.service import Catalogue
from aboveboard.kit.serving.web import WebSettings, web_app
from aboveboard.lightdash.sandbox import Sandbox
from aboveboard.lightdash.server import SERVICE, connect, ready


def app(settings: WebSettings) -> Starlette:
    """Make the application."""
    sandbox = Sandbox()
    client = connect(sandbox.settings, sandbox.app)
    server = build_server(Catalogue(SERVICE, Policy()), OneClient(client))
    return web_app(server, settings, lambda: ready(sandbox.settings, sandbox.app))


if __name__ == "__main__":
    serve(app)
