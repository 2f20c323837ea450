"""AI agents: refused by the open edition, there with a licence."""

from collections.abc import AsyncIterator

import pytest
from tests.lightdash.sandbox.choices import MAIN, PREVIEW, PROJECT, Person, facts, person

from aboveboard.lightdash.sandbox import Sandbox

pytestmark = pytest.mark.anyio

AGENTS = f"{PROJECT}/aiAgents"
NEW: dict[str, object] = {
    "name": "Till",
    "description": None,
    "projectUuid": MAIN,
    "version": 2,
    "userAccess": [],
    "integrations": [],
    "tags": None,
    "instruction": "Be brief.",
    "imageUrl": None,
    "groupAccess": [],
    "spaceAccess": [],
    "enableDataAccess": True,
    "enableSelfImprovement": False,
}


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    made = Sandbox(enterprise=True)
    yield made
    made.close()


async def hired(admin: Person) -> str:
    return f"{AGENTS}/{(await admin.ask('POST', AGENTS, NEW))['uuid']}"


async def test_the_open_edition_has_no_agents_and_says_so() -> None:
    sandbox = Sandbox()
    async with person(sandbox) as admin:
        for path in (AGENTS, f"{AGENTS}/{MAIN}/threads", f"{AGENTS}/{MAIN}/evaluations"):
            status, text = await admin.refused("GET", path)
            assert (status, "aiAgentService" in text) == (422, True)
        assert (await admin.refused("POST", AGENTS, NEW))[0] == 422
        assert (await admin.ask("GET", "/api/v1/health"))["license"]["valid"] is False
    assert not [key for key in facts(sandbox) if key.startswith("agents/")]
    sandbox.close()


async def test_an_agent_is_made_changed_listed_and_removed(sandbox: Sandbox) -> None:
    async with person(sandbox) as admin:
        agent = await hired(admin)
        made = await admin.ask("GET", agent)
        changed = await admin.ask("PATCH", agent, {"uuid": made["uuid"], "instruction": "Be kind."})
        assert (changed["name"], changed["instruction"]) == ("Till", "Be kind.")
        assert [one["uuid"] for one in await admin.ask("GET", AGENTS)] == [made["uuid"]]
        assert [one["uuid"] for one in await admin.ask("GET", "/api/v1/aiAgents/admin/agents")] == [made["uuid"]]
        wrong_project = agent.replace(MAIN, PREVIEW)
        assert (await admin.refused("GET", wrong_project))[0] == 404
        await admin.ask("DELETE", agent)
        assert (await admin.refused("GET", agent))[0] == 404
    assert not [key for key in facts(sandbox) if made["uuid"] in key]


async def test_an_answer_depends_on_the_prompt_and_is_the_same_each_time(sandbox: Sandbox) -> None:
    answers: list[str] = []
    async with person(sandbox) as admin:
        agent = await hired(admin)
        for prompt in ("How is trade?", "How is trade?", "Any refunds?"):
            thread = await admin.ask("POST", f"{agent}/threads", {"prompt": prompt})
            assert thread["firstMessage"]["message"] == prompt
            answers.append((await admin.ask("POST", f"{agent}/threads/{thread['uuid']}/generate"))["response"])
    assert answers[0] == answers[1] != answers[2]
    assert "Any refunds?" in answers[2]


async def test_a_thread_keeps_prompts_and_answers_in_their_order(sandbox: Sandbox) -> None:
    async with person(sandbox) as admin:
        agent = await hired(admin)
        thread = f"{agent}/threads/{(await admin.ask('POST', f'{agent}/threads', {'prompt': 'One?'}))['uuid']}"
        await admin.ask("POST", f"{thread}/generate")
        second = await admin.ask("POST", f"{thread}/messages", {"prompt": "Two?"})
        await admin.ask("POST", f"{thread}/generate")
        await admin.ask("PATCH", f"{thread}/messages/{second['uuid']}/feedback", {"humanScore": 1})
        assert (await admin.ask("POST", f"{thread}/generate-title"))["title"] == "One?"
        found = await admin.ask("GET", thread)
        listed = await admin.ask("GET", "/api/v1/aiAgents/admin/threads?page=1&pageSize=5")
        await admin.ask("DELETE", thread)
        assert (await admin.refused("GET", thread))[0] == 404
    assert [message["role"] for message in found["messages"]] == ["user", "assistant", "user", "assistant"]
    assert found["messages"][3]["humanScore"] == 1
    assert listed["data"]["threads"][0]["feedbackSummary"]["upvotes"] == 1
    assert listed["pagination"]["totalResults"] == 1


async def test_threads_belong_to_who_began_them(sandbox: Sandbox) -> None:
    async with person(sandbox) as admin, person(sandbox, "editor") as editor, person(sandbox, "viewer") as viewer:
        agent = await hired(admin)
        thread = f"{agent}/threads/{(await editor.ask('POST', f'{agent}/threads', {'prompt': 'Mine?'}))['uuid']}"
        assert (await viewer.refused("GET", thread))[0] == 403
        assert await viewer.ask("GET", f"{agent}/threads") == []
        assert len(await admin.ask("GET", f"{agent}/threads?allUsers=true")) == 1
        assert (await viewer.refused("POST", AGENTS, NEW))[0] == 403
        assert (await viewer.refused("GET", "/api/v1/aiAgents/admin/threads"))[0] == 403
    async with person(sandbox, "other-org") as stranger:
        assert (await stranger.refused("GET", thread))[0] == 403


async def test_an_evaluation_runs_every_prompt_and_judges_the_answers(sandbox: Sandbox) -> None:
    prompts = [{"prompt": "Is it Monday?", "expectedResponse": "monday"}, {"prompt": "Hello", "expectedResponse": None}]
    async with person(sandbox) as admin:
        agent = await hired(admin)
        made = await admin.ask("POST", f"{agent}/evaluations", {"title": "Days", "prompts": prompts})
        evaluation = f"{agent}/evaluations/{made['evalUuid']}"
        longer = await admin.ask(
            "POST", f"{evaluation}/append", {"prompts": [{"prompt": "Rain?", "expectedResponse": "snow"}]}
        )
        assert [one["prompt"] for one in longer["prompts"]] == ["Is it Monday?", "Hello", "Rain?"]
        run = await admin.ask("POST", f"{evaluation}/run")
        done = await admin.ask("GET", f"{evaluation}/runs/{run['runUuid']}")
        renamed = await admin.ask("PATCH", evaluation, {"title": "Weather"})
        runs = await admin.ask("GET", f"{evaluation}/runs?page=1&pageSize=1")
        await admin.ask("DELETE", evaluation)
        assert await admin.ask("GET", f"{agent}/evaluations") == []
    assert (run["status"], done["status"]) == ("pending", "completed")
    assert (done["passedAssessments"], done["failedAssessments"]) == (1, 1)
    assert [bool(one["assessment"]) for one in done["results"]] == [True, False, True]
    assert (renamed["title"], len(renamed["prompts"])) == ("Weather", 3)
    assert runs["data"]["runs"][0]["runUuid"] == run["runUuid"]


async def test_hiding_agents_is_a_setting_of_the_organisation(sandbox: Sandbox) -> None:
    settings = "/api/v1/aiAgents/admin/settings"
    async with person(sandbox) as admin:
        assert (await admin.ask("GET", settings))["aiAgentsVisible"] is True
        assert (await admin.ask("PATCH", settings, {"aiAgentsVisible": False}))["aiAgentsVisible"] is False
        assert (await admin.ask("GET", settings))["aiAgentsVisible"] is False
