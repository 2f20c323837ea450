"""The credential of a grant: renewed once and never lost on the way, and not sent again once it is dead."""

import gc
import weakref
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import anyio
import httpx2
import pytest
from tests.kit.serving.processes import deadline
from tests.people.lightdash import LightdashSignIn, Place
from tests.people.stores import keys, with_tables
from tests.people.team import BACKEND, Clock, Recorded
from tests.people.team import Place as AtNextcloud

from aboveboard.errors import ApiError, Failure
from aboveboard.http.retry import ATTEMPTS
from aboveboard.http.session import TIMEOUT
from aboveboard.kit.people import grants, tokens
from aboveboard.kit.people.adapter import Credential, Identity, Opened, SignedOut, SignIn
from aboveboard.kit.people.credentials import CLAIM
from aboveboard.kit.people.grants import Grant
from aboveboard.kit.people.limits import Limits
from aboveboard.kit.people.people import NOTED_EVERY, GrantHolder, People
from aboveboard.kit.people.pool import Pool
from aboveboard.kit.people.rights import Rights, Scopes
from aboveboard.kit.people.store import Store
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.sandbox import Sandbox
from aboveboard.nextcloud.sign_in import NextcloudSignIn

pytestmark = pytest.mark.anyio


class Shop(httpx2.AsyncBaseTransport):
    """A Lightdash that takes its time over a refresh token, and takes each once."""

    def __init__(self) -> None:
        self.asked, self.may_answer = anyio.Event(), anyio.Event()
        self.spent: list[str] = []
        self.users = 0
        self.down = False

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        if request.url.path == "/api/v1/user":
            self.users += 1
            return httpx2.Response(401)
        token = parse_qs((await request.aread()).decode())["refresh_token"][0]
        self.asked.set()
        await self.may_answer.wait()
        if self.down:
            return httpx2.Response(500)
        if token in self.spent:
            return httpx2.Response(401, json={"error": "Invalid grant: refresh token is invalid"})
        self.spent.append(token)
        return httpx2.Response(200, json={"access_token": "fresh", "refresh_token": f"after {token}"})


@asynccontextmanager
async def serving(sign_in: SignIn[Any], folder: Path, clock: Clock) -> AsyncGenerator[tuple[People, Pool[Any]]]:
    """Open a store of people, and the pool of their clients."""
    store = Store(with_tables(folder / "people.db"))
    people = People(store, keys(), sign_in, Scopes({}), title="It", origin="https://mcp", path="/mcp", clock=clock)
    pool = Pool(sign_in, Limits())
    yield people, pool
    await pool.aclose()
    store.close()


async def granted(people: People, credential: dict[str, Any]) -> Grant:
    return await people.add(Identity("ada", "Ada"), credential, Rights(frozenset({"read"})), ("c", "C"), keep=1)


async def current(people: People, grant: Grant) -> Grant:
    found = await people.store.read(lambda db: grants.find(db, grant.id))
    assert found is not None
    return found


async def test_a_call_that_is_called_off_while_a_credential_is_renewed_loses_nothing(tmp_path: Path) -> None:
    shop, clock = Shop(), Clock()
    async with serving(LightdashSignIn(Place(BACKEND, BACKEND), shop, clock=clock), tmp_path, clock) as (people, _):
        grant = await granted(people, {"client_id": "x", "token": "old", "refresh": "r", "expires": clock.now})
        with anyio.fail_after(deadline()):
            async with anyio.create_task_group() as calls:
                calls.start_soon(people.credentials.usable, grant)
                await shop.asked.wait()
                calls.cancel_scope.cancel()
                shop.may_answer.set()
        assert shop.spent == ["r"]
        kept = await people.credentials.usable(await current(people, grant))
        assert (kept["token"], kept["refresh"]) == ("fresh", "after r")


async def test_a_service_that_fails_to_renew_a_credential_is_asked_again_by_the_next_call(tmp_path: Path) -> None:
    shop, clock = Shop(), Clock()
    shop.may_answer.set()
    sign_in = LightdashSignIn(Place(BACKEND, BACKEND), shop, clock=clock)
    async with serving(sign_in, tmp_path, clock) as (people, _):
        grant = await granted(people, {"client_id": "x", "token": "old", "refresh": "r", "expires": clock.now})
        shop.down = True
        with pytest.raises(ApiError, match="500"):
            await people.credentials.usable(grant)
        shop.down = False
        assert (await people.credentials.usable(await current(people, grant)))["token"] == "fresh"


async def test_nobody_else_renews_a_credential_for_as_long_as_a_service_may_take_to_answer() -> None:
    connect, read = TIMEOUT.connect or 0.0, TIMEOUT.read or 0.0
    assert ATTEMPTS * connect + read < CLAIM


async def test_a_credential_that_was_turned_down_and_renewed_meanwhile_signs_nobody_out(tmp_path: Path) -> None:
    shop, clock = Shop(), Clock()
    shop.may_answer.set()
    async with serving(LightdashSignIn(Place(BACKEND, BACKEND), shop, clock=clock), tmp_path, clock) as (people, _):
        old = {"client_id": "x", "token": "old", "refresh": "r", "expires": clock.now + 300}
        grant = await granted(people, old)
        slow = GrantHolder(people, grant)
        clock.now += 290
        await people.credentials.usable(grant)
        assert await slow.turned_down(old) is None
        assert (await current(people, grant)).dead is None
        fresh = await people.credentials.usable(await current(people, grant))
        assert await slow.turned_down(fresh) is not None
        assert (await current(people, grant)).dead is not None
        assert shop.users == 2, "Lightdash is asked once more each time"


async def test_a_request_that_was_let_in_before_a_credential_turned_out_dead_does_not_send_it_again(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    arrived: list[httpx2.Request] = []
    sign_in = NextcloudSignIn(AtNextcloud(BACKEND, BACKEND), Recorded(sandbox.app, arrived))
    async with serving(sign_in, tmp_path, Clock()) as (people, pool):
        grant = await granted(people, {"login": "bob", "password": "no longer his"})
        for _ in range(3):
            with pytest.raises(SignedOut):
                async with pool.lend(GrantHolder(people, grant)) as client:
                    await client.notes.list()
        assert len(arrived) == 1


async def test_a_credential_that_turns_out_dead_after_its_person_was_forgotten_is_no_defect(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    sign_in = NextcloudSignIn(AtNextcloud(BACKEND, BACKEND), httpx2.ASGITransport(sandbox.app))
    async with serving(sign_in, tmp_path, Clock()) as (people, pool):
        grant = await granted(people, {"login": "bob", "password": Sandbox.users["bob"]})

        async def call() -> None:
            async with pool.lend(GrantHolder(people, grant)) as client:
                await people.forget(grant.person, "ada")
                await client.notes.list()

        with pytest.raises(SignedOut):
            await call()


async def test_of_a_client_with_one_id_on_all_devices_the_newest_grants_stay(sandbox: Sandbox, tmp_path: Path) -> None:
    clock, arrived = Clock(), list[httpx2.Request]()
    sign_in = NextcloudSignIn(AtNextcloud(BACKEND, BACKEND), Recorded(sandbox.app, arrived))
    made: list[Grant] = []
    async with serving(sign_in, tmp_path, clock) as (people, _):
        for number in range(5):
            clock.now += 1
            credential = {"login": "bob", "password": f"of device {number}"}
            rights = Rights(frozenset({"read"}))
            made.append(await people.add(Identity("bob", "Bob"), credential, rights, ("c", "C"), keep=3))
        left = await people.everyone()
    assert [one.id for one in left] == [one.id for one in made[2:]]
    assert len(arrived) == 2, "the credentials of the others were given back"


async def test_a_client_that_has_to_go_while_calls_use_it_is_closed_when_the_last_of_them_ended(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[NextcloudClient] = []

    async def aclose(client: NextcloudClient) -> None:
        closed.append(client)

    monkeypatch.setattr(NextcloudClient, "aclose", aclose)
    sign_in = NextcloudSignIn(AtNextcloud(BACKEND, BACKEND), httpx2.ASGITransport(sandbox.app))
    async with serving(sign_in, tmp_path, Clock()) as (people, _):
        pool = Pool(sign_in, Limits(), most=1)
        credential, rights = {"login": "bob", "password": Sandbox.users["bob"]}, Rights(frozenset({"read"}))
        one, another = [
            GrantHolder(people, await people.add(Identity("bob", "Bob"), credential, rights, (name, name), keep=1))
            for name in ("one", "another")
        ]
        async with pool.lend(one) as client:
            async with pool.lend(one) as same, pool.lend(another):
                assert same is client
            assert closed == []
            assert (await client.account.user()).id == "bob"
        assert closed == [client]


async def test_of_the_clients_that_nobody_uses_the_one_that_waited_longest_goes(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    sign_in = NextcloudSignIn(AtNextcloud(BACKEND, BACKEND), httpx2.ASGITransport(sandbox.app))
    async with serving(sign_in, tmp_path, Clock()) as (people, _):
        pool, made = Pool(sign_in, Limits(), most=2), list[weakref.ref[Any]]()
        credential, rights = {"login": "bob", "password": Sandbox.users["bob"]}, Rights(frozenset({"read"}))
        holders = [
            GrantHolder(people, await people.add(Identity("bob", "Bob"), credential, rights, (name, name), keep=1))
            for name in ("one", "two", "three")
        ]
        for turn in (0, 1, 0, 2):
            async with pool.lend(holders[turn]) as client:
                made.append(weakref.ref(client))
                del client
        gc.collect()
        assert [one() is not None for one in made] == [True, False, True, True]
        assert made[0]() is made[2]()


class Lent:
    """A client that says of which credential it was made, and when it is closed."""

    turned_down = False

    def __init__(self, password: str, closed: list[str]) -> None:
        self.password, self._closed = password, closed

    async def aclose(self) -> None:
        self._closed.append(self.password)


class Counted(NextcloudSignIn):
    """Knows which of its clients were closed."""

    def __init__(self) -> None:
        super().__init__(AtNextcloud(BACKEND, BACKEND), httpx2.MockTransport(lambda _: httpx2.Response(200)))
        self.closed: list[str] = []

    def open(self, credential: Credential) -> Opened[Any]:
        client = Lent(credential["password"], self.closed)
        return Opened(client, client)

    async def end(self, credential: Credential) -> None:
        """Leave it: there is no service."""


async def test_of_a_renewed_credential_a_client_is_made_and_the_old_one_closed_when_it_comes_back(
    tmp_path: Path,
) -> None:
    sign_in = Counted()
    async with serving(sign_in, tmp_path, Clock()) as (people, pool):
        grant = await granted(people, {"login": "bob", "password": "old"})
        async with pool.lend(GrantHolder(people, grant)) as old:
            sealed = people.keys.seal({"login": "bob", "password": "new"}, grant.id)
            await people.store.write(lambda db: grants.set_credential(db, grant, sealed))
            async with pool.lend(GrantHolder(people, await current(people, grant))) as new:
                assert (old.password, new.password) == ("old", "new")
                assert sign_in.closed == []
        assert sign_in.closed == ["old"]
    assert sign_in.closed == ["old", "new"]


async def test_a_client_comes_back_from_a_call_that_failed_too_and_is_closed_once_nobody_wants_it(
    tmp_path: Path,
) -> None:
    sign_in = Counted()
    async with serving(sign_in, tmp_path, Clock()) as (people, pool):
        holder = GrantHolder(people, await granted(people, {"login": "bob", "password": "his"}))
        with pytest.raises(Failure, match="No luck"):
            async with pool.lend(holder):
                raise Failure("No luck.")
        assert sign_in.closed == []
        await pool.drop(holder.key)
        assert sign_in.closed == ["his"]


async def test_a_token_that_was_made_just_when_its_credential_turned_out_dead_lets_nobody_in(tmp_path: Path) -> None:
    clock = Clock()
    async with serving(Counted(), tmp_path, clock) as (people, _):
        grant = await granted(people, {"login": "bob", "password": "his"})
        early = await people.store.write(lambda db: tokens.issue(db, grant, clock.now))
        assert await people.verify(early.access) is not None
        await people.store.write(lambda db: grants.mark_dead(db, grant, clock.now))
        late = await people.store.write(lambda db: tokens.issue(db, grant, clock.now))
        assert await people.verify(early.access) is None
        assert await people.verify(late.access) is None


async def test_a_grant_that_is_in_use_is_known_to_be_so_that_it_does_not_end_as_one_that_nobody_needs(
    tmp_path: Path,
) -> None:
    clock = Clock()
    async with serving(Counted(), tmp_path, clock) as (people, _):
        grant = await granted(people, {"login": "bob", "password": "his"})
        pair = await people.store.write(lambda db: tokens.issue(db, grant, clock.now))
        clock.now += NOTED_EVERY + 1
        assert await people.verify(pair.access) is not None
        assert (await current(people, grant)).used == clock.now


async def test_what_is_kept_elsewhere_of_someone_who_is_forgotten_goes_once_more_when_their_grants_are_gone(
    tmp_path: Path,
) -> None:
    left: list[int] = []
    store, sign_in = Store(with_tables(tmp_path / "people.db")), Counted()

    async def forgets(instance: str, principal: str) -> None:
        assert (instance, principal) == (sign_in.instance, "ada")
        left.append(len(await people.everyone()))

    about: dict[str, Any] = {"title": "It", "origin": "https://mcp", "path": "/mcp", "forgets": forgets}
    people = People(store, keys(), sign_in, Scopes({}), **about)
    grant = await granted(people, {"login": "bob", "password": "his"})
    await people.forget(grant.person, "ada")
    assert left == [1, 0]
    store.close()
