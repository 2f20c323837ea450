"""What each command says of itself."""

from typing import Any

import click
import pytest
from click.testing import CliRunner
from tests.cli.command import installed

from aboveboard import __version__
from aboveboard.cli import COMMANDS, group
from aboveboard.cli.people_options import PEOPLE


def help_of(*arguments: str) -> str:
    result = CliRunner().invoke(group, [*arguments], prog_name="aboveboard")
    assert result.exit_code == 0, result.output
    return " ".join(result.output.split())


def command_of(name: str) -> click.Command:
    command = group.get_command(click.Context(group), name)
    assert command is not None
    return command


def test_the_help_lists_every_command_with_what_it_does() -> None:
    text = help_of("--help")
    assert [name for name, summary in COMMANDS.items() if f"{name} {summary}" not in text] == []
    assert help_of("-h") == text


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_names_all_it_takes_and_the_environment_it_reads(name: str) -> None:
    text = help_of(name, "--help")
    assert help_of(name, "-h") == text
    assert text.startswith(f"Usage: aboveboard {name} ")
    for parameter in command_of(name).params:
        if isinstance(parameter, click.Option):
            assert all(flag in text for flag in (*parameter.opts, *parameter.secondary_opts))
            assert parameter.help
            assert " ".join(parameter.help.split()) in text
            assert not parameter.envvar or f"env var: {parameter.envvar}" in text
        else:
            assert parameter.make_metavar(click.Context(command_of(name))) in text


@pytest.mark.parametrize("name", ["serve", "call", "doctor"])
def test_the_help_of_a_command_that_reaches_lightdash_names_its_settings(name: str) -> None:
    text = help_of(name, "--help")
    settings = ("LIGHTDASH_URL", "LIGHTDASH_API_KEY", "LIGHTDASH_ALLOWED_PROJECTS")
    assert [setting for setting in settings if setting not in text] == []


def test_every_setting_of_the_server_has_a_flag_and_a_variable() -> None:
    options: dict[Any, Any] = {
        parameter.name: parameter.envvar
        for parameter in command_of("serve").params
        if isinstance(parameter, click.Option) and parameter.envvar
    }
    people = {name: options.pop(name) for name in PEOPLE}
    assert {
        name: variable for name, variable in people.items() if not variable.startswith(("ABOVEBOARD_", "MCP_"))
    } == {}
    assert options == {
        "sign_in": "ABOVEBOARD_SIGN_IN",
        "safety_mode": "ABOVEBOARD_SAFETY_MODE",
        "dry_run": "ABOVEBOARD_DRY_RUN",
        "toolsets": "ABOVEBOARD_TOOLSETS",
        "exclude": "ABOVEBOARD_EXCLUDE",
        "prefix": "ABOVEBOARD_TOOL_PREFIX",
        "audit_log": "ABOVEBOARD_AUDIT_LOG",
        "transport": "MCP_TRANSPORT",
        "host": "MCP_HTTP_HOST",
        "port": "MCP_HTTP_PORT",
        "auth": "MCP_AUTH_ENABLED",
        "allowed_hosts": "MCP_HTTP_ALLOWED_HOSTS",
        "allowed_origins": "MCP_HTTP_ALLOWED_ORIGINS",
        "session_idle_seconds": "MCP_SESSION_IDLE_SECONDS",
    }


def test_the_version_is_printed_by_the_installed_command() -> None:
    ran = installed("--version")
    assert (ran.returncode, ran.stdout.strip(), ran.stderr) == (0, f"aboveboard, version {__version__}", "")
