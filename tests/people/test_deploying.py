"""What docs/teams.md and examples/team tell an operator to set, write and type: it is what the command line takes."""

import configparser
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

import click
import pytest
import yaml
from tests.snippets import ROOT, commands_in, snippets_of
from tests.test_snippets import check_call

from aboveboard.cli import group
from aboveboard.cli.people_options import PEOPLE, people_settings
from aboveboard.cli.serve import WEB
from aboveboard.cli.serve import command as serve_command
from aboveboard.kit.serving.web import WebSettings

TEAM: Final = ROOT / "examples" / "team"
# Of the service, of its search, and of uvicorn; all others are options of `serve`.
OTHERS: Final = {"NEXTCLOUD_HOST", "ABOVEBOARD_SEARCH_INDEX", "FORWARDED_ALLOW_IPS"}
SYSTEMD: Final = shutil.which("systemd-analyze")
SCRIPTS: Final = [snippet.text for snippet in snippets_of("docs/teams.md") if snippet.language == "sh"]


def composed() -> dict[str, Any]:
    """Read the Compose file with the values that the page puts into `.env`."""
    given = dict(re.findall(r'echo "(\w+)=(.*?)" >>? \.env', "\n".join(SCRIPTS)))
    assert set(given) == {"HOST_NAME", "NEXTCLOUD_HOST", "POSTGRES_PASSWORD"}
    text = (TEAM / "compose.yaml").read_text("utf-8")
    assert set(re.findall(r"\$\{(\w+):\?\}", text)) == set(given)
    return yaml.safe_load(re.sub(r"\$\{(\w+):\?\}", lambda name: given[name[1]], text))


def environment() -> dict[str, str]:
    """Read the file of the unit's settings as systemd does."""
    lines = (TEAM / "environment").read_text("utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def check_serve(arguments: list[str], settings: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Hold a call of `serve` with its environment to what it takes, as far as nothing is opened."""
    known = {str(one.envvar) for one in serve_command.params if one.envvar}
    assert settings.keys() <= known | OTHERS
    for name, value in settings.items():
        monkeypatch.setenv(name, "-" if name == "ABOVEBOARD_AUDIT_LOG" else str(value))
    assert arguments[0] == "serve"
    context = serve_command.make_context("serve", arguments[1:], parent=click.Context(group))
    given = context.params
    people = people_settings(given["sign_in"], {name: given[name] for name in PEOPLE})
    web = WebSettings(key=None, **{name: given[name] for name in WEB}, signs_in=people.mode.has_people)
    web.check()
    assert given["transport"] == "streamable-http"
    assert people.origin == "https://mcp.example.org"
    assert people.store
    assert people.store_keys


def test_the_settings_of_the_compose_file_start_a_server(monkeypatch: pytest.MonkeyPatch) -> None:
    service = composed()["services"]["aboveboard"]
    check_serve(shlex.split(service["command"]), service["environment"], monkeypatch)


def test_the_services_of_the_compose_file_know_each_other() -> None:
    made = composed()
    services = made["services"]
    ours, database, proxy = services["aboveboard"], services["database"], services["proxy"]
    values = database["environment"]
    store = f"postgresql://{values['POSTGRES_USER']}:{values['POSTGRES_PASSWORD']}@database/{values['POSTGRES_DB']}"
    assert ours["environment"]["ABOVEBOARD_STORE"] == store
    (secret,) = ours["secrets"]
    assert ours["environment"]["ABOVEBOARD_STORE_KEYS"] == f"/run/secrets/{secret}"
    assert made["secrets"][secret]["file"] == "people.keys"
    assert proxy["command"] == "caddy reverse-proxy --from mcp.example.org --to aboveboard:3100"
    assert "ports" not in ours, "the proxy alone reaches it"
    named = {volume.split(":")[0] for service in services.values() for volume in service.get("volumes", ())}
    assert named == set(made["volumes"])


def test_the_image_is_made_of_what_is_here_for_the_user_who_owns_the_keys() -> None:
    lines = (TEAM / "Dockerfile").read_text("utf-8")
    build = composed()["services"]["aboveboard"]["build"]
    assert (TEAM / build["context"]).resolve() == ROOT
    assert ROOT / build["dockerfile"] == TEAM / "Dockerfile"
    for copied in re.findall(r"^COPY (.+) \S+$", lines, re.MULTILINE):
        assert all((ROOT / one).exists() for one in copied.split())
    assert 'ENTRYPOINT ["aboveboard"]' in lines
    (user,) = re.findall(r"^USER (\d+)$", lines, re.MULTILINE)
    assert f"sudo chown {user} people.keys" in "\n".join(SCRIPTS)


def unit() -> configparser.SectionProxy:
    read = configparser.RawConfigParser(strict=False)
    read.optionxform = str  # pyright: ignore[reportAttributeAccessIssue]
    read.read(TEAM / "aboveboard.service", "utf-8")
    return read["Service"]


def test_the_unit_starts_what_the_page_installs_with_settings_that_the_server_takes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    service, settings = unit(), environment()
    program, *arguments = shlex.split(service["ExecStart"])
    assert program == "/opt/aboveboard/bin/aboveboard"
    assert "python3 -m venv /opt/aboveboard\n" in "\n".join(SCRIPTS)
    assert "ABOVEBOARD_STORE_KEYS" not in settings, "what stands in the file wins over what the unit says"
    assert settings["ABOVEBOARD_STORE"].startswith(f"/var/lib/{service['StateDirectory']}/")
    assert settings["ABOVEBOARD_AUDIT_LOG"].startswith(f"/var/log/{service['LogsDirectory']}/")
    assert service["LoadCredential"] == "people.keys:/etc/aboveboard/people.keys"
    text = (TEAM / "aboveboard.service").read_text("utf-8")
    assert "Environment=ABOVEBOARD_STORE_KEYS=%d/people.keys\n" in text
    check_serve(arguments, {**settings, "ABOVEBOARD_STORE_KEYS": "people.keys"}, monkeypatch)


def test_the_page_copies_files_that_are_here_and_calls_commands_that_exist() -> None:
    for script in SCRIPTS:
        ran = subprocess.run(["/bin/sh", "-n"], input=script, capture_output=True, text=True, check=False)
        assert (ran.returncode, ran.stderr) == (0, "")
        for words in commands_in(script):
            if words[0] == "cp":
                assert (ROOT / words[1]).is_file(), words
            ours = next((at for at, word in enumerate(words) if Path(word).name == "aboveboard"), None)
            if ours is not None and words[0] in ("aboveboard", "/opt/aboveboard/bin/aboveboard"):
                check_ours(words[ours + 1 :])
            if words[:4] == ["docker", "compose", "exec", "aboveboard"]:
                assert words[4] == "aboveboard"
                check_ours(words[5:])


def check_ours(arguments: list[str]) -> None:
    """Hold a call to what the command takes, below `people` to what its own commands take."""
    if arguments[0] != "people":
        check_call(arguments)
        return
    people = group.get_command(click.Context(group), "people")
    assert isinstance(people, click.Group)
    assert arguments[1] in people.commands, arguments
    assert arguments[2] in ("nextcloud", "lightdash")


def test_every_variable_that_the_page_names_is_read_somewhere() -> None:
    page = (ROOT / "docs" / "teams.md").read_text("utf-8")
    named = set(re.findall(r"\b((?:ABOVEBOARD|MCP|NEXTCLOUD|LIGHTDASH)_[A-Z_]+)\b", page))
    source = "\n".join(file.read_text("utf-8") for file in (ROOT / "src").rglob("*.py"))
    assert [name for name in sorted(named) if f'"{name}"' not in source] == []


@pytest.mark.skipif(SYSTEMD is None, reason="systemd is not here")
def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    text = (TEAM / "aboveboard.service").read_text("utf-8").replace("/opt/aboveboard/bin/aboveboard", "/bin/true")
    unit = tmp_path / "aboveboard.service"
    unit.write_text(text)
    ran = subprocess.run([str(SYSTEMD), "verify", str(unit)], capture_output=True, text=True, check=False)
    assert unit.name not in ran.stderr
