"""The commands as a person types them."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from aboveboard.audit.verify import Progress, parse_plan
from aboveboard.audit.verify.inventing import another, value_for
from aboveboard.cli import group
from aboveboard.cli.progress import Meter
from aboveboard.errors import Failure


def _aboveboard(*arguments: str) -> Result:
    done = CliRunner(env={"COLUMNS": ""}).invoke(group, list(arguments))
    if done.exception is not None and not isinstance(done.exception, SystemExit | Failure):
        raise done.exception
    return done


def test_a_plan_is_run_saved_and_told_with_the_secrets_left_out(notes_plan: Path, tmp_path: Path) -> None:
    saved, patch = tmp_path / "evidence.json", tmp_path / "patch.json"
    wanted = ["--only", "peek_note,tag_*", "--repeats", "1"]
    files = ["--save", str(saved), "--patch", str(patch), "--write", f"markdown={tmp_path / 'report.md'}"]
    done = _aboveboard("verify", "--plan", str(notes_plan), *wanted, *files, "--format", "json")
    assert done.exit_code == 1, done.output
    assert "2 of 2 cases; looking for late work: 0 of 2" in done.stderr
    assert f"{patch}: 3 corrections\n" in done.stderr
    assert f"{saved}: the evidence, with digests for values\n" in done.stderr
    assert f"{tmp_path / 'report.md'}: the report as markdown\n" in done.stderr
    verdicts = {(one["tool"], one["hint"]): one["verdict"] for one in json.loads(done.stdout)["verdicts"]}
    assert verdicts["peek_note", "readOnlyHint"] == "violated"
    assert {tool for tool, _ in verdicts} == {"peek_note", "tag_note"}
    assert "xyzzy-secret-token" not in saved.read_text(encoding="utf-8") + done.output
    corrected = json.loads(patch.read_text(encoding="utf-8"))["peek_note"]
    assert corrected["annotations"] == {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": False}
    assert corrected["kind"]["readOnlyHint"] == "correction"
    assert corrected["evidence"]["readOnlyHint"].startswith("GET /notes/{id}/view overwrote notes/1/views")
    assert "GET /notes/{id}/view overwrote" in (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "dairy" in done.stdout, "the backend is disposable, so its values may be seen"
    assert "dairy" not in saved.read_text(encoding="utf-8"), "a file may go to others"
    again = _aboveboard("report", str(saved), "--format", "json")
    causes = [(one["tool"], one["hint"], one["cause"]) for one in json.loads(done.stdout)["verdicts"]]
    assert [(one["tool"], one["hint"], one["cause"]) for one in json.loads(again.stdout)["verdicts"]] == causes
    assert again.exit_code == 1


def test_kept_values_make_the_same_report_and_hold_no_secret(notes_plan: Path, tmp_path: Path) -> None:
    saved = tmp_path / "evidence.json"
    plan = _changed(notes_plan, tmp_path, ("{text: Eggs}", "{text: the token is xyzzy-secret-token}"))
    only = ["--only", "create_note", "--repeats", "1", "--format", "json"]
    done = _aboveboard("verify", plan, *only, "--save", str(saved), "--keep-values")
    assert done.exit_code == 0, done.output
    kept = saved.read_text(encoding="utf-8")
    assert "the token is [hidden]" in kept
    assert "the token is [hidden]" in done.stdout
    assert "xyzzy-secret-token" not in kept + done.output
    assert _aboveboard("report", str(saved), "--format", "json").stdout == done.stdout


def _changed(notes_plan: Path, folder: Path, *changes: tuple[str, str]) -> str:
    """Write another plan for the notes, and return where."""
    text = notes_plan.read_text(encoding="utf-8").replace("${here}", str(notes_plan.parent))
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    file = folder / "plan.yaml"
    file.write_text(text, encoding="utf-8")
    return str(file)


def test_a_run_that_learned_nothing_is_no_success(notes_plan: Path, tmp_path: Path) -> None:
    blind = _changed(notes_plan, tmp_path, ("  state: GET /state\n", "  record: none\n"), ('"${upstream}"', "nowhere"))
    done = _aboveboard("verify", "--plan", blind, "--only", "list_notes", "--repeats", "1")
    assert done.exit_code == 1
    assert "no finding, but 4 hints could not be verified in" in done.stdout
    assert "nothing found" not in done.stdout
    page = _aboveboard("verify", "--plan", blind, "--only", "unplanned", "--format", "html")
    assert page.exit_code == 2, "nothing at all was called"
    assert "No call of any tool could be tried." in page.stderr
    assert "Not all could be seen." in page.stdout


def test_a_call_that_must_be_refused_is_proven_to_be_and_makes_the_run_fail_where_it_is_not(
    notes_plan: Path, tmp_path: Path
) -> None:
    known = 'get_note: [{arguments: {id: "${first}"}}]'
    wanted = ["--only", "get_note", "--repeats", "1", "--save", str(tmp_path / "evidence.json")]
    refused = f"{known[:-1]}, {{name: gone, arguments: {{id: 99}}, refused: '%s'}}]"
    right = _changed(notes_plan, tmp_path, (known, refused % "no such note"))
    done = _aboveboard("verify", right, *wanted)
    assert done.exit_code == 0, done.output
    assert "1 case must be refused" in done.stdout
    wrong = _changed(notes_plan, tmp_path, (known, refused % "gone for good"))
    done = _aboveboard("verify", wrong, *wanted)
    assert done.exit_code == 1, done.output
    assert "must be refused in case 'gone', and was refused without saying 'gone for good'" in done.stdout
    again = _aboveboard("report", str(tmp_path / "evidence.json"))
    assert again.exit_code == 1
    assert "BEH07" in again.stdout
    open_one = '{name: open, arguments: {id: "${first}"}, refused: closed}'
    both = _changed(notes_plan, tmp_path, (known, f"{(refused % 'gone for good')[:-1]}, {open_one}]"))
    told = _aboveboard("verify", both, *wanted, "--verbose").stdout
    assert "get_note: must be refused in case 'gone'" in told
    assert "get_note: must be refused in case 'open', and was carried out" in told


def test_what_the_plan_calls_unseen_and_is_seen_is_reported_like_everything_else(
    notes_plan: Path, tmp_path: Path
) -> None:
    known = '      arguments: {id: "${made}"}\n  draw_note'
    reason = "      unseen: {destructiveHint: The bin keeps it.}\n  draw_note"
    plan = _changed(notes_plan, tmp_path, (known, known.replace("  draw_note", reason)))
    files = {form: tmp_path / form for form in ("junit", "sarif")}
    also = [part for form, file in files.items() for part in ("--write", f"{form}={file}")]
    wanted = ["--only", "delete_note", "--repeats", "1", "--format", "json", "--save", str(tmp_path / "evidence.json")]
    done = _aboveboard("verify", plan, *wanted, *also)
    assert done.exit_code == 1, done.output
    report = json.loads(done.stdout)
    (found,) = report["findings"]
    assert (found["rule"], found["severity"], found["hint"]) == ("BEH08", "error", "destructiveHint")
    assert "cannot be observed of destructiveHint ('The bin keeps it.')" in found["message"]
    assert {one["verdict"] for one in report["verdicts"]} == {"holds"}, "what was seen counts all the same"
    assert 'failures="1"' in files["junit"].read_text(encoding="utf-8")
    (result,) = json.loads(files["sarif"].read_text(encoding="utf-8"))["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].endswith("plan.yaml")
    assert _aboveboard("report", str(tmp_path / "evidence.json")).exit_code == 1


def test_a_step_whose_answer_lacks_a_value_is_named_with_what_it_has(notes_plan: Path, tmp_path: Path) -> None:
    plan = _changed(notes_plan, tmp_path, ("keep: {made: id}", "keep: {made: result.id}"))
    done = _aboveboard("verify", plan, "--only", "delete_note", "--repeats", "1")
    assert done.exit_code == 2
    assert "step 1 (create_note): its answer has no result.id; it has id, text" in done.stdout


def test_an_unfinished_plan_is_refused_with_the_first_line_that_is_left(notes_plan: Path, tmp_path: Path) -> None:
    plan = _changed(notes_plan, tmp_path, ("{made: id}", "{made: TODO}"), ("POST /reset", "POST /TODO"))
    done = _aboveboard("verify", "--plan", plan)
    assert done.exit_code == 2
    line = next(n for n, text in enumerate(Path(plan).read_text(encoding="utf-8").splitlines(), 1) if "TODO" in text)
    assert (
        f"plan.yaml is not finished: 2 values still say TODO, the first on line {line}. Complete them;" in done.stderr
    )
    assert parse_plan("tools: {a: [{arguments: {state: 'TODO', b: A TODO list}}]} # TODO").todos == []


def test_elsewhere_than_on_a_terminal_progress_is_a_line_for_every_tenth(capsys: pytest.CaptureFixture[str]) -> None:
    with Meter() as meter:
        for done in range(1, 138):
            meter.show(Progress(done, 137, f"tool_{done}", 1.0))
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 12
    assert told[0] == "1 of 137 cases: tool_1", "one case stands for nothing"
    assert told[1] == "10 of 137 cases, about 13 s left: tool_10"
    assert told[-1].startswith("137 of 137 cases, about 0 s left")


@pytest.mark.parametrize(
    ("now", "left"),
    [
        (Progress(1, 649, "tool", 1.0, late=60.0), None),
        (Progress(9, 649, "tool", 29.0, late=60.0), None),
        (Progress(10, 30, "tool", 10.0, late=60.0), 80.0),
        (Progress(1, 11, "tool", 30.0, late=60.0), 360.0),
        (Progress(2, 2, "tool", 1.0, late=6.0), 6.0),
    ],
)
def test_how_long_it_takes_is_told_when_enough_was_seen_or_cases_are_slow(now: Progress, left: float | None) -> None:
    assert now.left == left


def test_progress_goes_on_while_late_work_is_looked_for(capsys: pytest.CaptureFixture[str]) -> None:
    with Meter() as meter:
        meter.show(Progress(320, 640, "tool", 100.0, late=600.0))
        for looked in range(0, 641, 8):
            meter.show(Progress(640, 640, "", 200.0, looked=looked, late=640.0 - looked))
    told = capsys.readouterr().err.splitlines()
    assert told[0] == "320 of 640 cases, about 12 min left: tool"
    assert told[1] == "640 of 640 cases; looking for late work: 0 of 640, about 11 min left"
    assert told[-2] == "640 of 640 cases; looking for late work: 576 of 640, about 64 s left"
    assert told[-1].startswith("640 of 640 cases; late work was looked for")
    assert len(told) == 12


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "There is no plan. Write a first one with"),
        (["--plan", "nowhere.yaml"], "The plan nowhere.yaml cannot be read"),
        (["--draft"], "There is no server to read."),
        (["--plan", "PLAN", "--only", "list_nots"], "The server has no tool 'list_nots': did you mean 'list_notes'"),
        (["--plan", "PLAN", "--", "no-such-command"], "'no-such-command' cannot be started"),
        (["nothing-there", "--plan", "PLAN"], "'nothing-there' is not a file, not a URL"),
    ],
)
def test_what_cannot_be_run_is_said_in_a_sentence_and_ends_with_2(
    notes_plan: Path, arguments: list[str], said: str
) -> None:
    done = _aboveboard("verify", *(str(notes_plan) if one == "PLAN" else one for one in arguments))
    assert done.exit_code == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", ["verify", "check"])
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["python", "server.py"], "after two dashes: aboveboard {} -- python server.py"),
        (["-v", "npx", "a server", "--jobs", "2"], "two dashes: aboveboard {} -v --jobs 2 -- npx 'a server'"),
        (["python server.py"], "after two dashes: aboveboard {} -- python server.py"),
        (["python", "server.py", "--port", "1"], "its whole command after two dashes"),
    ],
)
def test_a_command_without_its_dashes_is_told_how_it_is_given(command: str, arguments: list[str], said: str) -> None:
    done = _aboveboard(command, *arguments)
    assert done.exit_code == 2
    assert said.format(command) in " ".join(done.stderr.split())


@pytest.mark.parametrize(
    ("target", "line"),
    [
        (["--", "npx", "a server"], "aboveboard verify --draft -o plan.yaml -- npx 'a server'"),
        (["http://127.0.0.1:9/mcp"], "aboveboard verify --draft -o plan.yaml http://127.0.0.1:9/mcp"),
        ([], "aboveboard verify --draft -o plan.yaml TARGET"),
    ],
)
def test_where_there_is_no_plan_the_whole_line_that_drafts_one_is_told(target: list[str], line: str) -> None:
    done = _aboveboard("verify", *target)
    assert done.exit_code == 2
    assert done.stderr == f"aboveboard: There is no plan. Write a first one with: {line}\n"


def test_a_draft_is_a_plan_and_says_what_is_left_to_do(notes_plan: Path, tmp_path: Path) -> None:
    file = tmp_path / "plan.yaml"
    server = str(notes_plan.parent / "server.py")
    done = _aboveboard("verify", "--draft", "-o", str(file), "--", sys.executable, server)
    assert done.exit_code == 0, done.output
    assert "TODO" in done.stderr
    plan = parse_plan(file.read_text(encoding="utf-8"))
    assert plan.server.command == (sys.executable, server)
    assert plan.marathon == 20
    told = [case.name for case in plan.of("manage_note") if not case.name.startswith("after")]
    assert told[:3] == ["", "action=delete", "action=archive"], "the first value of an enum is the usual one"
    delete = plan.of("delete_note")[0]
    assert [step.call for step in delete.steps] == ["create_note"]
    assert delete.arguments == {"id": "${note_id}"}
    rewrite = plan.of("rewrite_note")[0]
    assert [step.arguments for step in rewrite.steps] == [{"text": "An example text"}]
    assert rewrite.arguments == {"id": "${note_id}", "text": "Another example text"}, "an equal one changes nothing"
    assert [case.arguments for case in plan.of("search_notes")] == [
        {"text": "${known_text}"},
        {"text": "no such thing 4711"},
    ]
    after = next(case for case in plan.of("get_note") if case.name == "after tag_note")
    assert [step.call for step in after.steps] == ["create_note", "tag_note"]
    assert [step.arguments.get("id", "") for step in after.steps] == ["", "${note_id}"], "on the same record"
    assert after.arguments == {"id": "${note_id}"}


def test_a_draft_is_not_written_over_a_plan_unless_it_is_forced(notes_plan: Path, tmp_path: Path) -> None:
    file = tmp_path / "plan ü.yaml"
    file.write_text("tools: {}  # completed by hand\n", encoding="utf-8")
    given = ["verify", "--draft", "-o", str(file)]
    server = ["--", sys.executable, str(notes_plan.parent / "server.py")]
    refused = _aboveboard(*given, *server)
    assert refused.exit_code == 2, refused.output
    said = f"aboveboard: {file} is there already. Name another file, or write over it with --force.\n"
    assert refused.stderr == said
    assert file.read_text(encoding="utf-8") == "tools: {}  # completed by hand\n"
    forced = _aboveboard(*given, "--force", *server)
    assert forced.exit_code == 0, forced.output
    assert f"#   aboveboard verify --plan '{file}'\n" in file.read_text(encoding="utf-8")
    file.write_text("", encoding="utf-8")
    assert _aboveboard(*given, *server).exit_code == 0, "an empty file has nothing to lose"


@pytest.mark.parametrize("command", ["verify", "check"])
@pytest.mark.parametrize("option", ["-o", "--save", "--patch"])
def test_nothing_is_called_where_the_plan_would_be_written_over(tmp_path: Path, command: str, option: str) -> None:
    plan = tmp_path / "plan.txt"
    plan.write_text("server: {command: [no-such-command]}\n", encoding="utf-8")
    done = _aboveboard(command, "--plan", str(plan), option, str(plan))
    assert done.exit_code == 2
    assert done.stderr == f"aboveboard: {plan} may be a plan and is not written over. Name another file.\n"
    assert plan.read_text(encoding="utf-8") == "server: {command: [no-such-command]}\n"


def test_a_budget_leaves_out_what_says_least_and_tells_so(notes_plan: Path) -> None:
    server = str(notes_plan.parent / "server.py")
    done = _aboveboard("verify", "--draft", "--budget", "20s", "--", sys.executable, server)
    assert done.exit_code == 0, done.output
    assert re.search(r"# \d+ more cases did not fit into 20 s, as is said below; --budget gives more", done.stdout)
    assert re.search(r"# left out for the time: .*\d+ pairs", done.stdout)
    plan = parse_plan(done.stdout)
    assert len({case.tool for case in plan.cases}) == 20, "no tool is left out"
    refused = _aboveboard("verify", "--draft", "--budget", "soon", "--", sys.executable, server)
    assert (refused.exit_code, "'soon' is not a time. Say 90s, 5m or 1h." in refused.stderr) == (2, True)


def test_a_drafted_value_comes_from_the_schema() -> None:
    root = {"$defs": {"day": {"type": "string", "format": "date"}}}
    assert value_for("a", {"type": "string", "examples": ["x"], "default": "y"}, root) == "x"
    assert value_for("a", {"type": "integer", "default": 3}, root) == 3
    assert value_for("a", {"enum": ["u", "v"]}, root) == "u"
    assert value_for("a", {"$ref": "#/$defs/day"}, root) == "2026-01-31"
    assert value_for("a", {"anyOf": [{"type": "null"}, {"type": "number", "minimum": 2}]}, root) == 2
    assert value_for("project_uuid", {"type": "string"}, root) == "TODO"
    assert value_for("a", {"const": "k", "type": "string"}, root, other=True) == "k"
    nested = {"type": "object", "properties": {"b": {"type": "boolean"}, "c": {}}, "required": ["b"]}
    assert value_for("a", {"type": "array", "items": nested}, root) == [{"b": False}]


@pytest.mark.parametrize(
    ("schema", "value", "instead"),
    [
        ({"type": "string"}, "An example a", "Another example a"),
        ({"type": "integer"}, 1, 2),
        ({"type": "integer", "minimum": 1, "maximum": 1}, 1, 1),
        ({"type": "boolean"}, False, True),
        ({"enum": ["u", "v"]}, "u", "v"),
        ({"type": "string", "format": "date"}, "2026-01-31", "2026-02-01"),
        ({"type": "string", "examples": ["x"]}, "x", "Another example a"),
        ({"type": "array", "items": {"type": "number"}}, [1], [2]),
        (
            {"type": "object", "properties": {"b": {"type": "string"}}, "required": ["b"]},
            {"b": "old"},
            {"b": "Another example b"},
        ),
    ],
)
def test_what_is_written_over_something_differs_from_what_was_there(schema: Any, value: Any, instead: Any) -> None:
    assert another(value, [{"other": value}], "a", schema, {}) == instead
    assert another(value, [{"other": "something else"}], "a", schema, {}) == value


def test_a_plan_from_elsewhere_needs_the_word_that_all_may_be_lost(tmp_path: Path) -> None:
    file = tmp_path / "plan.yaml"
    file.write_text("server: {url: 'https://mcp.example.com/mcp'}\ntools: {a: [{}]}\n", encoding="utf-8")
    done = _aboveboard("verify", "--plan", str(file))
    assert done.exit_code == 2
    assert "The server at mcp.example.com is not on this machine" in done.stderr
    assert "--i-know-this-is-disposable" in done.stderr
