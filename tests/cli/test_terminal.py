"""What a person at a terminal sees: colours, tables that fit, and a server that says what it waits for."""

import json

import click
import pytest
from tests.cli.command import ANY_COLOUR, announced, in_process, running
from tests.cli.screen import on_a_terminal
from tests.forked import warm_interpreter
from tests.patience import patience

from aboveboard.cli.answer import result_text
from aboveboard.cli.terminal import widest_line
from aboveboard.kit.start import GUESSABLE, SHORT_KEY
from aboveboard.lightdash.server import SERVICE

WEB = ("serve", "lightdash", "--sandbox", "--transport", "streamable-http", "--port", "0", "--auth")
CHARTS = ("call", "lightdash", "list_charts", "project_uuid=1a000000-0000-4000-8000-000000000001", "--sandbox")
TABLES = [
    ("tools", "lightdash"),
    ("tools", "lightdash", "--toolsets", "all,agents"),
    ("tools", "nextcloud"),
    ("rules",),
    ("rules", "ANN08"),
    CHARTS,
    ("call", "nextcloud", "nc_webdav_list_directory", "--sandbox"),
    ("call", "nextcloud", "nc_share_list", "--sandbox"),
]


@pytest.mark.parametrize("columns", [80, 100])
@pytest.mark.parametrize("arguments", TABLES, ids=" ".join)
def test_a_table_fits_the_terminal(
    arguments: tuple[str, ...], columns: int, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = in_process(*arguments, settings={"COLUMNS": str(columns)}, capsys=capsys)
    assert ran.returncode == 0, ran.stderr
    # A definition that is quoted as an example stays as it is, to be copied.
    lines = ran.stdout.partition("\nBad\n")[0].splitlines()
    assert len(lines) > 3
    assert [line for line in lines if widest_line(line) > columns] == []


def test_a_narrow_table_of_tools_still_says_all_that_is_asked_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    wide = in_process("tools", "lightdash", capsys=capsys).stdout.splitlines()
    narrow = in_process("tools", "lightdash", settings={"COLUMNS": "80"}, capsys=capsys).stdout.splitlines()
    assert narrow[-2:] == [f"Names start with {SERVICE.prefix}", wide[-1]]
    for full, short in zip(wide[1:-1], narrow[1:-2], strict=True):
        area, effect, name, *_ = full.split()
        assert short.split() == [area, effect, name.removeprefix(SERVICE.prefix), *full.split()[-4:]]


def test_ids_are_never_cut_and_what_has_no_room_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    uuid, etag = "3a000000-0000-4000-8000-000000000013", "e15b33ce3e31415bf685e9331ea8f685"
    item = {"uuid": uuid, "title": "A very long title " * 5, "etag": etag, "url": "http://sandbox/index.php/f/63"}
    monkeypatch.setenv("COLUMNS", "84")
    header, row, count = click.unstyle(result_text({"items": [item], "total": 1})).splitlines()
    assert row.split() == [uuid, "A", "very", "long…", etag]
    assert header.split() == ["uuid", "title", "etag"]
    assert count == "1 of 1; no room for url: --json shows all"


def test_what_is_left_out_leaves_its_room_to_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    item = {"name": "Corner Shop (preview)", "kind": "PREVIEW", "upstream_uuid": "3a000000-0000-4000-8000-000000000013"}
    monkeypatch.setenv("COLUMNS", "50")
    _, row, *count = click.unstyle(result_text({"items": [item], "total": 1})).splitlines()
    assert row == "Corner Shop (preview)  PREVIEW"
    assert " ".join(count) == "1 of 1; no room for upstream_uuid: --json shows all"


def test_the_width_of_a_real_terminal_counts() -> None:
    with on_a_terminal("tools", "nextcloud", columns=80) as screen:
        shown = screen.everything()
    assert max(map(widest_line, shown.splitlines())) <= 80
    assert "\x1b[32mREAD" in shown
    assert "\x1b[31mDELETE" in shown
    assert "\x1b" not in ANY_COLOUR.sub("", shown)


@pytest.mark.parametrize("arguments", [("tools", "lightdash"), ("call", "lightdash", "list_projects", "--sandbox")])
def test_a_table_is_plain_when_piped(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    ran = in_process(*arguments, capsys=capsys)
    assert ran.returncode == 0
    assert ran.stdout
    assert "\x1b" not in ran.stdout


def test_a_server_on_a_terminal_says_what_it_waits_for_and_how_a_client_starts_it() -> None:
    with on_a_terminal("serve", "lightdash", "--sandbox") as screen:
        shown = screen.wait_for("Ctrl-C ends it")
    assert shown.startswith("This waits on stdin for an MCP client, which starts it by itself.\n")
    entry = json.loads(shown.splitlines()[1].partition(": ")[2])
    assert entry == {"command": warm_interpreter(), "args": ["-m", "aboveboard", "serve", "lightdash", "--sandbox"]}


def test_a_server_that_a_client_starts_says_nothing() -> None:
    with running("serve", "lightdash", "--sandbox") as process:
        said, noise = process.communicate("", timeout=patience(30))
    assert (said, noise) == ("", "")


@pytest.mark.parametrize(("length", "warned"), [(SHORT_KEY - 1, True), (SHORT_KEY, False)])
def test_a_short_key_is_warned_of(length: int, *, warned: bool) -> None:
    with running(*WEB, settings={"MCP_API_KEY": "k" * length}) as process:
        announced(process)
        process.terminate()
        assert process.stderr is not None
        noise = process.stderr.read()
    assert (noise == f"{GUESSABLE}\n") == warned
    assert warned or noise == ""
