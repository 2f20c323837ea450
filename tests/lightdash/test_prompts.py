"""Prompts: ways to begin that a person can pick, and that name only tools which are there."""

import re
from typing import Final

import mcp_types as mcp
import pytest
from mcp.shared.exceptions import MCPError
from tests.lightdash.analyst import analyst
from tests.lightdash.sessions import ERAS, TOOLS, Era, Session, serving

from aboveboard.kit.policy import Policy
from aboveboard.lightdash.sandbox import Sandbox
from aboveboard.lightdash.server import SERVICE

pytestmark = pytest.mark.anyio

ARGUMENTS: Final = {
    "explore_question": {"question": True, "project": False},
    "audit_content": {"project": False, "space": False},
    "review_access": {"project": False},
}
QUESTION: Final = "Which café sells most? {0} %s"


@pytest.mark.parametrize("era", ERAS)
async def test_the_prompts_are_for_an_analyst_an_audit_and_a_review_and_describe_themselves(
    sandbox: Sandbox, era: Era
) -> None:
    async with analyst(sandbox, era=era) as session:
        prompts = (await session.client.list_prompts()).prompts
    found = {prompt.name: {one.name: one.required for one in prompt.arguments or []} for prompt in prompts}
    assert found == ARGUMENTS
    for prompt in prompts:
        assert prompt.title
        assert prompt.description
        assert all(argument.description for argument in prompt.arguments or [])


@pytest.mark.parametrize("era", ERAS)
async def test_a_prompt_carries_the_question_and_the_project_as_they_were_given(sandbox: Sandbox, era: Era) -> None:
    service = serving(sandbox)
    async with analyst(service, era=era) as session:
        asked = await text(session, "explore_question", question=QUESTION, project="Corner Shop")
        plain = await text(session, "explore_question", question=QUESTION)
    assert f"{QUESTION} Work in the project Corner Shop.\n" in asked
    assert asked.replace(" Work in the project Corner Shop.", "") == plain
    assert service.arrived == []


@pytest.mark.parametrize(
    ("name", "where"), [("audit_content", "of the project X"), ("review_access", "to the project X")]
)
async def test_what_can_be_left_out_can_be_left_out(sandbox: Sandbox, name: str, where: str) -> None:
    async with analyst(sandbox) as session:
        assert where in await text(session, name, project="X")
        for result in (await session.client.get_prompt(name), await session.client.get_prompt(name, {})):
            assert "project X" not in str(result.messages)
            assert "Change nothing." in str(result.messages)


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("explore_question", {}, "question is required."),
        ("explore_question", None, "question is required."),
        (
            "explore_question",
            {"question": "x", "projct": "y"},
            "explore_question has no parameter 'projct': did you mean",
        ),
        ("audit_content", {"question": "x"}, "audit_content has no parameter 'question'"),
        ("explore_questions", {}, "This server has no prompt 'explore_questions': did you mean 'explore_question'"),
    ],
)
async def test_a_prompt_asked_for_wrongly_is_refused_with_what_is_right(
    sandbox: Sandbox, name: str, arguments: dict[str, str] | None, said: str, era: Era
) -> None:
    async with analyst(sandbox, era=era) as session:
        with pytest.raises(MCPError) as told:
            await session.client.get_prompt(name, arguments)
    assert told.value.error.code == mcp.INVALID_PARAMS
    assert said in told.value.error.message


async def test_prompts_name_only_tools_that_there_are(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        texts = {
            name: await text(session, name, **{"question": "x"} if "question" in given else {})
            for name, given in ARGUMENTS.items()
        }
    declared = {prompt.name: prompt for toolset in SERVICE.toolsets for prompt in toolset.prompts}
    for name, words in texts.items():
        named = set(re.findall(r"\blightdash_tools__(\w+)", words))
        assert named, name
        assert not re.search(r"\b(?:get|list|search|run)_\w+", words), name
        assert named <= TOOLS.keys(), name
        assert named == set(declared[name].tools), name


def test_the_instructions_say_how_to_start_in_under_2000_characters_and_name_only_tools_that_there_are() -> None:
    assert 100 < len(SERVICE.instructions) < 2000
    named = set(re.findall(r"\b(?:get|list|search|run)_\w+", SERVICE.instructions))
    assert named
    assert named <= TOOLS.keys()


@pytest.mark.parametrize("policy", [Policy(), Policy(toolsets=["library"]), Policy(toolsets=["core"])])
async def test_prompts_are_there_wherever_the_library_is(sandbox: Sandbox, policy: Policy) -> None:
    async with analyst(sandbox, policy=policy) as session:
        assert {prompt.name for prompt in (await session.client.list_prompts()).prompts} == ARGUMENTS.keys()


@pytest.mark.parametrize(
    ("excluded", "gone"),
    [
        ("people", {"review_access"}),
        ("review_access", {"review_access"}),
        ("lightdash_tools__search_fields", {"explore_question"}),
        ("spaces", {"audit_content"}),
        ("tags", set[str]()),
    ],
)
async def test_a_prompt_that_speaks_of_an_excluded_tool_is_excluded_with_it(
    sandbox: Sandbox, excluded: str, gone: set[str]
) -> None:
    """Its completions are too, which would tell the names of what is excluded."""
    async with analyst(sandbox, policy=Policy(exclude=[excluded])) as session:
        assert {prompt.name for prompt in (await session.client.list_prompts()).prompts} == ARGUMENTS.keys() - gone
        for name in gone:
            with pytest.raises(MCPError, match="no prompt"):
                await session.client.get_prompt(name, {"question": "How many?"})


async def text(session: Session, name: str, **arguments: str) -> str:
    (message,) = (await session.client.get_prompt(name, arguments)).messages
    assert message.role == "user"
    assert isinstance(message.content, mcp.TextContent)
    return message.content.text


def test_every_argument_of_a_prompt_completes_but_what_people_write_in_their_own_words() -> None:
    silent = {
        (prompt.name, argument)
        for toolset in SERVICE.toolsets
        for prompt in toolset.prompts
        for argument, _, _ in prompt.arguments
        if argument not in prompt.load().completers
    }
    assert silent == {("explore_question", "question")}
