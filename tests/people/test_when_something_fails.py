"""What a team's server needs does not answer: people are told so, and nothing of theirs is left lying about."""

import sqlite3
from collections.abc import AsyncGenerator, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import anyio
import httpx2
import pytest
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from tests.kit.serving.exchange import ACCEPT, INITIALIZE, in_session  # pyright: ignore[reportPrivateImportUsage]
from tests.kit.serving.processes import deadline
from tests.people.raw import Raw
from tests.people.team import deployed, log_in_at_nextcloud, submit
from tests.people.web import plain

from aboveboard.kit.people import serving
from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio
WHO = "/ocs/v2.php/cloud/user"


@dataclass
class Faulty:
    """A Nextcloud that answers some requests with an error."""

    sandbox: Sandbox
    errors: dict[str, int] = field(default_factory=dict[str, int])

    async def app(self, scope: Scope, receive: Receive, send: Send) -> None:
        inner: ASGIApp = self.sandbox.app
        status = self.errors.get(scope.get("path", ""))
        await (inner if status is None else Response(status_code=status))(scope, receive, send)

    def dump(self) -> dict[str, Any]:
        return self.sandbox.dump()


@pytest.fixture
def nextcloud(sandbox: Sandbox) -> Faulty:
    return Faulty(sandbox)


@pytest.fixture
async def raw(nextcloud: Faulty, tmp_path: Path) -> AsyncGenerator[Raw]:
    async with deployed(cast("Any", nextcloud), str(tmp_path / "db"), tmp_path) as team, plain() as http:
        yield Raw(team, http)


@contextmanager
def without(folder: Path, *tables: str) -> Generator[None]:
    """Take tables away from under a running server."""
    db = sqlite3.connect(folder / "db", timeout=60)
    for table in tables:
        db.execute(f"ALTER TABLE {table} RENAME TO {table}_away")
    yield
    for table in tables:
        db.execute(f"ALTER TABLE {table}_away RENAME TO {table}")
    db.close()


async def finishing(raw: Raw, browser: httpx2.AsyncClient) -> str:
    """Let bob do all but look at the waiting page once more, and return where that is."""
    await raw.register()
    page = await browser.get(raw.authorize_url(), follow_redirects=True)
    await submit(browser, page, ("decision", "allow"))
    waiting = await browser.get(f"{page.url}/wait")
    await log_in_at_nextcloud(browser, waiting, "bob")
    raw.team.clock.now += 2
    return str(waiting.url)


@pytest.mark.parametrize("fault", ["service", "store"])
async def test_a_credential_that_cannot_be_kept_is_deleted_at_the_service(
    raw: Raw, nextcloud: Faulty, tmp_path: Path, fault: str
) -> None:
    before = passwords(nextcloud)
    async with raw.team.browser() as browser:
        waiting = await finishing(raw, browser)
        assert passwords(nextcloud) != before
        if fault == "service":
            nextcloud.errors[WHO] = 500
            told = await browser.get(waiting)
        else:
            with without(tmp_path, "sessions"):
                told = await browser.get(waiting)
    assert told.status_code == 502
    assert "This did not work" in told.text
    assert passwords(nextcloud) == before


async def test_a_credential_that_the_service_turns_down_at_once_is_not_even_sent_to_be_deleted(
    raw: Raw, nextcloud: Faulty
) -> None:
    async with raw.team.browser() as browser:
        waiting = await finishing(raw, browser)
        nextcloud.errors[WHO] = 401
        raw.team.arrived.clear()
        told = await browser.get(waiting)
    assert told.status_code == 502
    assert [one.url.path for one in raw.team.arrived if "authorization" in one.headers] == [WHO]


def passwords(nextcloud: Faulty) -> set[str]:
    return {key for key in nextcloud.dump() if "/app_passwords/" in key}


async def test_without_its_database_a_server_says_so_to_people_and_to_programs(raw: Raw, tmp_path: Path) -> None:
    tokens = await raw.signed_in("bob")
    with without(tmp_path, "sessions", "tokens"):
        page = await raw.http.get(f"{raw.team.url}/account")
        refreshed = await raw.refresh(tokens["refresh_token"])
        called = await raw.call(tokens["access_token"])
    assert [answer.status_code for answer in (page, refreshed, called)] == [503] * 3
    assert "This server cannot reach its own database." in page.text
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert "its own database" in refreshed.json()["error_description"]
    assert (await raw.call(tokens["access_token"])).status_code == 200


async def test_a_stream_of_which_nobody_can_tell_whether_its_grant_is_there_is_closed(
    raw: Raw, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    tokens = await raw.signed_in("bob")
    bearer = {"authorization": f"Bearer {tokens['access_token']}"}
    opened = await raw.http.post(f"{raw.team.url}/mcp", json=INITIALIZE, headers={**ACCEPT, **bearer})
    session = in_session(opened.headers["mcp-session-id"]) | bearer
    with anyio.fail_after(deadline()):
        async with raw.http.stream("GET", f"{raw.team.url}/mcp", headers=session) as stream:
            assert stream.status_code == 200
            with without(tmp_path, "tokens"):
                async for _ in stream.aiter_bytes():
                    pass
    assert "Traceback" not in caplog.text


async def test_a_defect_in_tidying_up_ends_no_server(
    nextcloud: Faulty, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(serving, "TIDIED_EVERY", 0.01)
    async with deployed(cast("Any", nextcloud), str(tmp_path / "db"), tmp_path) as team, plain() as http:
        db = sqlite3.connect(tmp_path / "db", timeout=60)
        with db:
            db.execute("INSERT INTO persons VALUES ('p', 'http://nextcloud', 'bob', 'Bob', 1.0)")
            db.execute("INSERT INTO grants VALUES ('g', 'p', 'c', 'C', '', 'no such mode', 'r', x'', 0, 0, NULL, 1, 1)")
        db.close()
        with anyio.fail_after(deadline()):
            while "A defect beside the calls" not in caplog.text:  # noqa: ASYNC110 (a log sets no event)
                await anyio.sleep(0.01)
        assert (await http.get(f"{team.url}/healthz")).status_code == 200
