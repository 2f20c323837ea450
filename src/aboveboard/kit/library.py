"""Resources and prompts: what a client may read beside calling tools, under the same policy and the same guard."""

import inspect
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, get_type_hints
from urllib.parse import unquote

import mcp_types as mcp
from pydantic import BaseModel
from pydantic.fields import FieldInfo

C = TypeVar("C")
Completer = Callable[[C, str], Awaitable[Sequence[str]]]
"""Given the client and what is typed so far, returns the values that could be meant."""


@dataclass(frozen=True)
class Content:
    """What was read, where each address of a kind has a type of its own: a file is a text, a picture, anything."""

    data: str | bytes
    mime_type: str


Read = BaseModel | str | bytes | Content


@dataclass(frozen=True)
class Resource(Generic[C]):
    """Something to read at an address; `{name}` in it is one part, `{+name}` may hold slashes."""

    uri: str
    title: str
    name: str
    description: str
    function: Callable[..., Awaitable[Read]]
    mime_type: str
    completers: Mapping[str, Completer[C]] = field(default_factory=dict[str, Completer[C]])

    @property
    def is_template(self) -> bool:
        """Tell whether the address has parts to fill in."""
        return "{" in self.uri

    def match(self, uri: str) -> dict[str, str] | None:
        """Return the parts of an address of this kind, or None."""
        found = re.fullmatch(_pattern(self.uri), uri)
        return None if found is None else {name: unquote(part) for name, part in found.groupdict().items()}

    def contents(self, uri: str, read: Read) -> mcp.TextResourceContents | mcp.BlobResourceContents:
        """Wrap what was read for the wire."""
        data, mime_type = (read.data, read.mime_type) if isinstance(read, Content) else (read, self.mime_type)
        if isinstance(data, bytes):
            from base64 import b64encode

            return mcp.BlobResourceContents(uri=uri, mime_type=mime_type, blob=b64encode(data).decode())
        text = data if isinstance(data, str) else data.model_dump_json(exclude_none=True)
        return mcp.TextResourceContents(uri=uri, mime_type=mime_type, text=text)


@dataclass(frozen=True)
class Prompt:
    """A way to start a conversation, offered to the person."""

    name: str
    title: str
    description: str
    fields: Mapping[str, FieldInfo]
    function: Callable[..., str]

    @property
    def definition(self) -> mcp.Prompt:
        """What `prompts/list` publishes."""
        arguments = [
            mcp.PromptArgument(name=name, description=about.description, required=about.is_required())
            for name, about in self.fields.items()
        ]
        return mcp.Prompt(name=self.name, title=self.title, description=self.description, arguments=arguments)


def declared_resource(
    uri: str,
    title: str,
    function: Callable[..., Awaitable[Any]],
    mime_type: str,
    completers: Mapping[str, Completer[C]],
) -> Resource[C]:
    """Check and make a resource; every part of the address is a parameter, and the docstring describes it."""
    parts = re.findall(r"\{\+?(\w+)\}", uri)
    parameters = list(inspect.signature(function).parameters)[1:]
    if parts != parameters:
        raise TypeError(f"The resource {uri} has the parts {parts}, and its function takes {parameters}.")
    return Resource(uri, title, function.__name__, _described(function), function, mime_type, completers)


def declared_prompt(title: str, function: Callable[..., str]) -> Prompt:
    """Check and make a prompt from a function's name, docstring and annotations."""
    hints = get_type_hints(function, include_extras=True)
    fields = {
        name: FieldInfo.from_annotated_attribute(hints[name], parameter.default)
        if parameter.default is not inspect.Parameter.empty
        else FieldInfo.from_annotation(hints[name])
        for name, parameter in inspect.signature(function).parameters.items()
    }
    for name, about in fields.items():
        if not about.description:
            raise TypeError(f"The argument {name} of the prompt {function.__name__} has no description.")
    return Prompt(function.__name__, title, _described(function), fields, function)


def _described(function: Callable[..., Any]) -> str:
    if not function.__doc__:
        raise TypeError(f"{function.__name__} has no docstring: say what it gives.")
    return " ".join(inspect.cleandoc(function.__doc__).split())


def _pattern(uri: str) -> str:
    pattern = ""
    for literal, plus, name in re.findall(r"([^{]*)(?:\{(\+?)(\w+)\})?", uri):
        pattern += re.escape(literal) + (f"(?P<{name}>{'.+' if plus else '[^/]+'})" if name else "")
    return pattern
