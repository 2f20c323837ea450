"""`aboveboard call`: one tool from the command line."""

import json
import os
import shlex
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import click
import pytest
from tests.cli.command import in_process, installed

from aboveboard.cli.answer import result_text
from aboveboard.cli.terminal import table, widest_line
from aboveboard.cli.tool_help import write_tool_help
from aboveboard.kit.policy import Policy
from aboveboard.kit.service import Catalogue
from aboveboard.lightdash.sandbox import Sandbox
from aboveboard.lightdash.server import SERVICE as LIGHTDASH
from aboveboard.nextcloud.server import SERVICE as NEXTCLOUD

MAIN = "1a000000-0000-4000-8000-000000000001"
SALES = "2a000000-0000-4000-8000-000000000001"
PROJECT = f"project_uuid={MAIN}"
Call = Callable[..., CompletedProcess[str]]


@pytest.fixture
def call(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Call:
    """Call a tool of a sandbox whose data outlives the call."""

    def run(*arguments: str, **settings: str) -> CompletedProcess[str]:
        data = str(tmp_path / "shop.sqlite")
        return in_process("call", "lightdash", *arguments, "--sandbox-data", data, settings=settings, capsys=capsys)

    return run


def answer(ran: CompletedProcess[str]) -> dict[str, Any]:
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


def state(folder: Path) -> dict[str, object]:
    sandbox = Sandbox(folder / "shop.sqlite")
    facts = sandbox.dump()
    sandbox.close()
    return facts


def test_a_list_is_a_table_and_says_where_it_goes_on(call: Call) -> None:
    lines = call("list_charts", PROJECT, "limit=2").stdout.splitlines()
    listed = answer(call("list_charts", PROJECT, "limit=2", "--json"))
    assert lines[0].split() == list(listed["items"][0])
    assert [line.split()[0] for line in lines[1:3]] == [item["uuid"] for item in listed["items"]]
    assert lines[3] == f"2 of {listed['total']}; the next page is page=2"


def test_one_thing_is_shown_line_by_line(call: Call) -> None:
    lines = call("get_space", PROJECT, f"space_uuid={SALES}").stdout.splitlines()
    space = answer(call("get_space", PROJECT, f"space_uuid={SALES}", "--json"))
    assert [line.split()[0] for line in lines] == list(space)
    assert lines[1].split() == ["name", "Sales"]


def test_an_empty_list_is_shown_as_such(call: Call) -> None:
    assert call("list_groups", "search=nobody").stdout == "0 of 0\n"


def test_a_tool_may_be_called_by_its_full_name(call: Call) -> None:
    assert call("lightdash_tools__list_projects").stdout == call("list_projects").stdout != ""


def test_text_stays_text_and_everything_else_is_read_as_json(call: Call) -> None:
    for text in ("42", "true", "null", '{"a":1}', "a=b", '"quoted"'):
        made = answer(call("create_space", PROJECT, f"name={text}", "inherit_permissions=true", "--json"))
        assert made["name"] == text
        assert made["inherit_parent_permissions"] is True
    assert len(answer(call("list_spaces", PROJECT, "limit=5", "--json"))["items"]) == 5
    assert (
        "inherit_permissions must be true or false."
        in call("create_space", PROJECT, "name=x", "inherit_permissions=7").stderr
    )


def test_data_in_a_file_is_kept_between_calls(call: Call, tmp_path: Path) -> None:
    made = answer(call("create_space", PROJECT, "name=Büro 📈", "--json"))
    assert answer(call("get_space", PROJECT, f"space_uuid={made['uuid']}", "--json")) == made
    assert state(tmp_path)[f"spaces/{made['uuid']}/name"] == "Büro 📈"


@pytest.mark.parametrize("settings", [{}, {"ABOVEBOARD_DRY_RUN": "1"}])
def test_a_dry_run_says_what_would_be_sent_and_changes_nothing(
    call: Call, tmp_path: Path, settings: dict[str, str]
) -> None:
    call("list_projects")
    before = state(tmp_path)
    flag = [] if settings else ["--dry-run"]
    space = f"space_uuid={SALES}"
    would = {
        "create_space": answer(call("create_space", PROJECT, "name=New", "--json", *flag, **settings)),
        "update_space": answer(call("update_space", PROJECT, space, "name=New", "--json", *flag, **settings)),
        "delete_space": answer(call("delete_space", PROJECT, space, "--json", *flag, **settings)),
    }
    at = f"/api/v1/projects/{MAIN}/spaces"
    private = {"name": "New", "inheritParentPermissions": False}
    assert would == {
        "create_space": {"dry_run": True, "method": "POST", "path": at, "body": private},
        "update_space": {"dry_run": True, "method": "PATCH", "path": f"{at}/{SALES}", "body": {"name": "New"}},
        "delete_space": {"dry_run": True, "method": "DELETE", "path": f"{at}/{SALES}"},
    }
    assert state(tmp_path) == before
    assert answer(call("list_projects", "--json", *flag, **settings))["total"] == 2


@pytest.mark.parametrize(
    ("mode", "works"),
    [("read-only", ["list_spaces"]), ("additive", ["list_spaces", "create_space"])],
)
@pytest.mark.parametrize("by_flag", [True, False])
def test_a_safety_mode_lets_through_only_what_it_says(
    call: Call, tmp_path: Path, mode: str, works: list[str], *, by_flag: bool
) -> None:
    call("list_projects")
    before = state(tmp_path)
    flag, settings = (["--safety-mode", mode], {}) if by_flag else ([], {"ABOVEBOARD_SAFETY_MODE": mode})
    space = f"space_uuid={SALES}"
    ran = {
        "list_spaces": call("list_spaces", PROJECT, *flag, **settings),
        "create_space": call("create_space", PROJECT, "name=New", *flag, **settings),
        "update_space": call("update_space", PROJECT, space, "name=New", *flag, **settings),
        "delete_space": call("delete_space", PROJECT, space, *flag, **settings),
    }
    assert [tool for tool, one in ran.items() if one.returncode == 0] == works
    assert all(f"the safety mode {mode}" in one.stderr for one in ran.values() if one.returncode)
    assert before.items() <= state(tmp_path).items()


@pytest.mark.parametrize(
    "name", ["plain", "Café", "Cafe\u0301", "日本語", "한국어", "📈 up", "a\u200bb", "ﾊﾝｶｸ", "Ｗide"]
)
def test_a_table_lines_up_in_any_script(name: str) -> None:
    lines = table(("name", "end"), [[name, "|"], ["x" * 20, "|"]]).splitlines()
    # The terminal's own rules, written down for these names alone.
    columns = {
        "plain": 5,
        "Café": 4,
        "Cafe\u0301": 4,
        "日本語": 6,
        "한국어": 6,
        "📈 up": 5,
        "a\u200bb": 2,
        "ﾊﾝｶｸ": 4,
        "Ｗide": 5,
    }
    padding = len(lines[1]) - len(name) - 1
    assert columns[name] + padding == lines[2].index("|")


def test_a_long_value_is_cut_with_a_mark_and_lines_are_kept_together() -> None:
    page = {"items": [{"name": "日" * 60, "text": "one\ntwo\tthree"}], "total": 1}
    lines = click.unstyle(result_text(page)).splitlines()
    assert lines[1] == f"{'日' * 23}…  one two three"
    assert lines[-1] == "1 of 1"


@pytest.mark.parametrize(
    "structured",
    [{"name": "a\x1b]0;owned\x07b"}, {"items": [{"name": "a\x1b[2Jb"}], "total": 1}, {"space": {"name": "a\x9b2Jb"}}],
)
def test_what_the_service_says_cannot_steer_the_terminal(structured: dict[str, Any]) -> None:
    shown = click.unstyle(result_text(structured))
    assert "�" in shown
    assert [char for char in shown if not char.isprintable() and char != "\n"] == []


def test_the_installed_command_writes_utf_8_whatever_the_pipe_claims_to_take() -> None:
    arguments = ("call", "lightdash", "get_chart", "chart=cafe/regulars", "--sandbox", "--json")
    ran = installed(*arguments, settings={"PYTHONIOENCODING": "cp1252"})
    assert answer(ran)["name"] == "Café regulars ☕"


ASCII_ALONE = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


@pytest.mark.parametrize("settings", [{"LC_ALL": "C"}, ASCII_ALONE])
def test_text_in_any_script_comes_and_goes_whatever_the_locale(settings: dict[str, str]) -> None:
    arguments = ("call", "nextcloud", "nc_notes_create_note", "title=Büro", "content=日本", "category=", "--sandbox")
    ran = installed(*arguments, settings=settings)
    assert ran.returncode == 0, ran.stderr
    assert "Büro" in ran.stdout


def test_an_argument_that_is_no_text_is_told_with_what_to_set() -> None:
    broken = os.fsdecode(b"title=B\xfcro")
    ran = installed("call", "nextcloud", "nc_notes_create_note", broken, "--sandbox")
    assert ran.returncode == 2
    assert ran.stderr == (
        "aboveboard: 'title=B\\udcfcro' is not text in UTF-8."
        " Use a terminal that writes UTF-8, as with LC_ALL=C.UTF-8.\n"
    )


def test_a_file_whose_name_is_no_text_is_told_in_a_sentence(tmp_path: Path) -> None:
    ran = installed("verify", "--plan", os.fsdecode(os.fsencode(tmp_path) + b"/B\xfcro.yaml"))
    assert ran.returncode == 2
    assert "B\\udcfcro.yaml cannot be read: No such file or directory." in ran.stderr
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ({"total": 14, "next_page": 2}, "1 of 14; the next page is page=2"),
        ({"total": 9, "next_offset": 2}, "1 of 9; the next page is offset=2"),
        ({"next_cursor": "abc", "remaining": 11}, "1 shown; the next page is cursor=abc"),
        ({}, "1 of 1"),
    ],
)
def test_a_page_says_how_many_there_are_only_where_that_is_known(page: dict[str, Any], said: str) -> None:
    assert click.unstyle(result_text({"items": [{"name": "Tea"}], **page})).splitlines()[-1] == said


def test_a_text_of_several_lines_stays_in_its_column() -> None:
    assert click.unstyle(result_text({"id": 1, "text": "- milk\n- tea\n"})) == "id    1\ntext  - milk\n      - tea"


def test_a_call_is_written_to_the_audit_log_that_the_environment_names(call: Call, tmp_path: Path) -> None:
    log = tmp_path / "audit.ndjson"
    assert call("list_projects", ABOVEBOARD_AUDIT_LOG=str(log)).returncode == 0
    (line,) = log.read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["tool"] == "lightdash_tools__list_projects"


def test_settings_that_are_missing_are_named_with_what_needs_none(capsys: pytest.CaptureFixture[str]) -> None:
    ran = in_process("call", "nextcloud", "get_context", capsys=capsys)
    assert ran.returncode == 2
    assert ran.stderr.rstrip().endswith("(--sandbox needs no settings.)")


@pytest.mark.parametrize(
    ("arguments", "settings"),
    [
        (["--sandbox-data", "/nowhere/shop.sqlite"], {}),
        (["--sandbox"], {"LIGHTDASH_PROJECT_UUID": "none"}),
        ([], {"LIGHTDASH_URL": "lightdash", "LIGHTDASH_API_KEY": "hunter2"}),
    ],
)
def test_the_sandbox_is_offered_only_to_who_has_no_settings(
    arguments: list[str], settings: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    ran = in_process("call", "lightdash", "list_projects", *arguments, settings=settings, capsys=capsys)
    assert ran.returncode == 2
    assert "--sandbox" not in ran.stderr


def test_a_short_name_of_several_tools_is_refused_with_their_full_names(capsys: pytest.CaptureFixture[str]) -> None:
    ran = in_process("call", "nextcloud", "set_favorite", "--sandbox", capsys=capsys)
    assert ran.returncode == 2
    assert "nc_webdav_set_favorite, nc_notes_set_favorite" in ran.stderr


def test_an_unknown_tool_is_told_with_near_names_and_where_all_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    ran = in_process("call", "nextcloud", "list_note", "--sandbox", capsys=capsys)
    assert ran.returncode == 2
    assert "Nextcloud has no tool 'list_note': did you mean 'list_notes'" in ran.stderr
    assert "`aboveboard tools nextcloud` shows them all." in ran.stderr


def test_the_help_of_a_tool_says_what_it_takes(capsys: pytest.CaptureFixture[str]) -> None:
    ran = in_process("call", "lightdash", "run_metric_query", "--help", settings={"COLUMNS": "80"}, capsys=capsys)
    said = " ".join(ran.stdout.split())
    assert ran.returncode == 0
    assert said.startswith(
        "Usage: aboveboard call lightdash run_metric_query [KEY=VALUE]... [OPTIONS] Run Metric Query"
    )
    assert "Example response" not in said
    assert "explore text, required. Explore name." in said
    assert "metrics list of texts. Metric ids, such as orders_order_count." in said
    assert "limit whole number. Rows to compute at most. Default: 500." in said
    assert """written as JSON, in quotes: dimensions='["..."]'""" in said
    assert max(map(widest_line, ran.stdout.splitlines())) <= 80


@pytest.mark.parametrize("order", [("--help", "lightdash", "create_space"), ("lightdash", "create_space", "-h")])
def test_the_help_of_a_tool_is_shown_wherever_it_is_asked_for(
    order: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert "text, required. The name people see." in in_process("call", *order, capsys=capsys).stdout


def test_the_help_of_no_tool_is_an_error_with_near_names(capsys: pytest.CaptureFixture[str]) -> None:
    ran = in_process("call", "nextcloud", "list_note", "--help", capsys=capsys)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "did you mean 'list_notes'" in ran.stderr


def test_every_tool_has_a_help_that_names_all_its_parameters() -> None:
    catalogues: list[Catalogue[Any]] = [Catalogue(LIGHTDASH, Policy()), Catalogue(NEXTCLOUD, Policy())]
    for catalogue in catalogues:
        for name, tool in catalogue.tools.items():
            formatter = click.HelpFormatter(width=100)
            write_tool_help(formatter, catalogue, name, "aboveboard call")
            lines = formatter.getvalue().splitlines()
            shown = {line.split()[0] for line in lines if line.startswith("  ") and line.strip()}
            assert set(tool.input_schema.get("properties", {})) <= shown, name


@pytest.mark.parametrize(
    ("argument", "said"),
    [
        ("metrics=orders_count", """metrics must be a list. Write it as JSON, in quotes: metrics='["orders_count"]'"""),
        ("metrics=[a, b]", """metrics='["a", "b"]'"""),
        ("metrics=", """metrics='["..."]'"""),
        ("table_calculations=x", """table_calculations='[{"name": ..., "sql": ...}]'"""),
        ("filters=[status]", """filters='[{"field": ..., "operator": ..., "values": ...}]'"""),
    ],
)
def test_a_list_that_is_none_is_refused_with_how_to_write_it(call: Call, argument: str, said: str) -> None:
    ran = call("run_metric_query", "explore=orders", argument)
    assert ran.returncode == 2
    assert said in ran.stderr


def test_how_a_list_is_said_to_be_written_is_taken(call: Call) -> None:
    advised = call("run_metric_query", "explore=orders", "metrics=orders_order_count").stderr.rpartition(": ")[2]
    (argument,) = shlex.split(advised)
    assert call("run_metric_query", "explore=orders", argument).returncode == 0


def test_the_rows_of_a_query_are_a_table_that_fits(call: Call) -> None:
    query = ["run_metric_query", "explore=orders", 'dimensions=["orders_status"]', 'metrics=["orders_order_count"]']
    told = answer(call(*query, "--json"))
    ran = call(*query, COLUMNS="80")
    lines = ran.stdout.splitlines()
    assert lines[0].split() == [word for column in told["columns"] for word in column["label"].split()]
    assert [line.split() for line in lines[1:-3]] == [[str(cell) for cell in row] for row in told["rows"]]
    count = len(told["rows"])
    assert lines[-3:-1] == [f"{count} of {count} rows; no room for url: --json shows all", "status      ready"]
    assert lines[-1].startswith("query_uuid  ")
    assert max(map(widest_line, lines)) <= 80
    assert f"url         {told['url']}" in call(*query).stdout.splitlines()


def test_rows_that_are_none_are_counted_and_labels_cannot_steer_the_terminal() -> None:
    columns = [{"id": "a", "label": "A\x1b[2J", "type": "string"}, {"id": "b", "label": "A\x1b[2J", "type": "number"}]
    told = {"status": "ready", "columns": columns, "rows": [["x", None]], "total_rows": 7}
    assert click.unstyle(result_text(told)).splitlines() == [
        "A\N{REPLACEMENT CHARACTER}[2J  A\N{REPLACEMENT CHARACTER}[2J",
        "x      null",
        "1 of 7 rows",
        "status  ready",
    ]
    assert click.unstyle(result_text({**told, "rows": [], "total_rows": 0})).splitlines()[0] == "0 of 0 rows"
