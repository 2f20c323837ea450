"""What a team's server does beside its calls: for everyone in turn, with their own credential, as long as granted."""

import base64
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from tests.kit.serving.exchange import answer_in  # pyright: ignore[reportPrivateImportUsage]
from tests.kit.serving.processes import deadline
from tests.people.raw import Raw
from tests.people.stores import keys, with_tables
from tests.people.team import BACKEND, Recorded, Team, deployed
from tests.people.web import plain

from aboveboard.errors import Failure
from aboveboard.kit.caller import Caller
from aboveboard.kit.mode import Mode
from aboveboard.kit.people.adapter import Identity
from aboveboard.kit.people.grants import Grant, everyone, find, mark_dead, set_used
from aboveboard.kit.people.limits import Limits
from aboveboard.kit.people.people import People
from aboveboard.kit.people.pool import Pool
from aboveboard.kit.people.rights import Rights, Scopes
from aboveboard.kit.people.rounds import AT_ONCE, Rounds
from aboveboard.kit.people.store import Store
from aboveboard.kit.upkeep import Upkeep
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.sandbox import Sandbox
from aboveboard.nextcloud.server import SERVICE
from aboveboard.nextcloud.settings import Place
from aboveboard.nextcloud.sign_in import NextcloudSignIn
from aboveboard.nextcloud.tools.search import people as searching

pytestmark = pytest.mark.anyio
EVERYTHING = Rights(frozenset({"read"}), Mode.READ_ONLY)
AREAS = {"notes": "Notes", "files": "Files", "semantic": "Search"}
Look = Callable[[NextcloudClient, Caller, float], Awaitable[None]]


@dataclass
class Deployment:
    """People and their grants, without the HTTP around them."""

    people: People
    pool: Pool[NextcloudClient]
    arrived: list[httpx2.Request]

    async def joined(self, who: str, rights: Rights = EVERYTHING, password: str | None = None) -> Grant:
        """Let someone grant something."""
        credential = {"login": who, "password": password or Sandbox.users.get(who, "none")}
        return await self.people.add(Identity(who, who), credential, rights, (f"client of {who}", who), keep=5)

    async def once(self, look: Look, **more: Any) -> None:
        """Go round once."""

        async def forget(instance: str, principal: str) -> None: ...

        upkeep = Upkeep(area="semantic", is_wanted=lambda: True, look=look, forget=forget, **more)
        await Rounds(self.people, self.pool, upkeep, watched_every=0.01).once()


@pytest.fixture
async def deployment(sandbox: Sandbox, tmp_path: Path) -> AsyncGenerator[Deployment]:
    store = Store(with_tables(tmp_path / "people.db"))
    arrived: list[httpx2.Request] = []
    sign_in = NextcloudSignIn(Place(BACKEND, BACKEND), Recorded(sandbox.app, arrived))
    people = People(store, keys(), sign_in, Scopes(AREAS), title="Nextcloud", origin="https://mcp", path="/mcp")
    pool = Pool(sign_in, Limits())
    yield Deployment(people, pool, arrived)
    await pool.aclose()
    store.close()


async def test_each_person_gets_one_turn_with_their_own_credential_and_what_their_clients_may_read(
    deployment: Deployment,
) -> None:
    await deployment.joined("admin")
    await deployment.joined("bob", Rights(frozenset({"semantic.read", "notes.read"}), Mode.READ_ONLY))
    seen: dict[str, Caller] = {}

    async def look(client: NextcloudClient, caller: Caller, seconds: float) -> None:
        assert seconds == 7
        assert await client.principal() not in seen
        seen[await client.principal()] = caller

    await deployment.once(look, budget=7)
    assert {who: caller.subject for who, caller in seen.items()} == {"admin": "admin", "bob": "bob"}
    assert seen["admin"].holds("files.read")
    assert seen["bob"].holds("notes.read")
    assert not seen["bob"].holds("files.read")


async def test_nobody_gets_a_turn_whose_grants_ended_or_do_not_cover_it(deployment: Deployment) -> None:
    ended, dead = await deployment.joined("admin"), await deployment.joined("bob")
    await deployment.joined("carol", Rights(frozenset({"notes.read"}), Mode.READ_ONLY))
    await deployment.people.end(ended, "for a test")
    await deployment.people.store.write(lambda db: mark_dead(db, dead, 1.0))
    seen: list[str] = []

    async def look(client: NextcloudClient, caller: Caller, seconds: float) -> None:
        seen.append(caller.subject)

    deployment.arrived.clear()
    await deployment.once(look)
    assert seen == []
    assert deployment.arrived == []


async def test_of_someone_whose_grants_are_dead_in_part_the_others_alone_count(deployment: Deployment) -> None:
    few = Rights(frozenset({"semantic.read", "notes.read"}), Mode.READ_ONLY)
    alive, dead = await deployment.joined("bob", few), await deployment.joined("bob")
    await deployment.people.store.write(lambda db: set_used(db, dead.id, alive.used + 60))
    await deployment.people.store.write(lambda db: mark_dead(db, dead, 1.0))
    seen: list[Caller] = []

    async def look(client: NextcloudClient, caller: Caller, seconds: float) -> None:
        seen.append(caller)

    await deployment.once(look)
    [caller] = seen
    assert caller.grant == alive.id
    assert caller.holds("notes.read")
    assert not caller.holds("files.read")


async def test_a_turn_ends_with_the_grant_that_it_lives_on(deployment: Deployment) -> None:
    grant = await deployment.joined("bob")
    ends: list[str] = []

    async def look(client: NextcloudClient, caller: Caller, seconds: float) -> None:
        await deployment.people.end(grant, "the person ended it")
        try:
            await anyio.sleep_forever()
        finally:
            ends.append("called off")

    with anyio.fail_after(deadline()):
        await deployment.once(look)
    assert ends == ["called off"]


async def test_whoever_has_endless_work_or_fails_keeps_no_one_else_waiting(
    deployment: Deployment, caplog: pytest.LogCaptureFixture
) -> None:
    names = [f"person{number}" for number in range(3 * AT_ONCE)]
    for name in names:
        await deployment.joined(name)
    turns: list[str] = []
    together = anyio.Event()
    at_once = most = 0

    async def look(client: NextcloudClient, caller: Caller, seconds: float) -> None:
        nonlocal at_once, most
        turns.append(caller.subject)
        at_once += 1
        most = max(most, at_once)
        if at_once == AT_ONCE:
            together.set()
        await together.wait()  # nobody's first turn ends before as many are there as may be
        await anyio.sleep(0.001)  # all of the budget
        at_once -= 1
        if caller.subject == "person3":
            raise Failure("The database of the search index cannot be used.")
        if caller.subject == "person5":
            raise ZeroDivisionError

    with anyio.fail_after(deadline()):
        await deployment.once(look)
    assert sorted(turns) == sorted(names)
    assert most == AT_ONCE
    assert "The database of the search index cannot be used." in caplog.text
    await deployment.once(look)
    assert sorted(turns) == sorted(names * 2)


async def test_a_credential_that_the_service_turns_down_is_sent_once_and_then_dead(deployment: Deployment) -> None:
    grant = await deployment.joined("bob", password="no longer his")

    async def look(client: NextcloudClient, caller: Caller, seconds: float) -> None:
        for _ in range(3):
            with pytest.raises(Failure):
                await client.notes.list()

    await deployment.once(look)
    await deployment.once(look)
    assert len(deployment.arrived) == 1
    current = await deployment.people.store.read(lambda db: find(db, grant.id))
    assert current is not None
    assert current.dead is not None


async def test_indexes_of_two_people_stay_fresh_in_a_running_server_and_one_who_is_forgotten_loses_theirs(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = tmp_path / "index"
    monkeypatch.setenv("ABOVEBOARD_SEARCH_INDEX", str(index))
    monkeypatch.setenv("ABOVEBOARD_MODELS", str(tmp_path))
    monkeypatch.setattr(searching, "QUIET", 0.0)
    upkeep: Any = SERVICE.upkeep
    service = replace(SERVICE, upkeep=replace(upkeep, first=0.01, every=0.1))
    people = str(tmp_path / "people.db")
    async with deployed(sandbox, people, tmp_path, service=service) as team, plain() as http:
        hers, his = Raw(team, http), Raw(team, http)
        tokens = {"admin": await hers.signed_in("admin"), "bob": await his.signed_in("bob")}
        for name, raw in (("admin", hers), ("bob", his)):
            assert not await _found(raw, tokens[name], "notes")  # whoever searches, wants to find
        team.arrived.clear()
        assert await _until(lambda: _found(hers, tokens["admin"], "porridge")) == ["Porridge"]
        assert await _until(lambda: _found(his, tokens["bob"], "presents")) == ["Presents"]
        assert not await _found(his, tokens["bob"], "porridge")
        assert _owners(team) == {("admin", "admin"), ("bob", "bob")}
        folders = len(list(index.iterdir()))
        store = Store(people)
        bob = next(one for one in store.now_read(lambda db: everyone(db, BACKEND)) if one.principal == "bob")
        sign_in: Any = NextcloudSignIn(Place(BACKEND, BACKEND), httpx2.ASGITransport(sandbox.app))
        operated = People(
            store,
            _keys_of(tmp_path),
            sign_in,
            Scopes({}),
            title="Nextcloud",
            origin="",
            path="",
            forgets=upkeep.forget,
        )
        assert await operated.forget(bob.person, "bob") == [True]
        store.close()
        assert len(list(index.iterdir())) == folders - 1
        assert await _found(hers, tokens["admin"], "porridge") == ["Porridge"]


def _keys_of(folder: Path) -> Any:
    from aboveboard.kit.people.sealing import Keys

    return Keys.read(folder / "keys")


def _owners(team: Team) -> set[tuple[str, str]]:
    """Return whose credential was sent, and whose files were asked for with it."""
    seen: set[tuple[str, str]] = set()
    for request in team.arrived:
        place = request.url.path.partition("/remote.php/dav/files/")[2].partition("/")[0]
        if place:
            sent = request.headers["authorization"].removeprefix("Basic ")
            seen.add((base64.b64decode(sent).decode().partition(":")[0], place))
    return seen


async def _found(raw: Raw, tokens: dict[str, Any], query: str) -> list[str]:
    arguments = {"query": query, "mode": "keyword", "sources": ["note"]}
    answer = await raw.call(tokens["access_token"], "tools/call", name="nc_semantic_search", arguments=arguments)
    return [one["title"] for one in answer_in(answer)["result"]["structuredContent"]["items"]]


async def _until(look: Callable[[], Awaitable[list[str]]]) -> list[str]:
    with anyio.fail_after(deadline()):
        while not (seen := await look()):  # noqa: ASYNC110 (it looks through the protocol)
            await anyio.sleep(0.02)
    return seen
