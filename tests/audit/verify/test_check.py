"""`aboveboard check`: what a server says and what it does, in one report."""

import json
from pathlib import Path

from click.testing import CliRunner, Result
from tests.audit.liars.stage import DELETE, GET, READS, tool

from aboveboard.audit.evidence import HINTS, example
from aboveboard.audit.settings import Settings
from aboveboard.audit.verify import Proof
from aboveboard.audit.verify.reporting import report_of
from aboveboard.cli import group
from aboveboard.errors import Failure

ONE = ["--only", "peek_note", "--repeats", "1", "--format", "json"]


def _aboveboard(*arguments: str) -> Result:
    done = CliRunner(env={"COLUMNS": ""}).invoke(group, list(arguments))
    if done.exception is not None and not isinstance(done.exception, SystemExit | Failure):
        raise done.exception
    return done


def _saved(folder: Path, *tools: object) -> str:
    file = folder / "tools.json"
    file.write_text(json.dumps({"tools": tools}), encoding="utf-8")
    return str(file)


def test_one_report_holds_what_reading_finds_and_what_watching_finds(notes_plan: Path) -> None:
    checked = _aboveboard("check", str(notes_plan), *ONE)
    watched = _aboveboard("verify", str(notes_plan), *ONE)
    assert (checked.exit_code, watched.exit_code) == (1, 1)
    both, seen = json.loads(checked.stdout), json.loads(watched.stdout)
    assert [one["verdict"] for one in both["verdicts"]] == [one["verdict"] for one in seen["verdicts"]]
    assert {one["rule"] for one in seen["findings"]} < {one["rule"] for one in both["findings"]}
    assert {"BEH01", "TTL02"} <= {one["rule"] for one in both["findings"]}


def test_several_findings_of_one_rule_and_tool_all_stay() -> None:
    limits = {name: {"type": "integer", "maximum": 5, "default": 9} for name in ("first", "second")}
    read = [example(inputSchema={"type": "object", "properties": limits})]
    report = report_of(Proof(servers=[], behaviours=[]), Settings(select=("SCH05",)), read=read)
    assert [one.message.partition(":")[0] for one in report.findings] == ["first", "second"]


def test_without_a_plan_it_reads_and_says_so(tmp_path: Path) -> None:
    lie = _saved(tmp_path, tool("delete_note", "Delete a note for good.", READS))
    done = _aboveboard("check", lie)
    assert done.exit_code == 0
    assert "No plan was given, so no tool was called." in done.stderr
    assert "ANN06" in done.stdout
    assert _aboveboard("check", lie, "--fail-on", "warning").exit_code == 1
    gone = _aboveboard("check", "--", "no-such-program", "two words")
    assert gone.exit_code == 2
    assert "aboveboard verify --draft -o plan.yaml -- no-such-program 'two words'" in gone.stderr
    assert _aboveboard("check").exit_code == 2


def test_a_baseline_counts_beside_a_plan(notes_plan: Path, tmp_path: Path) -> None:
    before = _saved(tmp_path, GET, DELETE)
    done = _aboveboard("check", "--plan", str(notes_plan), *ONE, "--baseline", before)
    assert "DRF02" in {one["rule"] for one in json.loads(done.stdout)["findings"]}


def test_code_scanning_is_led_to_the_line_of_the_plan(notes_plan: Path) -> None:
    done = _aboveboard("verify", str(notes_plan), "--only", "peek_note", "--repeats", "1", "--format", "sarif")
    (run,) = json.loads(done.stdout)["runs"]
    lines = notes_plan.read_text(encoding="utf-8").splitlines()
    line = next(number for number, text in enumerate(lines, 1) if text.startswith("  peek_note:"))
    place = next(one for one in run["results"] if one["ruleId"] == "BEH01")["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": str(notes_plan)}, "region": {"startLine": line}}


def test_a_tool_without_hints_is_proposed_all_four_with_what_was_seen(notes_plan: Path, tmp_path: Path) -> None:
    file = tmp_path / "patch.json"
    only = ["--only", "count_notes", "--only", "list_notes", "--repeats", "1"]
    _aboveboard("verify", str(notes_plan), *only, "--patch", str(file))
    proposed = json.loads(file.read_text(encoding="utf-8"))
    assert list(proposed) == ["count_notes"], "list_notes states its hints, and they hold"
    one = proposed["count_notes"]
    assert one["annotations"].keys() == one["kind"].keys() == one["evidence"].keys() == set(HINTS)
    assert one["annotations"]["readOnlyHint"] is True
    assert one["kind"]["readOnlyHint"] == "suggestion"
    assert one["evidence"]["readOnlyHint"] == "1 case, 1 trial (GET /notes), none changed anything"
    assert one["annotations"] | {"openWorldHint": True} == {**READS, "openWorldHint": True}
    assert one["kind"]["openWorldHint"] == "default", "the plan says that it cannot be seen"
