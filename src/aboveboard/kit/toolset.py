"""Where tools are declared: a plain async function, a title, an effect, and an example of what it answers."""

import inspect
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, get_args, get_type_hints, overload
from urllib.parse import quote

from mcp_types import CallToolResult, Icon, InputRequiredResult
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from aboveboard.effects import Effect
from aboveboard.kit.arguments import Arguments
from aboveboard.kit.call import Call
from aboveboard.kit.library import Completer, Prompt, Read, Resource, declared_prompt, declared_resource
from aboveboard.kit.schema import Schema, object_schema, result_schema

C = TypeVar("C")
P = ParamSpec("P")
R = TypeVar("R", bound=BaseModel)
Raw = CallToolResult | InputRequiredResult
ReadT = TypeVar("ReadT", bound=Callable[..., Awaitable[Read]])
PromptT = TypeVar("PromptT", bound=Callable[..., str])


@dataclass(frozen=True)
class Tool(Generic[C]):
    """One declared tool: what it says of itself, and the function behind it."""

    name: str
    title: str
    effect: Effect
    toolset: "Toolset[C]"
    function: Callable[..., Awaitable[Any]]
    summary: str
    fields: Mapping[str, FieldInfo]
    result: type[BaseModel] | None
    """What it answers; None for a tool that speaks in raw MCP content."""
    example: BaseModel | None
    core: bool
    call_parameter: str | None

    @property
    def scope(self) -> str:
        """The right a caller needs: `charts.read` or `charts.write`."""
        return f"{self.toolset.area}.{'read' if self.effect.read_only else 'write'}"

    @property
    def description(self) -> str:
        """What happens and what is lost, then an example on one line."""
        if self.example is None:
            return self.summary
        return f"{self.summary}\nExample response: {self.example.model_dump_json(exclude_none=True)}"

    @cached_property
    def input_schema(self) -> Schema:
        """The parameters as a JSON Schema."""
        return object_schema(self.fields, closed=True)

    @cached_property
    def output_schema(self) -> Schema | None:
        """The result as a JSON Schema."""
        return None if self.result is None else result_schema(self.result)

    @cached_property
    def arguments(self) -> Arguments:
        """The check that every call's arguments pass."""
        return Arguments(self.name, self.fields)


class Toolset(Generic[C]):
    """The tools of one area of a service, in the order they are declared."""

    def __init__(
        self,
        area: str,
        *,
        title: str,
        icon: str | None = None,
        prefix: str | None = None,
        app: str | None = None,
        default: bool = True,
    ) -> None:
        """Name the area (scopes are made of it), and give it an icon, if you like: an SVG path on 24 x 24.

        An area that needs an `app` of the service is not there where the app is not installed. An area that few can
        use is not a `default` one: it is there only where the operator names it.
        """
        self.area, self.title, self.prefix, self.app, self.default = area, title, prefix, app, default
        self.icon = None if icon is None else _drawn(icon)
        self.tools: list[Tool[C]] = []
        self.resources: list[Resource[C]] = []
        self.prompts: list[Prompt] = []

    @overload
    def tool(
        self, title: str, effect: Effect, /, *, example: R, core: bool = False
    ) -> Callable[[Callable[Concatenate[C, P], Awaitable[R]]], Callable[Concatenate[C, P], Awaitable[R]]]: ...
    @overload
    def tool(
        self, title: str, effect: Effect, /, *, core: bool = False
    ) -> Callable[[Callable[Concatenate[C, P], Awaitable[R]]], Callable[Concatenate[C, P], Awaitable[R]]]: ...
    def tool(
        self, title: str, effect: Effect, /, *, example: BaseModel | None = None, core: bool = False
    ) -> Callable[[Callable[..., Awaitable[Any]]], Callable[..., Awaitable[Any]]]:
        """Declare a tool; the function's name, docstring and annotations are what it publishes, and an example, if any.

        `core` marks one of the service's most used tools, for clients that can take only a few.
        """

        def declare(function: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
            self.tools.append(_declared(self, title, effect, function, example, core=core))
            return function

        return declare

    def resource(
        self,
        uri: str,
        title: str,
        /,
        *,
        mime_type: str = "application/json",
        completers: Mapping[str, Completer[C]] | None = None,
    ) -> Callable[[ReadT], ReadT]:
        """Declare a resource: its address, and a function that reads it and takes the address's parts."""

        def declare(function: ReadT) -> ReadT:
            self.resources.append(declared_resource(uri, title, function, mime_type, completers or {}))
            return function

        return declare

    def prompt(self, title: str, /) -> Callable[[PromptT], PromptT]:
        """Declare a prompt: a function that writes the person's first message."""

        def declare(function: PromptT) -> PromptT:
            self.prompts.append(declared_prompt(title, function))
            return function

        return declare


def _declared(
    toolset: Toolset[C],
    title: str,
    effect: Effect,
    function: Callable[..., Awaitable[Any]],
    example: BaseModel | None,
    *,
    core: bool,
) -> Tool[C]:
    name = function.__name__
    hints = get_type_hints(function, include_extras=True)
    parameters = list(inspect.signature(function).parameters.values())[1:]  # the first is the client
    result = _result(name, hints.get("return"))
    if result is not None and example is not None and type(example) is not result:
        raise TypeError(f"The tool {name} answers a {result.__name__}, and its example is none.")
    if result is None and example is not None:
        raise TypeError(f"The tool {name} answers raw content, and has an example that nothing checks.")
    if not function.__doc__ or not function.__doc__.strip():
        raise TypeError(f"The tool {name} has no docstring: say what happens and what is lost.")
    call_parameter = next((parameter.name for parameter in parameters if hints.get(parameter.name) is Call), None)
    fields = {
        parameter.name: _field(name, parameter.name, parameter.default, hints.get(parameter.name))
        for parameter in parameters
        if parameter.name != call_parameter
    }
    return Tool(
        name=name,
        title=title,
        effect=effect,
        toolset=toolset,
        function=function,
        summary=" ".join(inspect.cleandoc(function.__doc__).split()),
        fields=fields,
        result=result,
        example=example,
        core=core,
        call_parameter=call_parameter,
    )


def _drawn(icon: str) -> Icon:
    svg = f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'><path d='{icon}'/></svg>"
    return Icon(src="data:image/svg+xml," + quote(svg, safe="/:='"), mime_type="image/svg+xml")


def _result(tool: str, hint: Any) -> type[BaseModel] | None:
    if hint in (Raw, *get_args(Raw)):
        return None
    if isinstance(hint, type) and issubclass(hint, BaseModel):
        return hint
    raise TypeError(f"The tool {tool} does not say what it answers: annotate it with a model.")


def _field(tool: str, parameter: str, default: Any, hint: Any) -> FieldInfo:
    if default is inspect.Parameter.empty:
        field = FieldInfo.from_annotation(hint)
    else:
        field = FieldInfo.from_annotated_attribute(hint, default)
    if not field.description:
        raise TypeError(f"The parameter {parameter} of the tool {tool} has no description: use Field(description=...).")
    if hasattr(BaseModel, parameter):
        raise TypeError(f"The parameter {parameter} of the tool {tool} is named like a part of pydantic: rename it.")
    if field.default is PydanticUndefined and field.default_factory is not None:
        raise TypeError(f"The parameter {parameter} of the tool {tool} has a computed default: publish a plain one.")
    return field
