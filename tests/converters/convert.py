"""Run definitions of tools through the converters that others use, and tell which come out otherwise than they were.

Runs in `.venv-converters`. Reads a list of tools, as `tools/list` gives it, and writes a line for each problem.
"""
# pyright: basic, reportMissingImports=false, reportAttributeAccessIssue=false
# (what it imports is in an environment of its own)

import copy
import json
import logging
import sys
from collections.abc import Iterator
from typing import Any

from agents.mcp import MCPServerStdio, MCPUtil
from langchain_core.tools import StructuredTool
from langchain_google_genai._function_utils import convert_to_genai_function_declarations
from mcp_types import Tool
from pydantic_ai.profiles.google import GoogleJsonSchemaTransformer, GoogleOpenAPISchemaTransformer
from pydantic_ai.profiles.openai import OpenAIJsonSchemaTransformer

Schema = dict[str, Any]

SERVER = MCPServerStdio({"command": "true"}, name="ours")


def openai_agents(tool: Schema) -> Schema:
    """Convert to strict mode; where that cannot be, the converter says so in a flag only."""
    made = MCPUtil.to_function_tool(Tool.model_validate(tool), SERVER, convert_schemas_to_strict=True)
    if not made.strict_json_schema:
        raise ValueError("cannot be strict")
    return made.params_json_schema


def langchain_gemini(tool: Schema) -> Schema:
    made = StructuredTool(name=tool["name"], description=tool["description"], args_schema=tool["inputSchema"])
    (converted,) = convert_to_genai_function_declarations([made])
    return json.loads(converted.function_declarations[0].parameters.model_dump_json(exclude_none=True))


def pydantic_ai_openai(tool: Schema) -> Schema:
    return OpenAIJsonSchemaTransformer(tool["inputSchema"], strict=True).walk()


def pydantic_ai_gemini(tool: Schema) -> Schema:
    return GoogleJsonSchemaTransformer(tool["inputSchema"]).walk()


def pydantic_ai_gemini_live(tool: Schema) -> Schema:
    return GoogleOpenAPISchemaTransformer(tool["inputSchema"]).walk()


CONVERTERS = (openai_agents, langchain_gemini, pydantic_ai_openai, pydantic_ai_gemini, pydantic_ai_gemini_live)
STRICT = (openai_agents, pydantic_ai_openai)


def lost(before: Schema, after: Schema, place: str, *, strict: bool) -> Iterator[str]:
    """Tell what a schema said before, and does not say after."""
    if str(after.get("type")).lower() != before["type"]:
        yield f"{place} is {after.get('type')} and was {before['type']}"
    elif before.get("enum") != after.get("enum"):
        yield f"{place} has other choices"
    elif before["type"] == "object":
        yield from _lost_of_object(before, after, place, strict=strict)
    elif before["type"] == "array" and not after.get("items"):
        yield f"{place} is a list of anything"
    elif before["type"] == "array":
        yield from lost(before["items"], after["items"], f"{place}[]", strict=strict)


def _lost_of_object(before: Schema, after: Schema, place: str, *, strict: bool) -> Iterator[str]:
    known, kept = before.get("properties", {}), after.get("properties") or {}
    if kept.keys() != known.keys():
        yield f"{place} has {sorted(kept)} and had {sorted(known)}"
    if place != "arguments" and not kept:
        yield f"{place} is an object without properties"
    if strict and (after.get("additionalProperties") is not False or set(after["required"]) != set(known)):
        yield f"{place} is not strict"
    for name in known.keys() & kept.keys():
        yield from lost(known[name], kept[name], f"{place}.{name}", strict=strict)


def problems(tools: list[Schema]) -> Iterator[str]:
    for convert in CONVERTERS:
        for tool in tools:
            try:
                made = convert(copy.deepcopy(tool))
                found = list(lost(tool["inputSchema"], made, "arguments", strict=convert in STRICT))
            except Exception as error:  # noqa: BLE001 (whatever a converter says, the test is to show it)
                found = [f"{type(error).__name__}: {error}"]
            yield from (f"{convert.__name__} {tool['name']}: {one}" for one in found)


if __name__ == "__main__":
    logging.disable()
    json.dump(list(problems(json.load(sys.stdin))), sys.stdout)
