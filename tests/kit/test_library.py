"""Resources and prompts of any service: how they are declared, what a wrong declaration says, how they are served."""

import base64
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Annotated, Any

import mcp_types as mcp
import pytest
from mcp import Client
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from pydantic import Field
from tests.kit.shop import Shop, ShopClient, Thing, both_eras, service, serving, toolset

from aboveboard.errors import Failure
from aboveboard.kit.call import Call
from aboveboard.kit.caller import Caller, local_caller
from aboveboard.kit.policy import Policy
from aboveboard.kit.server import build_server
from aboveboard.kit.service import BUG, Catalogue
from aboveboard.kit.toolset import Toolset

pytestmark = pytest.mark.anyio

Name = Annotated[str, Field(description="Whose.")]


async def names(shop: ShopClient, typed: str) -> Sequence[str]:
    thing = await shop.send("GET")
    return [thing.name for _ in range(3) if thing.name.lower().startswith(typed)]


async def tones(shop: ShopClient, typed: str, name: str = "somebody") -> Sequence[str]:
    del shop
    return [f"{typed} for {name}"]


def stocked() -> Toolset[ShopClient]:
    """Declare one resource of each kind, and a prompt."""
    tools = toolset("shelf")

    @tools.resource("shop://things/{thing}", "Thing", completers={"thing": names})
    async def one(shop: ShopClient, thing: str) -> Thing:
        """One thing.

        By its name.
        """
        return await shop.send("GET", thing)

    @tools.resource("shop://opening-hours", "Opening Hours", mime_type="text/plain")
    async def hours(shop: ShopClient) -> str:
        """When to come."""
        del shop
        return "Nine to five"

    @tools.resource("shop://files/{+file}", "File", mime_type="application/pdf")
    async def file(shop: ShopClient, file: str) -> bytes:
        """A file, which may lie in folders."""
        del shop
        return file.encode()

    @tools.resource("shop://a.b/{first}/and/{second}", "Pair")
    async def pair(shop: ShopClient, first: str, second: str) -> str:
        """Two parts."""
        del shop
        return f"{first}|{second}"

    @tools.prompt("Say Hello", completers={"name": names, "tone": tones})
    def hello(name: Name, tone: Annotated[str, Field(description="How.", max_length=5)] = "warm") -> str:
        """Greet somebody."""
        return f"Say a {tone} hello to {name}."

    assert all(map(callable, (one, hours, file, pair, hello)))
    return tools


@both_eras
async def test_addresses_with_parts_are_templates_and_others_are_resources(mode: str) -> None:
    async with Client(serving(stocked()), mode=mode) as client:
        (fixed,) = (await client.list_resources()).resources
        templates = (await client.list_resource_templates()).resource_templates
    assert (fixed.uri, fixed.name, fixed.title) == ("shop://opening-hours", "hours", "Opening Hours")
    assert (fixed.description, fixed.mime_type) == ("When to come.", "text/plain")
    first = templates[0]
    assert (first.uri_template, first.name, first.title) == ("shop://things/{thing}", "one", "Thing")
    assert (first.description, first.mime_type) == ("One thing. By its name.", "application/json")
    assert [template.uri_template for template in templates[1:]] == [
        "shop://files/{+file}",
        "shop://a.b/{first}/and/{second}",
    ]


@both_eras
@pytest.mark.parametrize(
    ("uri", "expected"),
    [
        ("shop://opening-hours", "Nine to five"),
        ("shop://things/1", '{"name":"Teapot"}'),
        ("shop://files/a/b%20c.pdf", b"a/b c.pdf"),
        ("shop://files/x", b"x"),
        ("shop://a.b/x%2Fy/and/z", "x/y|z"),
    ],
)
async def test_a_resource_is_read_as_text_or_as_bytes_with_its_parts_decoded(
    mode: str, uri: str, expected: str | bytes
) -> None:
    (content,) = await read(serving(stocked()), uri, mode)
    assert content.uri == uri
    if isinstance(content, mcp.TextResourceContents):
        assert content.text == expected
    else:
        assert base64.b64decode(content.blob) == expected
        assert content.mime_type == "application/pdf"


@both_eras
@pytest.mark.parametrize(
    "uri", ["shop://things/", "shop://things/a/b", "shop://aXb/x/and/y", "shop://opening-hours/1", "shop://a.b/x/and/"]
)
async def test_an_address_must_match_whole_and_its_dots_are_dots(mode: str, uri: str) -> None:
    problem = await refusal(serving(stocked()), uri, mode)
    assert (problem.code, problem.message) == (mcp.INVALID_PARAMS, "There is no such resource here.")


async def test_an_id_in_an_address_is_data_and_reaches_the_service_escaped() -> None:
    shop = Shop()
    await read(serving(stocked(), shop=shop), "shop://things/..%2Fsecrets%3Fx")
    assert shop.arrived[0].url.raw_path == b"/things/..%2Fsecrets%3Fx"
    shop = Shop()
    problem = await refusal(serving(stocked(), shop=shop), "shop://things/%2e%2e")
    assert problem.code == mcp.INVALID_PARAMS
    assert shop.arrived == []


async def test_a_resource_that_tries_to_write_is_stopped_by_the_guard() -> None:
    shop, tools = Shop(), toolset()

    @tools.resource("shop://trap", "Trap")
    async def trap(shop: ShopClient) -> Thing:
        """Looks harmless."""
        return await shop.send("DELETE")

    problem = await refusal(serving(tools, shop=shop), "shop://trap")
    assert trap
    assert problem.code == mcp.INTERNAL_ERROR
    assert "Nothing was sent." in problem.message
    assert shop.arrived == []


async def test_a_completion_that_tries_to_write_is_stopped_by_the_guard() -> None:
    shop, tools = Shop(), toolset()

    async def writing(client: ShopClient, typed: str) -> Sequence[str]:
        return [(await client.send("POST", typed or "1")).name]

    @tools.resource("shop://traps/{trap}", "Trap", completers={"trap": writing})
    async def trap(shop: ShopClient, trap: str) -> str:
        """Looks harmless."""
        raise NotImplementedError

    assert trap
    async with Client(serving(tools, shop=shop)) as client:
        with pytest.raises(MCPError, match="Nothing was sent"):
            await client.complete(
                mcp.ResourceTemplateReference(uri="shop://traps/{trap}"), {"name": "trap", "value": ""}
            )
    assert shop.arrived == []


@both_eras
async def test_a_completion_is_asked_of_the_service_with_what_is_typed(mode: str) -> None:
    reference = mcp.ResourceTemplateReference(uri="shop://things/{thing}")
    async with Client(serving(stocked()), mode=mode) as client:
        some = (await client.complete(reference, {"name": "thing", "value": "tea"})).completion
        none = (await client.complete(reference, {"name": "thing", "value": "x"})).completion
        prompt = (await client.complete(mcp.PromptReference(name="hello"), {"name": "name", "value": "t"})).completion
        unknown = (await client.complete(mcp.PromptReference(name="bye"), {"name": "name", "value": "t"})).completion
    assert (some.values, some.total, some.has_more) == (["Teapot"] * 3, 3, False)
    assert prompt.values == some.values
    assert none.values == unknown.values == []


@pytest.mark.parametrize("there", [99, 100, 101, 250])
async def test_as_many_completions_are_sent_as_the_protocol_takes_and_it_is_told_whether_there_are_more(
    there: int,
) -> None:
    tools = toolset("shelf")

    async def numbers(shop: ShopClient, typed: str) -> Sequence[str]:
        del shop, typed
        return [str(number) for number in range(there)]

    @tools.resource("shop://numbers/{number}", "Number", completers={"number": numbers})
    async def one(shop: ShopClient, number: str) -> str:
        """One number."""
        del shop
        return number

    assert callable(one)
    reference = mcp.ResourceTemplateReference(uri="shop://numbers/{number}")
    async with Client(serving(tools)) as client:
        sent = (await client.complete(reference, {"name": "number", "value": ""})).completion
    assert (len(sent.values), sent.total, sent.has_more) == (min(there, 100), there, there > 100)


@both_eras
async def test_a_completion_is_told_what_was_chosen_for_others_where_it_asks_for_that(mode: str) -> None:
    hello, tone = mcp.PromptReference(name="hello"), {"name": "tone", "value": "warm"}
    async with Client(serving(stocked()), mode=mode) as client:
        alone = await client.complete(hello, tone)
        within = await client.complete(hello, tone, context_arguments={"name": "Ada", "other": "x"})
    assert (alone.completion.values, within.completion.values) == (["warm for somebody"], ["warm for Ada"])


class Nobody:
    """A provider that knows nobody."""

    def __init__(self, problem: Exception) -> None:
        self._problem = problem

    has_many_callers = True

    def caller(self, context: ServerRequestContext[Any, Any]) -> Caller:
        return local_caller(context)

    @asynccontextmanager
    async def lease(self, call: Call) -> AsyncGenerator[ShopClient]:
        del call
        raise self._problem
        yield

    async def aclose(self) -> None: ...


@pytest.mark.parametrize(
    ("problem", "said"), [(Failure("Sign in first."), "Sign in first."), (KeyError("a secret"), BUG)]
)
async def test_who_has_no_client_is_told_so_and_nothing_leaks(problem: Exception, said: str) -> None:
    server = build_server(Catalogue(service(stocked()), Policy()), Nobody(problem))
    reference = mcp.ResourceTemplateReference(uri="shop://things/{thing}")
    async with Client(server) as client:
        with pytest.raises(MCPError) as reading:
            await client.read_resource("shop://things/1")
        with pytest.raises(MCPError) as completing:
            await client.complete(reference, {"name": "thing", "value": ""})
    assert [reading.value.error.message, completing.value.error.message] == [said, said]


@both_eras
async def test_a_prompt_is_listed_with_its_arguments_and_written_with_their_values(mode: str) -> None:
    async with Client(serving(stocked()), mode=mode) as client:
        (prompt,) = (await client.list_prompts()).prompts
        short = await client.get_prompt("hello", {"name": "Ada"})
        cool = await client.get_prompt("hello", {"name": "Ada", "tone": "cool"})
    assert (prompt.name, prompt.title, prompt.description) == ("hello", "Say Hello", "Greet somebody.")
    assert [(one.name, one.description, one.required) for one in prompt.arguments or []] == [
        ("name", "Whose.", True),
        ("tone", "How.", False),
    ]
    assert short.description == "Greet somebody."
    assert [said(result) for result in (short, cool)] == ["Say a warm hello to Ada.", "Say a cool hello to Ada."]


@both_eras
@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({}, "name is required."),
        ({"name": "Ada", "tone": "freezing"}, "tone must have at most 5 characters."),
        ({"name": "Ada", "nmae": "Bob"}, "hello has no parameter 'nmae': did you mean 'name'?"),
    ],
)
async def test_arguments_of_a_prompt_are_checked_like_those_of_a_tool(
    mode: str, arguments: dict[str, str], problem: str
) -> None:
    async with Client(serving(stocked()), mode=mode) as client:
        with pytest.raises(MCPError) as told:
            await client.get_prompt("hello", arguments)
    assert (told.value.error.code, told.value.error.message) == (mcp.INVALID_PARAMS, problem)


@both_eras
async def test_a_service_without_resources_and_prompts_does_not_claim_to_have_them(mode: str) -> None:
    async with Client(serving(toolset()), mode=mode) as client:
        assert client.server_capabilities.resources is None
        assert client.server_capabilities.prompts is None
        assert client.server_capabilities.tools is not None
    async with Client(serving(stocked()), mode=mode) as client:
        assert client.server_capabilities.resources is not None
        assert client.server_capabilities.prompts is not None


@pytest.mark.parametrize(
    "policy", [Policy(exclude=["shelf"]), Policy(toolsets=["things"]), Policy(toolsets=["core"], exclude=["shelf"])]
)
async def test_an_area_that_is_switched_off_takes_its_resources_and_prompts_along(policy: Policy) -> None:
    async with Client(serving(stocked(), toolset("things"), policy=policy)) as client:
        assert client.server_capabilities.resources is None
        for ask in (client.list_resources, client.list_prompts):
            with pytest.raises(MCPError):
                await ask()


def declaring(uri: str) -> Callable[[Callable[..., Awaitable[Any]]], object]:
    return toolset().resource(uri, "Thing")


def test_every_part_of_an_address_is_a_parameter_in_its_order() -> None:
    async def one(shop: ShopClient, thing: str) -> str:
        """One."""
        raise NotImplementedError

    async def swapped(shop: ShopClient, second: str, first: str) -> str:
        """Two."""
        raise NotImplementedError

    assert declaring("shop://things/{thing}")(one)
    assert declaring("shop://things/{+thing}")(one)
    for uri, function, parts in (
        ("shop://things/{id}", one, "has the parts ['id'], and its function takes ['thing']"),
        ("shop://things", one, r"has the parts [], and its function takes ['thing']"),
        ("shop://{thing}/{more}", one, "has the parts ['thing', 'more'], and its function takes ['thing']"),
        ("shop://{first}/{second}", swapped, "takes ['second', 'first']"),
    ):
        with pytest.raises(TypeError) as wrong:
            declaring(uri)(function)
        assert parts in str(wrong.value)


def test_a_resource_and_a_prompt_must_say_what_they_give() -> None:
    async def silent(shop: ShopClient) -> str:
        raise NotImplementedError

    def mute() -> str:
        raise NotImplementedError

    with pytest.raises(TypeError, match="silent has no docstring: say what it gives"):
        declaring("shop://silent")(silent)
    with pytest.raises(TypeError, match="mute has no docstring: say what it gives"):
        toolset().prompt("Mute")(mute)


def test_every_argument_of_a_prompt_must_be_described() -> None:
    def bare(name: str) -> str:
        """Greet."""
        raise NotImplementedError

    def empty(name: Annotated[str, Field(description="")] = "x") -> str:
        """Greet."""
        raise NotImplementedError

    for function in (bare, empty):
        with pytest.raises(TypeError, match=f"The argument name of the prompt {function.__name__} has no description."):
            toolset().prompt("Greet")(function)


async def read(
    server: Server[None], uri: str, mode: str = "auto"
) -> Sequence[mcp.TextResourceContents | mcp.BlobResourceContents]:
    async with Client(server, mode=mode) as client:
        return (await client.read_resource(uri)).contents


async def refusal(server: Server[None], uri: str, mode: str = "auto") -> mcp.ErrorData:
    async with Client(server, mode=mode) as client:
        with pytest.raises(MCPError) as told:
            await client.read_resource(uri)
    return told.value.error


def said(result: mcp.GetPromptResult) -> str:
    (message,) = result.messages
    assert isinstance(message.content, mcp.TextContent)
    return message.content.text
