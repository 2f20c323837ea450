"""Every case of the plan, arranged once and called in several ways, each as if there had been no other.

As the plan has it, with UUIDs in upper case, with names in their place; and where no project is named, by servers that
have another default or none. What the first of these sends shows which endpoints the client uses.
"""

import re
from collections.abc import Awaitable, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any, Final

import anyio
import mcp_types as mcp
import pytest
from tests.lightdash import places
from tests.lightdash.analyst import MISSING, Prompt, TwoProjects, analyst
from tests.lightdash.calls import FIRST, VALUES
from tests.lightdash.endpoints import SIGN_IN, assert_known, assert_plain, exercise_the_rest, noting_calls
from tests.lightdash.naming import by_name
from tests.lightdash.sessions import TOOLS, Session, Watched, connected, raw_path, serving, text_of
from tests.lightdash.templates import template_of, templates
from tests.plans import arrange, good_cases
from tests.undoing import undone

from aboveboard.audit.verify.plan import Case
from aboveboard.lightdash.client.name_lookup import KINDS
from aboveboard.lightdash.sandbox import Sandbox

UUID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
# In the plan the others name a project of their own, beside the default one.
OF_DEFAULT: Final = [
    case
    for case in FIRST.values()
    if "project_uuid" in TOOLS[case.tool].load().fields and "project_uuid" not in case.arguments
]
# A server that ran the query knows its labels and its address, and another one only the rows.
REMEMBERED: Final = ("get_query_result",)
LOOKED_FOR: Final = {"GET /api/v1/health", "GET /api/v1/org/projects"}
Arguments = dict[str, Any]


@dataclass
class Walk:
    """What the calls of all cases came to."""

    service: Watched
    """What the server behind the first calls sent."""
    methods: set[str]
    called: set[str]
    """Of the client's resources: all methods, and those that were called."""
    failed: list[str] = field(default_factory=list[str])
    told_apart: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    """Calls that were answered otherwise than the plan's own, by the way in which they were made."""
    tried: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    """The tools, or the parameters, with which each way was tried."""
    asking: set[str] = field(default_factory=set[str])
    guessing: dict[str, str] = field(default_factory=dict[str, str])
    """Where several projects could be meant: the tools that ask for one, and what the others say."""


class Walker:
    """Goes through all cases, with servers that differ in the project which they take for meant."""

    def __init__(self, sandbox: Sandbox, walk: Walk) -> None:
        self._sandbox, self._walk = sandbox, walk
        self._two = TwoProjects(sandbox)

    async def go(self) -> None:
        """Arrange each case and call it in all ways."""
        async with AsyncExitStack() as stack:
            self._main = await stack.enter_async_context(analyst(self._walk.service))
            self._preview = await stack.enter_async_context(analyst(self._sandbox, project=places.PREVIEW))
            self._anywhere = await stack.enter_async_context(connected(serving(self._sandbox)))
            self._nowhere = await stack.enter_async_context(connected(self._two))
            # What other programs send is not among what arrives from ours.
            past_it = Session(self._main.client, serving(self._sandbox), self._main.prefix)
            for case in good_cases("lightdash"):
                arguments = await arrange(past_it, case, VALUES)
                await self._case(case, arguments)
                self._sandbox.reset()
        await exercise_the_rest(self._walk.service)

    async def _case(self, case: Case, arguments: Arguments) -> None:
        usual = await self._undone(self._main.call(case.tool, **arguments))
        if usual.is_error:
            self._walk.failed.append(f"{case.tool} ({case.name}): {text_of(usual)}")
        shouted = {name: in_upper_case(value) for name, value in arguments.items()}
        if shouted != arguments:
            await self._compare("in upper case", case, usual, self._main, shouted, {case.tool})
        names = await by_name(self._main, case.tool, arguments)
        if names:
            await self._compare("by name", case, usual, self._main, arguments | names, set(names))
        if case in OF_DEFAULT:
            named = {**arguments, "project_uuid": places.MAIN}
            await self._compare("named", case, usual, self._preview, named, {case.tool})
            await self._compare("the only one", case, usual, self._anywhere, arguments, {case.tool})
            await self._call_where_several_could_be_meant(case.tool, arguments)

    async def _compare(
        self, way: str, case: Case, usual: mcp.CallToolResult, session: Session, given: Arguments, tried: set[str]
    ) -> None:
        """Make a call in another way, and note whether its answer is another one."""
        answer = await self._undone(session.call(case.tool, **given))
        forgotten = session is not self._main and case.tool in REMEMBERED
        if text_of(answer) != text_of(usual) and not forgotten:
            self._walk.told_apart.setdefault(way, []).append(f"{case.tool} ({case.name}): {text_of(answer)}")
        self._walk.tried.setdefault(way, set()).update(tried)

    async def _call_where_several_could_be_meant(self, tool: str, arguments: Arguments) -> None:
        self._two.arrived.clear()
        result = await self._undone(self._nowhere.call(tool, **arguments))
        if text_of(result) == MISSING and set(self._two.lines) <= LOOKED_FOR:
            self._walk.asking.add(tool)
        elif result.is_error or not arguments.keys() & {"chart", "dashboard", "item"}:
            self._walk.guessing[tool] = text_of(result)

    async def _undone(self, call: Awaitable[mcp.CallToolResult]) -> mcp.CallToolResult:
        with undone(self._sandbox):
            return await call


@pytest.fixture(scope="module")
def walk() -> Iterator[Walk]:
    """Go through all cases once, in an edition that has all there is."""
    sandbox = Sandbox(enterprise=True, soft_delete=True)
    with pytest.MonkeyPatch.context() as patch:
        walk = Walk(Prompt(sandbox), *noting_calls(patch))
        anyio.run(Walker(sandbox, walk).go)
    yield walk
    sandbox.close()


def test_every_case_succeeds(walk: Walk) -> None:
    assert walk.failed == []


@pytest.mark.surprise(18)
def test_a_uuid_in_upper_case_is_the_same_uuid(walk: Walk) -> None:
    assert walk.told_apart.get("in upper case", []) == []
    assert len(walk.tried["in upper case"]) > 80


def test_every_tool_answers_a_name_as_it_answers_the_uuid(walk: Walk) -> None:
    assert walk.told_apart.get("by name", []) == []
    assert walk.tried["by name"] == KINDS.keys()


def test_a_project_that_is_named_is_meant_and_where_none_is_the_default(walk: Walk) -> None:
    assert walk.told_apart.get("named", []) == []
    assert len(walk.tried["named"]) > 100


def test_without_a_default_the_only_project_that_is_no_preview_is_meant(walk: Walk) -> None:
    assert walk.told_apart.get("the only one", []) == []
    assert len(walk.tried["the only one"]) > 100


def test_where_several_could_be_meant_the_error_names_them_and_nothing_else_is_asked(walk: Walk) -> None:
    assert walk.guessing.keys() == {"list_admin_agent_threads"}  # those of all projects
    assert len(walk.asking) > 60


@pytest.mark.surprise(7, 15, 19, 75)
def test_every_template_and_method_is_exercised_and_no_endpoint_is_deprecated_or_unknown(walk: Walk) -> None:
    arrived = walk.service.arrived
    for request in arrived:
        assert_plain(request)
    assert [raw_path(request) for request in arrived if template_of(raw_path(request)) is None] == []
    assert {template_of(raw_path(request)) for request in arrived} == templates() - SIGN_IN
    assert walk.methods - walk.called == set()
    assert len(walk.methods) > len(TOOLS)
    assert_known(arrived)


def in_upper_case(value: Any) -> Any:
    """Write what is a UUID in another way."""
    return value.upper() if isinstance(value, str) and UUID.fullmatch(value) else value
