"""What a tool's answer owes to what the tool publishes."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, cast

import mcp_types as mcp
from jsonschema import Draft202012Validator
from tests.sessions import text_of

from aboveboard.audit.verify import Proof
from aboveboard.kit.definitions import ToolDefinition
from aboveboard.kit.server import Worded


def faults_of(tool: ToolDefinition[Any], arguments: Mapping[str, Any], result: mcp.CallToolResult) -> Iterator[str]:
    """Tell where an answer that should be good is not what the tool says, not the same as text, or of another thing."""
    if result.is_error or not result.content:
        yield f"failed: {text_of(result)}"
    elif tool.output_schema is None:  # it speaks in content of its own, such as a picture
        yield from ["has structured content, which it does not publish"] if result.structured_content else []
    else:
        yield from _faults_in(tool, result)
        told: dict[str, Any] = result.structured_content or {}
        answered = {str(value) for value in told.values()}
        if tool.effect.name == "DELETE" and not any(str(given) in answered for given in arguments.values()):
            yield f"does not name what it was to delete: {text_of(result)}"


def faults_in_answers(proof: Proof, tools: Mapping[str, ToolDefinition[Any]]) -> list[str]:
    """Tell what is wrong with the answers to the calls of a proof that should be good."""
    found: list[str] = []
    for trial in (trial for behaviour in proof.behaviours for trial in behaviour.trials):
        assert trial.answer is not None
        result = mcp.CallToolResult.model_validate(trial.answer.result)
        faults = faults_of(tools[trial.tool.name], trial.arguments, result)
        found += [f"{trial.tool.name} ({trial.case}) {fault}" for fault in faults]
    return found


def _faults_in(tool: ToolDefinition[Any], result: mcp.CallToolResult) -> Iterator[str]:
    if not result.structured_content:
        yield "says nothing"
    for error in Draft202012Validator(closed(tool.output_schema)).iter_errors(result.structured_content):  # pyright: ignore[reportUnknownMemberType]
        yield f"{error.json_path} {error.message}"
    text = text_of(result)
    worded = issubclass(tool.load().result or object, Worded)  # such as a table of rows
    if not text or (not worded and json.loads(text) != result.structured_content):
        yield f"says otherwise as text: {text}"


def closed(schema: Any) -> Any:
    """Return the schema with nothing allowed beside what it describes, so that no field goes unpublished."""
    if isinstance(schema, list):
        return [closed(part) for part in cast("list[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    parts = {name: closed(part) for name, part in cast("dict[str, Any]", schema).items()}
    return {**parts, "additionalProperties": False} if "properties" in parts and "type" in parts else parts
