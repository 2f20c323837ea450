"""How resources and prompts are declared: what a client may read beside calling tools."""

import inspect
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, get_type_hints

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from aboveboard.kit.arguments import Arguments
from aboveboard.kit.definitions import (
    Completer,
    PromptDefinition,
    PromptFunction,
    ResourceDefinition,
    ResourceFunction,
    Section,
)

C = TypeVar("C")


@dataclass(frozen=True)
class Content:
    """What was read, where each address of a kind has a type of its own: a file is a text, a picture, anything."""

    data: str | bytes
    mime_type: str


Read = BaseModel | str | bytes | Content


def declared_resource(
    uri: str,
    title: str,
    function: Callable[..., Awaitable[Any]],
    *,
    mime_type: str,
    area: str,
    toolset: Section,
    completers: Mapping[str, Completer[C]],
) -> ResourceDefinition[C]:
    """Check and make a resource; every part of the address is a parameter, and the docstring describes it."""
    parts = re.findall(r"\{\+?(\w+)\}", uri)
    parameters = list(inspect.signature(function).parameters)[1:]
    if parts != parameters:
        raise TypeError(f"The resource {uri} has the parts {parts}, and its function takes {parameters}.")
    loaded = ResourceFunction(function=function, completers=completers)
    return ResourceDefinition(
        uri=uri,
        title=title,
        name=function.__name__,
        description=_described(function),
        mime_type=mime_type,
        area=area,
        toolset=toolset,
        load=lambda: loaded,
    )


def declared_prompt(
    title: str,
    function: Callable[..., str],
    toolset: Section,
    completers: Mapping[str, Completer[Any]],
    tools: Sequence[str],
) -> PromptDefinition:
    """Check and make a prompt from a function's name, docstring and annotations."""
    name, hints = function.__name__, get_type_hints(function, include_extras=True)
    fields = {
        name: FieldInfo.from_annotated_attribute(hints[name], parameter.default)
        if parameter.default is not inspect.Parameter.empty
        else FieldInfo.from_annotation(hints[name])
        for name, parameter in inspect.signature(function).parameters.items()
    }
    loaded = PromptFunction(function=function, arguments=Arguments(name, fields), completers=completers)
    return PromptDefinition(
        name=name,
        title=title,
        description=_described(function),
        arguments=[_argument(name, argument, about) for argument, about in fields.items()],
        tools=tuple(tools),
        toolset=toolset,
        load=lambda: loaded,
    )


def _argument(prompt: str, name: str, about: FieldInfo) -> tuple[str, str, bool]:
    if not about.description:
        raise TypeError(f"The argument {name} of the prompt {prompt} has no description.")
    return name, about.description, about.is_required()


def _described(function: Callable[..., Any]) -> str:
    if not function.__doc__:
        raise TypeError(f"{function.__name__} has no docstring: say what it gives.")
    return " ".join(inspect.cleandoc(function.__doc__).split())
