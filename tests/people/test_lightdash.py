"""Signing in at one's own Lightdash, whose tokens end every hour and can be renewed once."""

from collections.abc import AsyncGenerator, Iterator
from pathlib import Path

import anyio
import httpx2
import pytest
from tests.kit.serving.exchange import answer_in
from tests.people.lightdash import Sandbox
from tests.people.raw import Raw
from tests.people.stores import legacy_on_postgres
from tests.people.team import Assistant, Team, deployed
from tests.people.web import plain
from tests.sessions import Era, text_of

pytestmark = pytest.mark.anyio
ADA, VERA = "ada@corner-shop.example", "vera@corner-shop.example"
ME = "lightdash_tools__get_context"


@pytest.fixture
def shop() -> Iterator[Sandbox]:
    fresh = Sandbox()
    yield fresh
    fresh.close()


@pytest.fixture
async def team(shop: Sandbox, address: str, tmp_path: Path) -> AsyncGenerator[Team]:
    async with deployed(shop, address, tmp_path) as deployment:
        yield deployment


@pytest.fixture
async def raw(team: Team) -> AsyncGenerator[Raw]:
    async with plain() as http:
        yield Raw(team, http)


def refreshes(team: Team) -> int:
    return len([one for one in team.arrived if one.url.path.endswith("/token") and b"refresh_token" in one.content])


@legacy_on_postgres
async def test_two_people_act_as_themselves(team: Team, era: Era) -> None:
    async with Assistant(team, ADA).connected(era) as hers, Assistant(team, VERA).connected(era) as others:
        for _ in range(2):
            assert "Ada" in text_of(await hers.call_tool(ME, {}))
            assert "Vera" in text_of(await others.call_tool(ME, {}))
            assert "Ada" not in text_of(await others.call_tool(ME, {}))
        names = {tool.name for tool in (await hers.list_tools()).tools}
        assert {"check_logged_in", "check_provisioning_status"} <= names
        assert not [name for name in names if name.startswith("revoke_")], "who may only look is not shown what ends"


async def test_the_tools_about_signing_in_name_lightdash(team: Team) -> None:
    async with Assistant(team, ADA, (("mode", "full"),)).connected() as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
    assert {"provision_lightdash_access", "revoke_lightdash_access"} <= names


async def test_a_token_is_renewed_before_it_ends_and_once_however_many_calls_wait(raw: Raw) -> None:
    tokens = await raw.signed_in(ADA)
    raw.team.clock.now += 3590
    tokens = (await raw.refresh(tokens["refresh_token"])).json()
    answers: list[httpx2.Response] = []

    async def call() -> None:
        answers.append(await raw.call(tokens["access_token"], "tools/call", name=ME, arguments={}))

    async with anyio.create_task_group() as tasks:
        for _ in range(4):
            tasks.start_soon(call)
    assert not any(answer_in(answer)["result"]["isError"] for answer in answers), answers[0].text
    assert refreshes(raw.team) == 1
    await call()
    assert refreshes(raw.team) == 1


async def test_a_refresh_token_that_lightdash_no_longer_takes_signs_the_person_out(raw: Raw) -> None:
    tokens = await raw.signed_in(ADA)
    raw.team.sandbox._store.run("DELETE FROM oauth_tokens")  # pyright: ignore[reportPrivateUsage]
    raw.team.clock.now += 3590
    tokens = (await raw.refresh(tokens["refresh_token"])).json()
    told = await raw.call(tokens["access_token"], "tools/call", name=ME, arguments={})
    assert "no longer accepts the access" in told.text
    assert (await raw.call(tokens["access_token"], "tools/call", name=ME, arguments={})).status_code == 401
    assert refreshes(raw.team) == 1


async def test_a_client_that_lightdash_no_longer_knows_is_the_operators_to_mend_and_signs_nobody_out(raw: Raw) -> None:
    tokens = await raw.signed_in(ADA)
    raw.team.sandbox._store.run("UPDATE oauth_clients SET secret = 'another'")  # pyright: ignore[reportPrivateUsage]
    raw.team.clock.now += 3590
    tokens = (await raw.refresh(tokens["refresh_token"])).json()
    told = await raw.call(tokens["access_token"], "tools/call", name=ME, arguments={})
    assert "LIGHTDASH_OAUTH_CLIENT_ID" in told.text
    assert (await raw.call(tokens["access_token"])).status_code == 200


async def test_lightdash_is_asked_once_more_before_a_token_that_it_turned_down_counts_as_dead(raw: Raw) -> None:
    tokens = await raw.signed_in(ADA)
    raw.team.sandbox._store.run("UPDATE oauth_tokens SET kind = 'gone' WHERE kind = 'access'")  # pyright: ignore[reportPrivateUsage]
    told = await raw.call(tokens["access_token"], "tools/call", name=ME, arguments={})
    assert "no longer accepts the access" in told.text
    assert [one.url.path for one in raw.team.arrived][-1] == "/api/v1/user", "it was asked once more"


async def test_ending_a_grant_revokes_what_renews_its_token(raw: Raw) -> None:
    tokens = await raw.signed_in(ADA)
    await raw.http.post(f"{raw.team.url}/revoke", data={"token": tokens["access_token"], "client_id": raw.id})
    left = raw.team.sandbox._store.all("SELECT kind FROM oauth_tokens")  # pyright: ignore[reportPrivateUsage]
    assert [row["kind"] for row in left] == ["access"]


async def test_a_lightdash_token_is_no_key_to_this_server(raw: Raw) -> None:
    await raw.signed_in(ADA)
    (row,) = raw.team.sandbox._store.all("SELECT token FROM oauth_tokens WHERE kind = 'access'")  # pyright: ignore[reportPrivateUsage]
    assert (await raw.call(row["token"])).status_code == 401
