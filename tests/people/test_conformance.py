"""The official conformance suite finds nothing wrong with the authorization server that people sign in to."""

import os
import subprocess
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Final

import anyio
import pytest
from anyio.streams.text import TextReceiveStream
from tests.conformance.suite import PROGRAM, Report, found_in, missing
from tests.patience import patience
from tests.people import lightdash
from tests.people.processes import free_port
from tests.people.provider import NODE
from tests.people.raw import Raw
from tests.people.team import Team, agree, deployed
from tests.people.web import plain

from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio
SCENARIOS: Final = {"authorization-server-metadata-endpoint": 2, "authorization-code-grant": 1}
"""What the pinned suite asks of an authorization server, and how many checks each has."""


@pytest.fixture(autouse=True)
def suite_is_installed() -> None:
    if why := missing():
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(why)


@pytest.mark.parametrize("service", ["nextcloud", "lightdash"])
async def test_every_scenario_for_authorization_servers_passes(service: str, tmp_path: Path) -> None:
    sandbox = Sandbox() if service == "nextcloud" else lightdash.Sandbox()
    user = "bob" if service == "nextcloud" else "ada@corner-shop.example"
    async with deployed(sandbox, str(tmp_path / "db"), tmp_path) as team:
        report = await judged(team, user, tmp_path / "results")
    sandbox.close()
    assert report.problems() == [], report.output
    assert report.exit_code == 0, report.output
    assert {name: len(checks) for name, checks in report.scenarios.items()} == SCENARIOS


async def judged(team: Team, user: str, results: Path) -> Report:
    """Run the suite as a client of the team's server; a person does in their browser what it asks for."""
    port = free_port()
    async with plain() as http:
        client = Raw(team, http, redirect=f"http://127.0.0.1:{port}/callback")
        await client.register()
    command = [str(NODE), str(PROGRAM), "authorization", "--url", team.url, "--client-id", client.id]
    command += ["--resource", f"{team.url}/mcp", "--port", str(port), "--output-dir", str(results)]
    said: list[str] = []
    with anyio.fail_after(patience(120)):
        async with await anyio.open_process(command, stderr=subprocess.STDOUT) as process:
            async for line in _lines(process):
                said.append(line)
                if line.startswith(f"{team.url}/authorize?"):
                    async with team.browser() as browser:
                        await browser.get(await agree(team, browser, line, user))
            exit_code = await process.wait()
    return Report(found_in(results), exit_code, "\n".join(said))


async def _lines(process: anyio.abc.Process) -> AsyncGenerator[str]:
    left = ""
    assert process.stdout is not None
    async for text in TextReceiveStream(process.stdout):
        *lines, left = (left + text).split("\n")
        for line in lines:
            yield line.strip()
