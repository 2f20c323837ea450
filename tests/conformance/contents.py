"""Fixture tools that answer at once: every kind of content, an error, and two schemas that the kit does not write."""

from dataclasses import replace
from typing import Annotated

import mcp_types as mcp
from pydantic import Field
from tests.conformance.stage import WAV, Stage, embedded, image, text

from aboveboard.effects import READ
from aboveboard.errors import Failure
from aboveboard.kit.schema import Schema
from aboveboard.kit.toolset import Toolset

tools = Toolset[Stage]("contents", title="Contents", icon="M4 4h16v16H4z")

Text = Annotated[str, Field(description="Any text.")]


@tools.tool("Simple Text", READ)
async def test_simple_text(stage: Stage) -> mcp.CallToolResult:
    """Answer one sentence."""
    return text("This is a simple text response for testing.")


@tools.tool("Image Content", READ)
async def test_image_content(stage: Stage) -> mcp.CallToolResult:
    """Answer a picture."""
    return mcp.CallToolResult(content=[image()])


@tools.tool("Audio Content", READ)
async def test_audio_content(stage: Stage) -> mcp.CallToolResult:
    """Answer a sound."""
    return mcp.CallToolResult(content=[mcp.AudioContent(data=WAV, mime_type="audio/wav")])


@tools.tool("Embedded Resource", READ)
async def test_embedded_resource(stage: Stage) -> mcp.CallToolResult:
    """Answer a resource."""
    resource = embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")
    return mcp.CallToolResult(content=[resource])


@tools.tool("Multiple Contents", READ)
async def test_multiple_content_types(stage: Stage) -> mcp.CallToolResult:
    """Answer a sentence, a picture and a resource."""
    resource = embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}')
    return mcp.CallToolResult(content=[mcp.TextContent(text="Multiple content types test:"), image(), resource])


@tools.tool("Error Handling", READ)
async def test_error_handling(stage: Stage) -> mcp.CallToolResult:
    """Fail, always."""
    raise Failure("This tool intentionally returns an error for testing.")


@tools.tool("Mirrored Header", READ)
async def test_x_mcp_header(stage: Stage, region: Text) -> mcp.CallToolResult:
    """Answer the value that also came as a header."""
    return text(f"The region is {region}.")


@tools.tool("Rich Schema", READ)
async def json_schema_2020_12_tool(stage: Stage, name: Text) -> mcp.CallToolResult:
    """Answer nothing of interest: the suite only reads the schema."""
    return text(f"The name is {name}.")


def _publish(name: str, schema: Schema) -> None:
    """Give a tool a schema of its own: the kit writes small ones, and these keywords only ever come from outside."""
    place, tool = next((place, tool) for place, tool in enumerate(tools.tools) if tool.name == name)
    tools.tools[place] = replace(tool, input_schema=schema)


_publish(
    "test_x_mcp_header",
    {
        "type": "object",
        "properties": {"region": {"type": "string", "description": "Any text.", "x-mcp-header": "Region"}},
        "required": ["region"],
        "additionalProperties": False,
    },
)
_publish(
    "json_schema_2020_12_tool",
    {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
            }
        },
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"},
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": False,
    },
)
