"""Where tools are declared: a plain async function, a title, an effect, and an example of what it answers."""

import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar, get_args, get_type_hints, overload

from mcp_types import CallToolResult, InputRequiredResult
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from aboveboard.effects import Effect
from aboveboard.kit.arguments import Arguments
from aboveboard.kit.call import Call
from aboveboard.kit.definitions import (
    EXAMPLE,
    Completer,
    PromptDefinition,
    ResourceDefinition,
    Section,
    ToolDefinition,
    ToolFunction,
)
from aboveboard.kit.library import Read, declared_prompt, declared_resource
from aboveboard.kit.schema import object_schema, result_schema

C = TypeVar("C")
C_contra = TypeVar("C_contra", contravariant=True)
P = ParamSpec("P")
R = TypeVar("R", bound=BaseModel)
Raw = CallToolResult | InputRequiredResult
AnswerT = TypeVar("AnswerT")
ReadT = TypeVar("ReadT", bound=Callable[..., Awaitable[Read]])
PromptT = TypeVar("PromptT", bound=Callable[..., str])


class Declaration(Protocol[C, AnswerT]):
    """A decorator for functions that take the client first, or the call where they need no client."""

    @overload
    def __call__(
        self, function: Callable[Concatenate[C, P], Awaitable[AnswerT]], /
    ) -> Callable[Concatenate[C, P], Awaitable[AnswerT]]: ...
    @overload
    def __call__(
        self, function: Callable[Concatenate[Call, P], Awaitable[AnswerT]], /
    ) -> Callable[Concatenate[Call, P], Awaitable[AnswerT]]: ...


class Toolset(Section, Generic[C]):
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
        super().__init__(area, title=title, icon=icon, prefix=prefix, app=app, default=default)
        self.tools: list[ToolDefinition[C]] = []
        self.resources: list[ResourceDefinition[C]] = []
        self.prompts: list[PromptDefinition] = []

    @overload
    def tool(
        self,
        title: str,
        effect: Effect,
        /,
        *,
        example: R,
        core: bool = False,
        aliases: Sequence[str] = (),
        view: str | None = None,
    ) -> Declaration[C, R]: ...
    @overload
    def tool(
        self, title: str, effect: Effect, /, *, core: bool = False, aliases: Sequence[str] = ()
    ) -> Declaration[C, Any]: ...
    def tool(
        self,
        title: str,
        effect: Effect,
        /,
        *,
        example: BaseModel | None = None,
        core: bool = False,
        aliases: Sequence[str] = (),
        view: str | None = None,
    ) -> Callable[[Callable[..., Awaitable[Any]]], Callable[..., Awaitable[Any]]]:
        """Declare a tool; the function's name, docstring and annotations are what it publishes, and an example, if any.

        `core` marks one of the service's most used tools, for clients that can take only a few. `aliases` are the names
        that the tool had before, without the prefix: who knows only those can still call it, and is told the new one.
        `view` is the address of a resource of this toolset: the page that shows the answers, where a client can.
        """

        def declare(function: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
            made = _declared(self, title, effect, function, example)
            self.tools.append(replace(made, core=core, aliases=tuple(aliases), view=view))
            return function

        return declare

    def resource(
        self,
        uri: str,
        title: str,
        /,
        *,
        mime_type: str = "application/json",
        area: str | None = None,
        completers: Mapping[str, Completer[C]] | None = None,
    ) -> Callable[[ReadT], ReadT]:
        """Declare a resource: its address, and a function that reads it and takes the address's parts.

        `area` names the area whose data it shows, where that is another than the toolset's own.
        """

        def declare(function: ReadT) -> ReadT:
            made = declared_resource(
                uri,
                title,
                function,
                mime_type=mime_type,
                area=area or self.area,
                toolset=self,
                completers=completers or {},
            )
            self.resources.append(made)
            return function

        return declare

    def prompt(
        self, title: str, /, *, completers: Mapping[str, Completer[C]] | None = None, tools: Sequence[str] = ()
    ) -> Callable[[PromptT], PromptT]:
        """Declare a prompt: a function that writes the person's first message, and which tools that speaks of."""

        def declare(function: PromptT) -> PromptT:
            self.prompts.append(declared_prompt(title, function, self, completers or {}, tools))
            return function

        return declare


def _declared(
    toolset: Section,
    title: str,
    effect: Effect,
    function: Callable[..., Awaitable[Any]],
    example: BaseModel | None,
) -> ToolDefinition[Any]:
    name = function.__name__
    hints = get_type_hints(function, include_extras=True)
    first, *parameters = inspect.signature(function).parameters.values()
    result = _result(name, hints.get("return"), example)
    if not function.__doc__ or not function.__doc__.strip():
        raise TypeError(f"The tool {name} has no docstring: say what happens and what is lost.")
    call_parameter = next((parameter.name for parameter in parameters if hints.get(parameter.name) is Call), None)
    fields = {
        parameter.name: _field(name, parameter.name, parameter.default, hints.get(parameter.name))
        for parameter in parameters
        if parameter.name != call_parameter
    }
    loaded = ToolFunction[Any](
        function=function,
        arguments=Arguments(name, fields),
        result=result,
        example=example,
        call_parameter=call_parameter,
        takes_client=hints.get(first.name) is not Call,
    )
    return ToolDefinition(
        name=name,
        title=title,
        effect=effect,
        toolset=toolset,
        description=_description(function.__doc__, example),
        input_schema=object_schema(fields, closed=True),
        output_schema=None if result is None else result_schema(result),
        load=lambda: loaded,
    )


def _description(words: str, example: BaseModel | None) -> str:
    summary = " ".join(inspect.cleandoc(words).split())
    return summary if example is None else f"{summary}{EXAMPLE}{example.model_dump_json(exclude_none=True)}"


def _result(tool: str, hint: Any, example: BaseModel | None) -> type[BaseModel] | None:
    if hint in (Raw, *get_args(Raw)):
        if example is not None:
            raise TypeError(f"The tool {tool} answers raw content, and has an example that nothing checks.")
        return None
    if not (isinstance(hint, type) and issubclass(hint, BaseModel)):
        raise TypeError(f"The tool {tool} does not say what it answers: annotate it with a model.")
    if example is not None and type(example) is not hint:
        raise TypeError(f"The tool {tool} answers a {hint.__name__}, and its example is something else.")
    return hint


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
