"""The commands as a person types them."""

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from aboveboard.audit.verify import parse_plan
from aboveboard.audit.verify.draft import value_for
from aboveboard.cli import group
from aboveboard.errors import Failure


def _aboveboard(*arguments: str) -> Result:
    done = CliRunner().invoke(group, list(arguments))
    if done.exception is not None and not isinstance(done.exception, SystemExit | Failure):
        raise done.exception
    return done


def test_a_plan_is_run_saved_and_told_with_the_secrets_left_out(notes_plan: Path, tmp_path: Path) -> None:
    saved, patch = tmp_path / "evidence.json", tmp_path / "patch.json"
    wanted = ["--only", "peek_note", "--only", "tag_*", "--repeats", "1"]
    files = ["--save", str(saved), "--patch", str(patch), "--write", f"markdown={tmp_path / 'report.md'}"]
    done = _aboveboard("verify", "--plan", str(notes_plan), *wanted, *files, "--format", "json")
    assert done.exit_code == 1, done.output
    assert "2 of 2 cases, about 0 s left" in done.stderr
    verdicts = {(one["tool"], one["hint"]): one["verdict"] for one in json.loads(done.stdout)["verdicts"]}
    assert verdicts["peek_note", "readOnlyHint"] == "violated"
    assert {tool for tool, _ in verdicts} == {"peek_note", "tag_note"}
    assert "xyzzy-secret-token" not in saved.read_text(encoding="utf-8") + done.output
    assert json.loads(patch.read_text(encoding="utf-8")) == {}
    assert "GET /notes/{id}/view overwrote" in (tmp_path / "report.md").read_text(encoding="utf-8")
    again = _aboveboard("report", str(saved), "--format", "json")
    assert (again.stdout, again.exit_code) == (done.stdout, 1)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "There is no plan. Write a first one with"),
        (["--plan", "nowhere.yaml"], "The plan nowhere.yaml cannot be read"),
        (["--draft"], "There is no server to read."),
        (["--plan", "PLAN", "--only", "list_nots"], "The server has no tool 'list_nots': did you mean 'list_notes'"),
        (["--plan", "PLAN", "--", "no-such-command"], "'no-such-command' cannot be started"),
        (["nothing-there", "--plan", "PLAN"], "'nothing-there' is no file, no URL"),
    ],
)
def test_what_cannot_be_run_is_said_in_a_sentence_and_ends_with_2(
    notes_plan: Path, arguments: list[str], said: str
) -> None:
    done = _aboveboard("verify", *(str(notes_plan) if one == "PLAN" else one for one in arguments))
    assert done.exit_code == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_draft_is_a_plan_and_says_what_is_left_to_do(notes_plan: Path, tmp_path: Path) -> None:
    file = tmp_path / "plan.yaml"
    server = str(notes_plan.parent / "server.py")
    done = _aboveboard("verify", "--draft", "-o", str(file), "--", sys.executable, server)
    assert done.exit_code == 0, done.output
    assert "TODO" in done.stderr
    plan = parse_plan(file.read_text(encoding="utf-8"))
    assert plan.server.command == (sys.executable, server)
    assert [case.name for case in plan.of("manage_note")] == ["action=get", "action=delete", "action=archive"]
    (delete,) = plan.of("delete_note")
    assert [step.call for step in delete.arrange] == ["create_note"]
    assert delete.arguments == {"id": "${id}"}
    (search,) = plan.of("search_notes")
    assert search.arguments == {"text": "An example text"}


def test_a_drafted_value_comes_from_the_schema() -> None:
    root = {"$defs": {"day": {"type": "string", "format": "date"}}}
    assert value_for("a", {"type": "string", "examples": ["x"], "default": "y"}, root) == "x"
    assert value_for("a", {"type": "integer", "default": 3}, root) == 3
    assert value_for("a", {"enum": ["u", "v"]}, root) == "u"
    assert value_for("a", {"$ref": "#/$defs/day"}, root) == "2026-01-31"
    assert value_for("a", {"anyOf": [{"type": "null"}, {"type": "number", "minimum": 2}]}, root) == 2
    assert value_for("project_uuid", {"type": "string"}, root) == "TODO"
    nested = {"type": "object", "properties": {"b": {"type": "boolean"}, "c": {}}, "required": ["b"]}
    assert value_for("a", {"type": "array", "items": nested}, root) == [{"b": False}]


def test_a_plan_from_elsewhere_needs_the_word_that_all_may_be_lost(tmp_path: Path) -> None:
    file = tmp_path / "plan.yaml"
    file.write_text("server: {url: 'https://mcp.example.com/mcp'}\ntools: {a: [{}]}\n", encoding="utf-8")
    done = _aboveboard("verify", "--plan", str(file))
    assert done.exit_code == 2
    assert "The server at mcp.example.com is not on this machine" in done.stderr
    assert "--i-know-this-is-disposable" in done.stderr
