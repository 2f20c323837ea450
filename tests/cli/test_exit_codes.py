"""0 it worked, 1 it did not, 2 the command or its settings are wrong; what is wrong is said in a sentence on stderr."""

import socket
from pathlib import Path

import pytest
from tests.cli.command import Environment, aboveboard, in_process, installed

PROJECT = "project_uuid=1a000000-0000-4000-8000-000000000001"
CONFIGURED = {"LIGHTDASH_URL": "http://127.0.0.1:9", "LIGHTDASH_API_KEY": "ldpat_hunter2"}
WEB = ("serve", "lightdash", "--sandbox", "--transport", "streamable-http")


@pytest.mark.parametrize(
    ("arguments", "settings", "said"),
    [
        (["swerve"], {}, "aboveboard has no command 'swerve': did you mean 'serve' or 'seed'?"),
        (["lightdash"], {}, "aboveboard has no command 'lightdash'; it has serve, tools, call, "),
        (["serve", "lightdash", "--sandbx"], {}, "No such option '--sandbx'. (Did you mean one of: '--sandbox', "),
        (["tools"], {}, "Missing argument 'SERVICE'."),
        (["tools", "lightdesk"], {}, "aboveboard has no service 'lightdesk': did you mean 'lightdash'?"),
        (["tools", "lightdash", "--safety-mode", "safe"], {}, "'safe' is not one of 'read-only', 'additive', 'full'."),
        (["tools", "lightdash"], {"ABOVEBOARD_SAFETY_MODE": "readonly"}, "'readonly' is not one of"),
        (["doctor", "gitlab"], {}, "aboveboard has no service 'gitlab'; it has lightdash, nextcloud."),
        (["tools", "lightdash", "--toolsets", "chart"], {}, "no toolset 'chart': did you mean 'charts'"),
        (["tools", "lightdash", "--exclude", "delete_spaces"], {}, "did you mean 'delete_space'"),
        (["call", "lightdash", "list_chart", "--sandbox"], {}, "no tool 'list_chart': did you mean 'list_charts'"),
        (["call", "lightdash", "xyz", "--sandbox"], {}, "Lightdash has no tool 'xyz'; it has "),
        (
            ["call", "lightdash", "list_spaces", "Sales", "--sandbox"],
            {},
            "'Sales' is not an argument: write KEY=VALUE.",
        ),
        (["call", "lightdash", "list_projects"], {}, "LIGHTDASH_URL is not set"),
        (["call", "lightdash", "list_projects"], {**CONFIGURED, "LIGHTDASH_URL": "here"}, "must be a web address"),
        (["call", "lightdash", "list_projects", "--sandbox-data", "{tmp}"], {}, "The sandbox cannot keep its data in"),
        (["call", "lightdash", "list_projects", "--sandbox-data", "{tmp}/no/db"], {}, "cannot keep its data in"),
        (["call", "lightdash", "list_projects", "--sandbox-data", "{tmp}/text"], {}, "file is not a database."),
        (["sandbox", "lightdash", "--port", "{taken}"], {}, "Cannot listen on 127.0.0.1:{taken}"),
        (["sandbox", "lightdash", "--port", "65536"], {}, "'--port': 65536 is not in the range"),
        (["serve", "lightdash"], {}, "LIGHTDASH_API_KEY is not set"),
        (["serve", "lightdash"], {**CONFIGURED, "LIGHTDASH_URL": "https://light\tdash"}, "must be a web address"),
        (["serve", "lightdash"], {**CONFIGURED, "LIGHTDASH_API_KEY": "hunter2 hunter2"}, "that no token has"),
        (["serve", "lightdash"], {**CONFIGURED, "LIGHTDASH_ALLOWED_PROJECTS": "mine"}, "'mine' is not one."),
        (["serve", "lightdash"], {**CONFIGURED, "MCP_TRANSPORT": "sse"}, "'sse' is not one of 'stdio', 'streamable-"),
        (["serve", "lightdash", "--sandbox", "--audit-log", "{tmp}/no/log"], {}, "The audit log '{tmp}/no/log' cannot"),
        ([*WEB, "--host", "0.0.0.0"], {}, "Listening on 0.0.0.0 lets others in"),  # noqa: S104
        ([*WEB, "--allowed-hosts", "localhost:3000,mcp.example.com"], {}, "Accepting mcp.example.com is for a proxy"),
        ([*WEB, "--auth"], {}, "MCP_API_KEY is not set"),
        ([*WEB, "--port", "{taken}"], {}, "Cannot listen on 127.0.0.1:{taken}"),
        ([*WEB, "--host", "no.such.host.invalid"], {"MCP_AUTH_ENABLED": "1", "MCP_API_KEY": "k"}, "Cannot listen on"),
        (list(WEB), {"MCP_HTTP_PORT": "abc"}, "'abc' is not a valid integer range"),
    ],
)
def test_a_wrong_command_or_setting_ends_with_2_and_one_sentence(
    arguments: list[str], settings: Environment, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "text").write_text("This is no database, and never was one. " * 20)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        places = {"{tmp}": str(tmp_path), "{taken}": str(taken.getsockname()[1])}
        given = [filled(argument, places) for argument in arguments]
        if arguments[0] == "sandbox" or "streamable-http" in arguments:  # which would go on, were nothing wrong
            ran = aboveboard(*given, settings=settings)
        else:
            ran = in_process(*given, settings=settings, capsys=capsys)
    assert ran.returncode == 2, ran.stderr
    assert filled(said, places) in ran.stderr
    assert ran.stdout == ""
    assert "Traceback" not in ran.stderr
    assert "hunter2" not in ran.stderr
    # Ours is one line; click puts its usage above.
    assert ran.stderr.startswith("Usage: ") or ran.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "settings", "said"),
    [
        (["call", "lightdash", "get_space", PROJECT, "--sandbox"], {}, "space_uuid is required."),
        (["call", "lightdash", "list_spaces", PROJECT, "limit=many", "--sandbox"], {}, "limit must be a whole number."),
        (["call", "lightdash", "list_spaces", PROJECT, "lmit=1", "--sandbox"], {}, "did you mean 'limit'"),
        (["call", "lightdash", "get_chart", "chart=none", "--sandbox"], {}, "Lightdash answered 404"),
        (
            ["call", "lightdash", "get_chart", "chart=x", "--sandbox", "--exclude", "charts"],
            {},
            "its area charts is excluded",
        ),
        (["call", "lightdash", "list_projects"], CONFIGURED, "Lightdash at http://127.0.0.1:9 cannot be reached: "),
        (["doctor", "lightdash"], {}, ""),
    ],
)
def test_what_did_not_work_ends_with_1(
    arguments: list[str], settings: Environment, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = in_process(*arguments, settings=settings, capsys=capsys)
    assert ran.returncode == 1, ran.stderr
    assert said in ran.stderr
    assert "Traceback" not in ran.stderr
    assert "hunter2" not in ran.stderr + ran.stdout


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["call", "lightdash", "list_projects", "--sandbox"], 0),
        (["call", "lightdash", "get_chart", "chart=none", "--sandbox"], 1),
        (["call", "lightdash", "list_chart", "--sandbox"], 2),
    ],
)
def test_the_installed_command_ends_with_the_same_codes(arguments: list[str], code: int) -> None:
    # One is enough to see that the way to start it makes no difference.
    ran = (installed if code == 1 else aboveboard)(*arguments)
    assert ran.returncode == code
    assert bool(ran.stdout) == (code == 0)
    assert ran.stderr.count("\n") == (code != 0)


def test_a_command_without_arguments_shows_the_help() -> None:
    ran = aboveboard()
    assert ran.returncode == 2
    assert "Start with `aboveboard demo`." in " ".join((ran.stdout + ran.stderr).split())


def filled(text: str, places: dict[str, str]) -> str:
    for name, value in places.items():
        text = text.replace(name, value)
    return text
