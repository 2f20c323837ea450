"""docs/building.md, done: the servers run, a client calls them, the proof holds, and a lie is found."""

import json
import socket
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from tests.cli.command import aboveboard, environment
from tests.forked import forked
from tests.kit.serving.processes import eventually
from tests.kit.shop import said
from tests.snippets import snippets_of

from aboveboard.audit.verify.processes import free_port

PAGE = snippets_of("docs/building.md")
FILES = {one.name: one.text for one in PAGE if one.name}
pytestmark = pytest.mark.anyio


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


@pytest.fixture
def api(folder: Path) -> Generator[str]:
    """Run the page's stand-in for an API, and return its address."""
    port = free_port()
    with subprocess.Popen([sys.executable, "notes_api.py", str(port)], cwd=folder) as process:
        try:
            eventually(lambda: answers(port), "the API")
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


def answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def server(folder: Path, name: str, api: str) -> StdioServerParameters:
    settings = environment({"NOTES_URL": api})
    return StdioServerParameters(command=sys.executable, args=[str(folder / name)], env=settings)


def warm(folder: Path) -> None:
    """Let the plan start the server without its imports, which every other start of this file makes."""
    command = json.dumps(forked(str(folder / "notes_server.py")))
    lie(folder, "plan.yaml", '["${python}", "${here}/notes_server.py"]', command)


def lie(folder: Path, name: str, word: str, other: str) -> None:
    """Change one word of a file, wherever it stands."""
    honest = (folder / name).read_text("utf-8")
    assert word in honest
    (folder / name).write_text(honest.replace(word, other), "utf-8")


def proof(folder: Path) -> "subprocess.CompletedProcess[str]":
    """Run the command of the page."""
    [command] = [one.text for one in PAGE if one.language == "sh"]
    assert command.split() == ["aboveboard", "verify", "--plan", "plan.yaml", "--strict"]
    return aboveboard("verify", "--plan", str(folder / "plan.yaml"), "--strict")


def test_a_whole_server_is_under_60_lines() -> None:
    assert len(FILES["notes_server.py"].splitlines()) < 60


async def test_a_client_lists_and_calls_the_server(folder: Path, api: str) -> None:
    async with Client(server(folder, "notes_server.py", api)) as client:
        tools = (await client.list_tools()).tools
        added = await client.call_tool("add_note", {"text": "Eggs"})
        gone = await client.call_tool("delete_note", {"note_id": "9"})
        listed = await client.call_tool("list_notes", {})
    assert [tool.name for tool in tools] == ["list_notes", "add_note", "rewrite_note", "delete_note"]
    assert added.structured_content == {"id": "3", "text": "Eggs"}
    assert (gone.is_error, said(gone)[:18]) == (True, "Notes answered 404")
    assert [note["text"] for note in notes_in(listed.structured_content)] == ["Milk", "Bread", "Eggs"]


def notes_in(structured: Any, name: str = "notes") -> list[dict[str, str]]:
    return structured[name]


@pytest.mark.parametrize("name", ["notes_server.py", "held_server.py"])
def test_what_the_servers_of_the_page_say_has_no_fault(folder: Path, api: str, name: str) -> None:
    command = [sys.executable, str(folder / name)]
    ran = aboveboard("audit", "--fail-on", "warning", "--", *command, settings={"NOTES_URL": api})
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_its_proof_holds(folder: Path) -> None:
    ran = proof(folder)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "16 holds: 16 hints of 4 tools" in ran.stdout


def test_a_lie_that_the_guard_cannot_know_is_found_by_the_proof(folder: Path) -> None:
    lie(folder, "notes_server.py", "ADD", "ENSURE")
    warm(folder)
    ran = proof(folder)
    [told] = [one.text for one in PAGE if one.language == "text"]
    assert ran.returncode == 1
    assert told.strip() in ran.stdout


def test_a_lie_that_the_guard_stops_leaves_nothing_verified(folder: Path) -> None:
    lie(folder, "notes_server.py", "DELETE,", "")
    lie(folder, "notes_server.py", '"Delete Note", DELETE', '"Delete Note", READ')
    warm(folder)
    ran = proof(folder)
    assert ran.returncode == 1
    assert "no finding, but 4 hints could not be verified" in ran.stdout


async def test_a_server_on_the_sdk_s_framework_is_held_to_its_hints(folder: Path, api: str) -> None:
    async with Client(server(folder, "held_server.py", api)) as client:
        tools = {tool.name: tool.annotations for tool in (await client.list_tools()).tools}
        assert not (await client.call_tool("add_note", {"text": "Eggs"})).is_error
    assert [hints.read_only_hint for hints in tools.values() if hints] == [True, False]
    lie(folder, "held_server.py", "ADD, ", "")
    lie(folder, "held_server.py", "ADD", "READ")
    async with Client(server(folder, "held_server.py", api)) as client:
        assert (await client.call_tool("add_note", {"text": "Eggs"})).is_error
        listed = await client.call_tool("list_notes", {})
    assert len(notes_in(listed.structured_content, "result")) == 3
