"""`python -m benchmarks.people`: what a team's server holds in memory for many people, beside one.

Everyone has a grant and a token in the store, signs in to nothing, and calls a tool over HTTP as clients of 2026 do;
then everyone opens a session as older clients do, which the server keeps until it is idle for long. Server, sandbox and
client share a process, so what is printed is a ceiling.
"""

import argparse
import gc
import platform
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import anyio
import httpx2

from aboveboard.kit.mode import Mode
from aboveboard.kit.people import tokens
from aboveboard.kit.people.adapter import Identity
from aboveboard.kit.people.grants import Grant
from aboveboard.kit.people.rights import Rights, Scopes
from aboveboard.kit.people.serving import open_people, people_app
from aboveboard.kit.people.settings import PeopleSettings
from aboveboard.kit.people.sign_in_mode import SignInMode
from aboveboard.kit.serving.web import WebSettings
from aboveboard.nextcloud.sandbox import Sandbox
from aboveboard.nextcloud.server import SERVICE
from aboveboard.nextcloud.settings import Place
from aboveboard.nextcloud.sign_in import NextcloudSignIn
from benchmarks.messages import INITIALIZE, MODERN, call

TARGET: Final = 150
"""Megabytes that a thousand people may cost beyond one."""
URL: Final = "http://127.0.0.1:3100"
TOOL: Final = "nc_notes_list_notes"
ACCEPT: Final = {"accept": "application/json, text/event-stream"}


def main() -> None:
    """Read the arguments, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.people", description=__doc__)
    parser.add_argument("--people", type=int, default=1000)
    with TemporaryDirectory() as folder:
        anyio.run(_measured, Path(folder), parser.parse_args().people)


async def _measured(folder: Path, count: int) -> None:
    settings = PeopleSettings(
        mode=SignInMode.CONNECT,
        public_url=URL,
        store=str(folder / "db"),
        store_keys=str(folder / "keys"),
        calls_a_minute=9999,
    )
    sandbox = Sandbox()
    sign_in = NextcloudSignIn(Place("http://nextcloud", "http://nextcloud"), httpx2.ASGITransport(sandbox.app))
    given = await _grants(settings, sign_in, count)
    async with _served(settings, sign_in) as http:
        await _call(http, given[0])
        await _open_session(http, given[0])
        one, begun = _megabytes(), time.process_time()
        for token in given[1:]:
            await _call(http, token)
        called, spent = _megabytes(), time.process_time() - begun
        for token in given[1:]:
            await _open_session(http, token)
        sessions = _megabytes()
    print(f"Python {platform.python_version()}, {count} people, each with a grant and a token of their own")
    print(f"one person                            {one:6.1f} MB")
    print(f"all have called a tool                {called:6.1f} MB  (+{called - one:.1f}, target +{TARGET})")
    print(f"and hold a session of the older era   {sessions:6.1f} MB  (+{sessions - one:.1f}, target +{TARGET})")
    print(f"CPU for a first call                  {spent / (count - 1) * 1000:6.1f} ms, sandbox included")


async def _grants(settings: PeopleSettings, sign_in: NextcloudSignIn, count: int) -> list[str]:
    """Let everyone grant everything; the sandbox knows them all by the same password."""
    people = open_people(SERVICE, sign_in, settings, Scopes({}))
    credential = {"login": "admin", "password": Sandbox.users["admin"]}
    rights = Rights(frozenset({"write"}), Mode.FULL)
    made = [
        await people.add(Identity(f"person{number}", f"Person {number}"), credential, rights, ("c", "Claude"), keep=1)
        for number in range(count)
    ]

    def issued(db: Any, grant: Grant) -> str:
        return tokens.issue(db, grant, time.time()).access

    given = [await people.store.write(lambda db, grant=grant: issued(db, grant)) for grant in made]
    people.store.close()
    return given


@asynccontextmanager
async def _served(settings: PeopleSettings, sign_in: NextcloudSignIn) -> AsyncGenerator[httpx2.AsyncClient]:
    async def ready() -> None: ...

    app = people_app(SERVICE, sign_in, settings, WebSettings(), ready=ready)
    async with (
        app.router.lifespan_context(app),
        httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url=URL, timeout=60) as http,
    ):
        yield http


async def _call(http: httpx2.AsyncClient, token: str) -> None:
    routing = {"mcp-protocol-version": MODERN, "mcp-method": "tools/call", "mcp-name": TOOL}
    headers = {**ACCEPT, **routing, "authorization": f"Bearer {token}"}
    answer = await http.post("/mcp", json=call(TOOL, 1, MODERN), headers=headers)
    if answer.status_code != 200 or b'"isError":true' in answer.content:
        raise SystemExit(answer.text)


async def _open_session(http: httpx2.AsyncClient, token: str) -> None:
    answer = await http.post("/mcp", json=INITIALIZE, headers={**ACCEPT, "authorization": f"Bearer {token}"})
    if "mcp-session-id" not in answer.headers:
        raise SystemExit(answer.text)


def _megabytes() -> float:
    gc.collect()
    resident = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmRSS"))
    return int(resident.split()[1]) / 1024


if __name__ == "__main__":
    main()
