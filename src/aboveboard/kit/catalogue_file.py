"""`catalogue.json` beside a service's code: all that is published of its tools, so that a start imports none of them.

The file is generated (`docs/generate.py`). It names the sources it was made from, each with a checksum; where one of
them differs, the modules are imported instead: slower, and as right as ever.
"""

import os
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any, Final, TypeVar

from pydantic_core import from_json

from aboveboard.effects import EFFECTS
from aboveboard.kit.definitions import PromptDefinition, ResourceDefinition, ToolDefinition
from aboveboard.kit.toolset import Toolset

NAME: Final = "catalogue.json"
Data = dict[str, Any]
LoadedT = TypeVar("LoadedT")

_OURS: Final = Path(__file__).parent
# What else decides how a declaration becomes a definition, and how this file is read.
_MAKERS: Final = (
    "kit/arguments.py",
    "kit/catalogue_file.py",
    "kit/definitions.py",
    "kit/gone.py",
    "kit/json_object.py",
    "kit/library.py",
    "kit/schema.py",
    "kit/toolset.py",
    "kit/views.py",
    "effects.py",
)
_EFFECTS: Final = {effect.name: effect for effect in EFFECTS}


def published_toolsets(package: str) -> Sequence[Toolset[Any]]:
    """Return the toolsets of a service: from its file, or by importing its modules where the file is out of date."""
    folder = import_module(package).__path__[0]
    try:
        with open(f"{folder}/{NAME}", "rb") as file:
            data: Data = from_json(file.read())
        if data["sources"] == fingerprint(folder):
            return [_toolset(f"{package}.tools", one) for one in data["toolsets"]]
    except OSError:
        pass  # no such file: not generated yet, or no files at all
    from aboveboard.kit.package import load_toolsets

    return load_toolsets(f"{package}.tools")


def fingerprint(folder: str) -> dict[str, int]:
    """Return a checksum for every source that definitions are made from."""
    own = {path.removeprefix(f"{folder}/"): path for part in ("client", "tools") for path in _below(f"{folder}/{part}")}
    made = {name: f"{_OURS.parent}/{name}" for name in _MAKERS}
    return {name: _checksum(path) for name, path in {**own, **made}.items()}


def _below(folder: str) -> Iterator[str]:
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        if entry.name.endswith(".py"):
            yield f"{folder}/{entry.name}"
        elif entry.is_dir() and entry.name != "__pycache__":
            yield from _below(f"{folder}/{entry.name}")


def _checksum(path: str) -> int:
    with open(path, "rb") as file:
        return zlib.crc32(file.read().replace(b"\r\n", b"\n"))


def _toolset(package: str, data: Data) -> Toolset[Any]:
    toolset = Toolset[Any](
        data["area"],
        title=data["title"],
        icon=data["icon"],
        prefix=data.get("prefix"),
        app=data.get("app"),
        default=data.get("default", True),
    )
    toolset.tools.extend(_tool(package, toolset, one) for one in data.get("tools", ()))
    toolset.resources.extend(_resource(package, toolset, one) for one in data.get("resources", ()))
    toolset.prompts.extend(_prompt(package, toolset, one) for one in data.get("prompts", ()))
    return toolset


def _tool(package: str, toolset: Toolset[Any], data: Data) -> ToolDefinition[Any]:
    effect = _EFFECTS[data["effect"]]
    name = data["name"]
    return ToolDefinition(
        name=name,
        title=data["title"],
        effect=replace(effect, open_world=data["open_world"]) if "open_world" in data else effect,
        toolset=toolset,
        description=data["description"],
        input_schema=data["input"],
        output_schema=data.get("output"),
        core=data.get("core", False),
        aliases=tuple(data.get("aliases", ())),
        view=data.get("view"),
        load=partial(_loaded, f"{package}.{data['module']}", toolset.area, name, _declared_tools),
    )


def _resource(package: str, toolset: Toolset[Any], data: Data) -> ResourceDefinition[Any]:
    return ResourceDefinition(
        uri=data["uri"],
        title=data["title"],
        name=data["name"],
        description=data["description"],
        mime_type=data["mime_type"],
        area=data.get("area", toolset.area),
        toolset=toolset,
        load=partial(_loaded, f"{package}.{data['module']}", toolset.area, data["uri"], _declared_resources),
    )


def _prompt(package: str, toolset: Toolset[Any], data: Data) -> PromptDefinition:
    name = data["name"]
    return PromptDefinition(
        name=name,
        title=data["title"],
        description=data["description"],
        arguments=[(argument, description, required) for argument, description, required in data["arguments"]],
        tools=tuple(data["tools"]),
        toolset=toolset,
        load=partial(_loaded, f"{package}.{data['module']}", toolset.area, name, _declared_prompts),
    )


Loaders = Mapping[str, Callable[[], LoadedT]]


def _declared_tools(toolset: Toolset[Any]) -> Loaders[Any]:
    return {tool.name: tool.load for tool in toolset.tools}


def _declared_resources(toolset: Toolset[Any]) -> Loaders[Any]:
    return {resource.uri: resource.load for resource in toolset.resources}


def _declared_prompts(toolset: Toolset[Any]) -> Loaders[Any]:
    return {prompt.name: prompt.load for prompt in toolset.prompts}


@cache
def _loaded(module: str, area: str, name: str, declared: Callable[[Toolset[Any]], Loaders[LoadedT]]) -> LoadedT:
    """Import a module, and return what it declares under a name."""
    from aboveboard.kit.package import toolsets_in

    for toolset in toolsets_in(import_module(module)):
        if toolset.area == area and name in (loaders := declared(toolset)):
            return loaders[name]()
    raise LookupError(f"{module} no longer declares {name}.")
