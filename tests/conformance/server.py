"""The server that the conformance suite runs against: the suite's fixtures, declared and served with our kit.

Tools are the kit's own. Prompts, resources and the rest, which the kit does not offer, are added to the SDK's server.
"""

import mcp_types as mcp
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.server.streamable_http import EventCallback, EventMessage, EventStore
from mcp.server.subscriptions import ListenHandler
from starlette.applications import Starlette
from tests.conformance import contents, conversations, questions
from tests.conformance.process import serve
from tests.conformance.prompts import add_prompts
from tests.conformance.resources import add_resources
from tests.conformance.stage import Stage

from aboveboard.kit.policy import Policy
from aboveboard.kit.provider import OneClient
from aboveboard.kit.server import build_server
from aboveboard.kit.service import Catalogue, Service
from aboveboard.kit.serving.web import WebSettings, web_app

SERVICE = Service[Stage](
    name="conformance",
    title="Conformance Fixture",
    prefix="",  # the suite gives the tools their names
    open_world=False,
    instructions="A fixture for the conformance suite.",
    toolsets=[contents.tools, conversations.tools, questions.tools],
)


class Events(EventStore):
    """Every event sent, so that a client can come back for those it missed."""

    def __init__(self) -> None:
        self._sent: list[tuple[str, mcp.JSONRPCMessage | None]] = []

    async def store_event(self, stream_id: str, message: mcp.JSONRPCMessage | None) -> str:
        """Keep an event; its number is its id."""
        self._sent.append((stream_id, message))
        return str(len(self._sent))

    async def replay_events_after(self, last_event_id: str, send_callback: EventCallback) -> str | None:
        """Send what came later on the same stream."""
        last = int(last_event_id)
        stream_id, _ = self._sent[last - 1]
        for number, (stream, message) in enumerate(self._sent[last:], start=last + 1):
            if stream == stream_id and message is not None:
                await send_callback(EventMessage(message, str(number)))
        return stream_id


def build(stage: Stage) -> Server[None]:
    """Make the fixture server."""
    server = build_server(Catalogue(SERVICE, Policy()), OneClient(stage))
    add_prompts(server)
    add_resources(server)
    server.add_request_handler("logging/setLevel", mcp.SetLevelRequestParams, _set_level)
    server.add_request_handler("subscriptions/listen", mcp.SubscriptionsListenRequestParams, ListenHandler(stage.bus))
    sealed = RequestStateBoundary(RequestStateSecurity.ephemeral(), default_audience=SERVICE.name)
    server.middleware.append(sealed)
    return server


def app(settings: WebSettings) -> Starlette:
    """Make the application, by the factory that makes it in production."""
    server = build(Stage())
    made = web_app(server, settings, _ready)
    # Streams that are cut and taken up again: a thing of the older era that our servers do without.
    server.session_manager.event_store = Events()
    server.session_manager.retry_interval = 500
    return made


async def _set_level(context: ServerRequestContext[None], params: mcp.SetLevelRequestParams) -> mcp.EmptyResult:
    # The fixture logs at info only, which every level that the suite sets lets through.
    return mcp.EmptyResult()


async def _ready() -> None:
    """Nothing stands behind this server that could be unwell."""


if __name__ == "__main__":
    serve(app)
