"""`aboveboard index nextcloud` as a process: it sees what changes, can be stopped and killed, and goes on."""

import random
import signal
import subprocess
import sys
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import pytest
from pydantic import SecretStr
from starlette.types import ASGIApp, Receive, Scope, Send
from tests.kit.serving.processes import Process, environment, started
from tests.people.web import served

from aboveboard import effects
from aboveboard.effects import RUN
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.sandbox import Sandbox
from aboveboard.nextcloud.tools.search.people import person_of
from aboveboard.search.person import Person
from aboveboard.search.settings import SearchSettings

pytestmark = pytest.mark.anyio
INDEX = ("aboveboard", "index", "nextcloud")


class Cloud:
    """A Nextcloud on this machine, and who kills whom at which request."""

    def __init__(self, sandbox: Sandbox, folder: Path) -> None:
        self.sandbox, self.folder, self.url = sandbox, folder, ""
        self.arrived: list[str] = []
        self.victim: tuple[int, subprocess.Popen[Any]] | None = None

    def app(self, url: str) -> ASGIApp:
        self.url = url

        async def passed(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] == "http":
                self.arrived.append(f"{scope['method']} {scope['path']}")
                if self.victim is not None and len(self.arrived) == self.victim[0]:
                    self.victim[1].kill()
            await self.sandbox.app(scope, receive, send)

        return passed

    @property
    def settings(self) -> dict[str, str]:
        return {
            "NEXTCLOUD_HOST": self.url,
            "NEXTCLOUD_USERNAME": "admin",
            "NEXTCLOUD_PASSWORD": Sandbox.users["admin"],
            "ABOVEBOARD_SEARCH_INDEX": str(self.folder / "index"),
            "ABOVEBOARD_MODELS": str(self.folder),
        }

    def client(self, index: str | None = None) -> NextcloudClient:
        """Make a client in this process."""
        place = SearchSettings(index=index or self.settings["ABOVEBOARD_SEARCH_INDEX"], models=self.folder)
        password = SecretStr(Sandbox.users["admin"])
        return NextcloudClient(self.url, "admin", password, search_settings=lambda: place)

    def killed_at(self, request: int) -> int:
        """Index in a process of its own, which is killed when it sends so many requests; return how it ended."""
        self.arrived.clear()
        command = [sys.executable, "-m", *INDEX]
        with subprocess.Popen(command, env=environment(self.settings), stdout=subprocess.DEVNULL) as process:
            self.victim = (request, process)
            ended = process.wait()
            self.victim = None
        return ended


@pytest.fixture
async def cloud(tmp_path: Path) -> AsyncGenerator[Cloud]:
    sandbox = Sandbox()
    made = Cloud(sandbox, tmp_path)
    async with served(made.app):
        yield made
    sandbox.close()


async def said(process: Process, pattern: str) -> None:
    await anyio.to_thread.run_sync(process.wire.wait_for, pattern)


async def contents(person: Person) -> dict[Any, Any]:
    """Return all that an index holds."""
    index: Any = (await person._reading()).index  # pyright: ignore[reportPrivateUsage]
    return {
        (source, key): (one.entry, None if (text := index.stored(source, key)) is None else text.text)
        for source in person.sources
        for key, one in index.known(source).items()
    }


async def test_one_that_watches_sees_an_edit_and_ends_in_peace_when_it_is_interrupted(cloud: Cloud) -> None:
    command = (*INDEX, "--watch", "--every", "1")
    with started(command, cloud.settings, stdin=subprocess.DEVNULL) as process:
        await said(process, "note: 12 indexed, 0 removed")
        await said(process, "news: [1-9][0-9]* indexed, 0 removed")
        client = cloud.client()
        with effects.under(RUN):
            note = await client.notes.create("Quagga", "A quagga was seen.")
        await said(process, "note: 1 indexed, 0 removed")
        with effects.under(RUN):
            await client.notes.delete(note.id)
        await said(process, "note: 0 indexed, 1 removed")
        process.signal(signal.SIGINT)
        assert await anyio.to_thread.run_sync(process.exit_code) == 0
        assert "note: 0 of 12" in process.stderr.text
        assert process.stderr.text.endswith("Stopped. What is indexed stays, and the next run goes on from there.\n")
        await client.aclose()


async def test_one_that_is_killed_again_and_again_loses_nothing_and_reads_nothing_twice(cloud: Cloud) -> None:
    chance = random.Random(15)  # noqa: S311 (the same moments each time)
    fetched: list[str] = []
    for moment in (chance.randint(5, 12), chance.randint(18, 28)):
        ended = await anyio.to_thread.run_sync(cloud.killed_at, moment)
        assert ended == -signal.SIGKILL
        fetched += [line for line in cloud.arrived[:-1] if line.startswith("GET") and "/notes/api/v1/notes/" in line]
    assert len(fetched) > 5, "it was killed before it had indexed anything"
    cloud.arrived.clear()
    client, fresh = cloud.client(), cloud.client(":memory:")
    person = await person_of(client)
    assert all(report.is_done for report in await person.update())
    fetched += [line for line in cloud.arrived if line.startswith("GET") and "/notes/api/v1/notes/" in line]
    assert len(fetched) - len(set(fetched)) <= 2, "of each run that was killed, one document may be read again"
    built = await person_of(fresh)
    await built.update()
    assert await contents(person) == await contents(built)
    await client.aclose()
    await fresh.aclose()
