"""What each tool says it does, it does: the sandbox's state before a call, after it, and after the same call again."""

from dataclasses import dataclass
from typing import Any, cast

import httpx2
import pytest
from tests.lightdash.samples import GOOD, SAMPLED, Known
from tests.lightdash.sessions import connected, facts, serving

from aboveboard.effects import Effect
from aboveboard.lightdash.sandbox import Sandbox

pytestmark = pytest.mark.anyio

Facts = dict[str, object]
MAIN = "1a000000-0000-4000-8000-000000000001"
CONTENT = ("spaces/", "charts/", "dashboards/")
SALES, WEEKLY, ARCHIVE = (f"2a000000-0000-4000-8000-{number:012d}" for number in (1, 2, 3))

# What the sandbox cannot show of a tool, and which words of its effect it therefore seems to contradict.
UNSEEN: dict[str, list[str]] = {
    # The entry in the trash is gone because what it stood for is back in its place: nothing is lost.
    "restore_content": ["destructive"],
    # The query has ended by then and is left alone; stopping one that runs is shown in test_queries.
    "cancel_query": ["read_only", "destructive"],
    # The file is kept apart from what the sandbox counts as state; each call writes another one.
    "export_query": ["read_only", "idempotent"],
    # The sandbox's dbt project never changes, so reading it anew replaces its models by the same ones.
    "refresh_project": ["read_only", "destructive"],
    # What it does is done elsewhere: each call is one more mail.
    "send_scheduler_now": ["read_only", "idempotent"],
    # An agent with content tools can change charts; the sandbox's agent only talks.
    "generate_agent_message": ["destructive"],
    "continue_agent_thread": ["destructive"],
    "run_agent_evaluation": ["destructive"],
}


@dataclass(frozen=True)
class Seen:
    """The state before a call, after it, and after its repetition."""

    before: Facts
    once: Facts
    twice: Facts

    @property
    def lost(self) -> list[str]:
        """What was there and is gone or replaced; an empty place that was filled is no loss."""
        return [
            key
            for key, value in self.before.items()
            if not _is_empty(value) and (key not in self.once or not _stays(value, self.once[key]))
        ]

    def contradicts(self, effect: Effect) -> list[str]:
        """Say which words of an effect this is not the behaviour of."""
        observed = {
            "read_only": self.once == self.before and self.twice == self.before,
            "destructive": bool(self.lost),
            "idempotent": self.twice == self.once,
        }
        return [word for word, value in observed.items() if getattr(effect, word) != value]


@pytest.mark.parametrize("tool", SAMPLED)
async def test_the_effect_a_tool_declares_is_the_one_it_has(sandbox: Sandbox, tool: str) -> None:
    async with connected(serving(sandbox)) as session:
        arguments = GOOD[tool](await Known.learnt(session, tool))
        before = facts(sandbox)
        await session.ask(tool, **arguments)
        once = facts(sandbox)
        await session.call(tool, **arguments)
        seen = Seen(before, once, facts(sandbox))
    assert seen.contradicts(SAMPLED[tool].effect) == UNSEEN.get(tool, []), f"lost {seen.lost}"


async def test_a_tool_that_only_reads_sends_only_requests_that_read(sandbox: Sandbox) -> None:
    service = serving(sandbox)
    async with connected(service) as session:
        for name, tool in SAMPLED.items():
            if tool.effect.read_only:
                arguments = GOOD[name](await Known.learnt(session, name))
                service.arrived.clear()
                await session.ask(name, **arguments)
                sent = {request.method for request in service.arrived if not _asks(request)}
                assert sent <= {"GET"}, name


def _asks(request: httpx2.Request) -> bool:
    """Tell whether a POST only asks something: queries are submitted so, and read afterwards."""
    return request.method == "POST" and ("/query/" in request.url.path or request.url.path.endswith("/compileQuery"))


async def test_creating_a_space_adds_its_facts_alone_and_the_same_call_adds_another_of_that_name(
    sandbox: Sandbox,
) -> None:
    before = facts(sandbox)
    async with connected(serving(sandbox)) as session:
        first = await session.ask("create_space", project_uuid=MAIN, name="Büro 📈")
        once = facts(sandbox)
        second = await session.ask("create_space", project_uuid=MAIN, name="Büro 📈")
    added = {key: value for key, value in facts(sandbox).items() if key not in before}
    assert before.items() <= once.items() <= facts(sandbox).items()
    assert first["uuid"] != second["uuid"]
    assert all(first["uuid"] in key or second["uuid"] in key for key in added)
    assert [added[f"spaces/{space['uuid']}/name"] for space in (first, second)] == ["Büro 📈"] * 2
    # Private unless said otherwise, as the description promises.
    assert added[f"spaces/{first['uuid']}/inherits"] is False
    assert not first["inherit_parent_permissions"]


@pytest.mark.parametrize(
    ("change", "changed"),
    [
        ({"name": "Sold"}, {"name": "Sold"}),
        ({"inherit_permissions": False}, {"inherits": False}),
        ({"name": "Sold", "inherit_permissions": False}, {"name": "Sold", "inherits": False}),
        ({"name": "Sales"}, {}),
    ],
)
async def test_updating_a_space_changes_what_was_asked_for_and_nothing_else(
    sandbox: Sandbox, change: dict[str, Any], changed: dict[str, Any]
) -> None:
    before = facts(sandbox)
    async with connected(serving(sandbox)) as session:
        answer = await session.ask("update_space", project_uuid=MAIN, space_uuid=SALES, **change)
        once = facts(sandbox)
        assert await session.ask("update_space", project_uuid=MAIN, space_uuid=SALES, **change) == answer
    assert once == before | {f"spaces/{SALES}/{field}": value for field, value in changed.items()}
    assert facts(sandbox) == once
    assert answer["uuid"] == SALES


async def test_deleting_a_space_takes_along_all_that_is_in_it_and_a_second_call_is_an_error_that_changes_nothing(
    sandbox: Sandbox,
) -> None:
    before = facts(sandbox)
    inside = {SALES, WEEKLY, ARCHIVE}
    content = {
        key.split("/")[1]
        for key, value in before.items()
        if key.startswith(CONTENT) and key.endswith("/space") and value in inside
    }
    async with connected(serving(sandbox)) as session:
        answer = await session.ask("delete_space", project_uuid=MAIN, space_uuid=SALES)
        once = facts(sandbox)
        text = await session.refusal("delete_space", project_uuid=MAIN, space_uuid=SALES)
    assert answer == {"uuid": SALES, "name": "Sales"}
    gone = before.keys() - once.keys()
    assert {key.split("/")[1] for key in gone if key.startswith(CONTENT)} == inside | content
    assert len(content) > 5
    assert once.keys() <= before.keys()
    # A dashboard elsewhere keeps its tile of a chart that is gone, and the tile no longer names it.
    emptied = {key: value for key, value in once.items() if before[key] != value}
    assert all(key.startswith("tiles/") and key.endswith("/chart") and value is None for key, value in emptied.items())
    assert SALES in text
    assert facts(sandbox) == once


def _is_empty(value: object) -> bool:
    return value is None or value is False or value in ("", [])


def _stays(value: object, now: object) -> bool:
    """Tell whether nothing of a value is lost: it is the same, or a list that gained elements."""
    if isinstance(value, list) and isinstance(now, list):
        return all(one in now for one in cast("list[object]", value))
    return value == now
