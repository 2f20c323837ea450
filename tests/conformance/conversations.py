"""Fixture tools that speak while they run: progress, logs, changes, and questions on a connection of the older era."""

import warnings
from typing import Annotated, Any

import mcp_types as mcp
from mcp.server.subscriptions import PromptsListChanged, ToolsListChanged
from mcp.shared.exceptions import MCPDeprecationWarning, MCPError
from mcp.shared.message import ServerMessageMetadata
from pydantic import Field
from tests.conformance.stage import Stage, sampling, text

from aboveboard.effects import READ
from aboveboard.kit.call import Call
from aboveboard.kit.toolset import Toolset

tools = Toolset[Stage]("conversations", title="Conversations", icon="M4 4h16v12H8l-4 4z")

# Deprecated in the newer revision, and a part of the older one until it is no longer served.
warnings.simplefilter("ignore", MCPDeprecationWarning)


async def _log(call: Call, words: str) -> None:
    await call.context.session.send_log_message(  # pyright: ignore[reportDeprecated]
        "info", words, related_request_id=call.context.request_id
    )


async def _elicit(call: Call, message: str, properties: dict[str, Any], required: list[str]) -> mcp.CallToolResult:
    schema: dict[str, Any] = {"type": "object", "properties": properties, "required": required}
    result = await call.context.session.elicit_form(message, schema, call.context.request_id)
    return text(f"Elicitation completed: action={result.action}, content={result.content}")


@tools.tool("Tool With Logging", READ)
async def test_tool_with_logging(stage: Stage, call: Call) -> mcp.CallToolResult:
    """Log three lines, then answer."""
    for words in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        await _log(call, words)
    return text("The tool has logged three lines.")


@tools.tool("Unasked Logging", READ)
async def test_logging_tool(stage: Stage, call: Call) -> mcp.CallToolResult:
    """Log one line, which only a client that asked for it gets to see."""
    await _log(call, "Nobody may read this without asking")
    return text("The tool has logged one line.")


@tools.tool("Tool With Progress", READ)
async def test_tool_with_progress(stage: Stage, call: Call) -> mcp.CallToolResult:
    """Report progress three times, then answer."""
    for done in (0, 50, 100):
        await call.progress(done, 100)
    return text("The tool is done.")


@tools.tool("Reconnection", READ)
async def test_reconnection(stage: Stage, call: Call) -> mcp.CallToolResult:
    """Cut the client's stream, then answer: the answer waits for the client to come back."""
    if call.context.close_sse_stream is not None:
        await call.context.close_sse_stream()
    return text("Reconnected, and nothing was lost.")


@tools.tool("Sampling", READ)
async def test_sampling(
    stage: Stage, call: Call, prompt: Annotated[str, Field(description="What to ask the client's model.")]
) -> mcp.CallToolResult:
    """Ask the client's model."""
    related = ServerMessageMetadata(related_request_id=call.context.request_id)
    request = sampling(prompt)
    result = await call.context.session.send_request(request, mcp.CreateMessageResult, metadata=related)
    words = result.content.text if isinstance(result.content, mcp.TextContent) else "(no text)"
    return text(f"LLM response: {words}")


@tools.tool("Elicitation", READ)
async def test_elicitation(
    stage: Stage, call: Call, message: Annotated[str, Field(description="What to ask the user.")]
) -> mcp.CallToolResult:
    """Ask the user for a name and an address."""
    properties = {
        "username": {"type": "string", "description": "User's response"},
        "email": {"type": "string", "description": "User's email address"},
    }
    return await _elicit(call, message, properties, ["username", "email"])


@tools.tool("Elicitation Defaults", READ)
async def test_elicitation_sep1034_defaults(stage: Stage, call: Call) -> mcp.CallToolResult:
    """Ask the user with a form that is filled in already."""
    properties = {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
        "verified": {"type": "boolean", "default": True},
    }
    return await _elicit(call, "Please review the form.", properties, [])


@tools.tool("Elicitation Choices", READ)
async def test_elicitation_sep1330_enums(stage: Stage, call: Call) -> mcp.CallToolResult:
    """Ask the user to choose, in the five ways that a form can."""
    options = ["option1", "option2", "option3"]
    titled = [{"const": f"value{n}", "title": f"Choice {n}"} for n in (1, 2, 3)]
    properties = {
        "untitledSingle": {"type": "string", "enum": options},
        "titledSingle": {"type": "string", "oneOf": titled},
        "legacyEnum": {"type": "string", "enum": ["opt1", "opt2"], "enumNames": ["Option One", "Option Two"]},
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": options}},
        "titledMulti": {"type": "array", "items": {"anyOf": titled}},
    }
    return await _elicit(call, "Please choose.", properties, [])


@tools.tool("Missing Capability", READ)
async def test_missing_capability(stage: Stage, call: Call) -> mcp.CallToolResult:
    """Refuse a client that has no model to ask."""
    needed = mcp.ClientCapabilities(sampling=mcp.SamplingCapability())
    if not call.context.session.check_client_capability(needed):
        raise MCPError(
            code=mcp.MISSING_REQUIRED_CLIENT_CAPABILITY,
            message="This tool asks the client's model, and the client has none.",
            data={"requiredCapabilities": {"sampling": {}}},
        )
    return text("The client has a model.")


@tools.tool("Trigger Tool Change", READ)
async def test_trigger_tool_change(stage: Stage) -> mcp.CallToolResult:
    """Tell whoever listens that the tools have changed."""
    await stage.bus.publish(ToolsListChanged())
    return text("Told.")


@tools.tool("Trigger Prompt Change", READ)
async def test_trigger_prompt_change(stage: Stage) -> mcp.CallToolResult:
    """Tell whoever listens that the prompts have changed."""
    await stage.bus.publish(PromptsListChanged())
    return text("Told.")
