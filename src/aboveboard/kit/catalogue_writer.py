"""Writes `catalogue.json`: a line for each source and each tool, so that a change shows where it was made."""

import json
from collections.abc import Callable, Sequence
from typing import Any

from aboveboard.kit.catalogue_file import Data, fingerprint
from aboveboard.kit.definitions import PromptDefinition, ResourceDefinition, ToolDefinition
from aboveboard.kit.toolset import Toolset


def catalogue_text(package: str, folder: str, toolsets: Sequence[Toolset[Any]]) -> str:
    """Return the file of a service whose tools were walked; `package` is that of its tools."""
    sources = ",\n".join(f"{_line(name)}: {checksum}" for name, checksum in sorted(fingerprint(folder).items()))
    written = ",\n".join(_toolset(package, toolset) for toolset in toolsets)
    return f'{{"sources": {{\n{sources}\n}},\n"toolsets": [\n{written}\n]}}\n'


def _toolset(package: str, toolset: Toolset[Any]) -> str:
    own = {"area": toolset.area, "title": toolset.title, "icon": toolset.drawing}
    own |= {"prefix": toolset.prefix, "app": toolset.app, "default": None if toolset.default else False}
    lists = {
        "tools": [_tool(package, one) for one in toolset.tools],
        "resources": [_resource(package, one) for one in toolset.resources],
        "prompts": [_prompt(package, one) for one in toolset.prompts],
    }
    parts = [f'"{name}": [\n' + ",\n".join(map(_line, every)) + "\n]" for name, every in lists.items() if every]
    return ",\n".join([_line(_said(own))[:-1], *parts]) + "}"


def _tool(package: str, tool: ToolDefinition[Any]) -> Data:
    return _said(
        {
            "name": tool.name,
            "module": _module(package, tool.load().function),
            "title": tool.title,
            "effect": tool.effect.name,
            "open_world": tool.effect.open_world,
            "core": tool.core or None,
            "aliases": list(tool.aliases) or None,
            "view": tool.view,
            "description": tool.description,
            "input": tool.input_schema,
            "output": tool.output_schema,
        }
    )


def _resource(package: str, resource: ResourceDefinition[Any]) -> Data:
    return _said(
        {
            "uri": resource.uri,
            "module": _module(package, resource.load().function),
            "name": resource.name,
            "title": resource.title,
            "area": None if resource.area == resource.toolset.area else resource.area,
            "mime_type": resource.mime_type,
            "description": resource.description,
        }
    )


def _prompt(package: str, prompt: PromptDefinition) -> Data:
    return {
        "name": prompt.name,
        "module": _module(package, prompt.load().function),
        "title": prompt.title,
        "description": prompt.description,
        "arguments": [list(argument) for argument in prompt.arguments],
        "tools": list(prompt.tools),
    }


def _module(package: str, function: Callable[..., object]) -> str:
    return function.__module__.removeprefix(f"{package}.")


def _said(data: Data) -> Data:
    return {name: value for name, value in data.items() if value is not None}


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
