"""What stands behind the fixture's tools, in place of a service's client, and the contents that they answer with."""

from typing import TypeVar

import mcp_types as mcp
from mcp.server.subscriptions import InMemorySubscriptionBus

from aboveboard.kit.call import Call

# The smallest of their kind: one red pixel, and one silent sample.
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQIAAAAAAA=="

R = TypeVar("R", mcp.ElicitResult, mcp.CreateMessageResult, mcp.ListRootsResult)


class Stage:
    """The state that all calls share: who listens for changes."""

    def __init__(self) -> None:
        self.bus = InMemorySubscriptionBus()

    async def aclose(self) -> None:
        """Nothing is held open."""


def text(words: str) -> mcp.CallToolResult:
    """Make a result of one sentence."""
    return mcp.CallToolResult(content=[mcp.TextContent(text=words)])


def image() -> mcp.ImageContent:
    """Make a picture."""
    return mcp.ImageContent(data=PNG, mime_type="image/png")


def embedded(uri: str, mime_type: str, words: str) -> mcp.EmbeddedResource:
    """Make a resource that stands inside an answer."""
    return mcp.EmbeddedResource(resource=mcp.TextResourceContents(uri=uri, mime_type=mime_type, text=words))


def form(message: str, field: str, kind: str = "string") -> mcp.ElicitRequest:
    """Ask the user to fill in one field."""
    schema = {"type": "object", "properties": {field: {"type": kind}}, "required": [field]}
    return mcp.ElicitRequest(params=mcp.ElicitRequestFormParams(message=message, requested_schema=schema))


def sampling(prompt: str, max_tokens: int = 100) -> mcp.CreateMessageRequest:
    """Ask the client's model."""
    message = mcp.SamplingMessage(role="user", content=mcp.TextContent(text=prompt))
    return mcp.CreateMessageRequest(params=mcp.CreateMessageRequestParams(messages=[message], max_tokens=max_tokens))


def answered(responses: mcp.InputResponses | None, key: str, kind: type[R]) -> R | None:
    """Return what the client answered under a key; None where it has not, or answered something else."""
    given = (responses or {}).get(key)
    return given if isinstance(given, kind) else None


def params(call: Call) -> mcp.CallToolRequestParams:
    """Return the request as it came, answers to earlier questions included."""
    given: mcp.CallToolRequestParams = call.params
    return given
