"""What our pages tell people to type, write and configure: it exists, it is read, and it runs as far as it can."""

import ast
import json
import re
import subprocess
import tomllib
from typing import Any

import click
import pytest
import yaml
from tests.snippets import ROOT, Snippet, commands_in, ours_in, snippets_of

from aboveboard.cli import COMMANDS, group
from aboveboard.cli.services import NAMES

PAGES = [
    "README.md",
    "CONTRIBUTING.md",
    "ARCHITECTURE.md",
    "VERSIONING.md",
    *(f"docs/{page}.md" for page in ("building", "auditing", "verifying", "effects", "proving-on-a-real-server")),
]
ALL = [snippet for page in PAGES for snippet in snippets_of(page)]


def written_in(*languages: str) -> list[Any]:
    return [pytest.param(one, id=str(one)) for one in ALL if one.language in languages]


def test_every_language_in_the_pages_is_looked_at() -> None:
    assert {one.language for one in ALL} == {"python", "sh", "json", "yaml", "toml", "text", "sql"}


@pytest.mark.parametrize("snippet", written_in("sh"))
def test_a_command_exists_with_its_options(snippet: Snippet) -> None:
    commands = list(commands_in(snippet.text))
    assert commands
    for words in commands:
        if words[0] == "make":
            made = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
            assert set(words[1:]) <= set(made), words
        if (ours := ours_in(words)) is not None:
            check_call(ours)


@pytest.mark.parametrize("snippet", written_in("sh"))
def test_the_shell_can_read_it(snippet: Snippet) -> None:
    ran = subprocess.run(["/bin/sh", "-n"], input=snippet.text, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.parametrize("snippet", written_in("json"))
def test_a_client_s_configuration_starts_a_command_that_exists(snippet: Snippet) -> None:
    data = json.loads(snippet.text)
    servers = data.get("mcpServers") or data["servers"]
    asked = {one["id"] for one in data.get("inputs", [])}
    assert servers
    for server in servers.values():
        assert server["command"] == "aboveboard"
        check_call(server["args"])
        assert set(re.findall(r"\$\{input:([^}]+)\}", json.dumps(server))) == asked
        assert server.get("env", {}).keys() <= variables_of(server["args"][1])


@pytest.mark.parametrize("snippet", written_in("python"))
def test_python_is_read_and_imports_what_is_there(snippet: Snippet) -> None:
    tree = ast.parse(snippet.text)
    imports: list[ast.stmt] = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    exec(compile(ast.Module(imports, []), str(snippet), "exec"), {})  # noqa: S102 (our own page)


@pytest.mark.parametrize("snippet", written_in("yaml", "toml"))
def test_data_is_read(snippet: Snippet) -> None:
    assert yaml.safe_load(snippet.text) if snippet.language == "yaml" else tomllib.loads(snippet.text)


def check_call(arguments: list[str]) -> None:
    """Hold a call of ours to what the command takes."""
    name, *given = arguments
    command = group.get_command(click.Context(group), name)
    assert name in COMMANDS, arguments
    assert command is not None
    known = {flag for one in command.params for flag in (*one.opts, *one.secondary_opts)}
    ours = given[: given.index("--")] if "--" in given else given
    flags = {word.partition("=")[0] for word in ours if re.match(r"--?[a-z]", word)}
    assert flags <= {*known, "-h", "--help"}, arguments
    if any(one.name == "service" for one in command.params):
        assert ours[0] in NAMES, arguments


def variables_of(service: str) -> set[str]:
    shown = (ROOT / "README.md").read_text("utf-8")
    return set(re.findall(rf"`({service.upper()}_\w+)`", shown))


@pytest.mark.parametrize(
    "arguments", [["swerve"], ["serve", "lightdesk"], ["verify", "--plans", "plan.yaml"], ["audit", "-x", "--", "npx"]]
)
def test_a_call_that_cannot_work_is_noticed(arguments: list[str]) -> None:
    with pytest.raises(AssertionError):
        check_call(arguments)
