"""Every tool of both services, two people, every cache warm: nothing of one is in the other's answers.

Each tool is called by both with the arguments of its plan, on what one of them arranged. What each is told is what a
server of their own tells, which knows nobody else; and no word that only one of them wrote is told to the other, which
a memory that both servers share could bring about.
"""

import json
import re
from pathlib import Path
from typing import Final

import pytest
from tests.people.two import Two, told, two_at_lightdash, two_at_nextcloud
from tests.plans import arrange, good_cases
from tests.sessions import ERAS, Era
from tests.undoing import undone

from aboveboard.audit.verify.plan import Case, ForeignRequest, Step

pytestmark = pytest.mark.anyio
SERVICES: Final = {"nextcloud": two_at_nextcloud, "lightdash": two_at_lightdash}
# What only one of them has in the first state and has not shared, wherever it may stand.
PRIVATE: Final = {
    "admin": {"budget.csv", "old draft.md", "carol@example.org"},
    "bob": {"Nobody else reads this", "Presents", "Salary", "Diary.md", "bicycle"},
    "ada": {"Finance", "Audit"},
    "vera": set[str](),
}
# Here both are told what one of them wrote: a board that a group has, a share that both have, and what everyone in a
# Lightdash may look at.
OF_BOTH: Final = {
    "deck_get_board",
    "nc_share_delete",
    "list_project_agents",
    "get_project_agent",
    "generate_agent_message",
    "get_scheduler",
    "get_sql_chart",
}
# What these tell depends on what the same person did before: documents that are new, a query that was run.
REMEMBERS: Final = {
    *((tool, who) for tool in ("nc_update_search_index", "nc_get_vector_sync_status") for who in ("admin", "bob")),
    ("get_query_result", "ada"),
}


def first_cases(service: str) -> list[Case]:
    """Return one case of each tool."""
    return list({case.tool: case for case in reversed(good_cases(service))}.values())


def written(value: object) -> set[str]:
    """Return the words of all texts in a value that are no everyday ones."""
    return set(re.findall(r"\b[A-ZÄÖÜ]\w{3,}", json.dumps(value, ensure_ascii=False)))


def given(step: Step | ForeignRequest) -> list[object]:
    """Return what a step writes."""
    return [step.json, str(step.content)] if isinstance(step, ForeignRequest) else [dict(step.arguments)]


async def leaks(two: Two, case: Case) -> list[str]:
    """Let both call a tool, and tell what is not as it should be."""
    found: list[str] = []
    with undone(two.sandbox):
        arguments = await arrange(two.one.session, case, two.values)
        hers = written([given(step) for step in case.arrange]) - written(arguments)
        for who, others in ((two.other, PRIVATE[two.one.name] | hers), (two.one, PRIVATE[two.other.name])):
            with undone(two.sandbox):
                here = await told(who.session, case.tool, arguments)
            with undone(two.sandbox):
                alone = await told(who.alone, case.tool, arguments)
            if here != alone and (case.tool, who.name) not in REMEMBERS:
                found.append(f"{case.tool} tells {who.name} {here}, and alone {alone}")
            if case.tool not in OF_BOTH:
                found += [f"{case.tool} tells {who.name} of {word}" for word in others if word in here]
    return found


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("service", SERVICES)
async def test_each_is_told_what_a_server_of_their_own_tells_and_nothing_of_the_other(
    service: str, era: Era, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ABOVEBOARD_SEARCH_INDEX", str(tmp_path / "index"))  # one for all who are served
    monkeypatch.setenv("ABOVEBOARD_MODELS", str(tmp_path))
    cases = first_cases(service)
    assert len(cases) > 130
    found: list[str] = []
    async with SERVICES[service](tmp_path, era) as two:
        for case in cases[ERAS.index(era) :: len(ERAS)]:  # the eras take turns
            found += await leaks(two, case)
    assert found == []
