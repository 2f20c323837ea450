"""Evidence in a file: redacted, judged again to the same end, and refused where it is damaged."""

import json
from dataclasses import replace
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from aboveboard.audit.evidence import Tool
from aboveboard.audit.report import Format, render
from aboveboard.audit.rule import Profile
from aboveboard.audit.settings import Settings
from aboveboard.audit.verdict import Ruling
from aboveboard.audit.verify import Proof
from aboveboard.audit.verify.patch import patch
from aboveboard.audit.verify.redaction import redact_proof
from aboveboard.audit.verify.reporting import report_of
from aboveboard.audit.verify.saving import evidence_text, read_evidence
from aboveboard.cli import group
from aboveboard.errors import BadInput

ALL = Settings(profiles=tuple(Profile))


def _saved(proof: Proof, folder: Path) -> Path:
    file = folder / "evidence.json"
    file.write_text(evidence_text(proof), encoding="utf-8")
    return file


def test_a_saved_proof_makes_the_same_report_in_every_form(proof: Proof, tmp_path: Path) -> None:
    hidden = redact_proof(proof)
    again = read_evidence(_saved(hidden, tmp_path))
    for form in Format:
        assert render(report_of(again, ALL), form, verbose=True) == render(report_of(hidden, ALL), form, verbose=True)
    told = [(one.tool, one.hint, one.verdict, one.cause) for one in proof.verdicts]
    assert [(one.tool, one.hint, one.verdict, one.cause) for one in again.verdicts] == told


def test_values_stay_where_they_are_wanted_and_show_nowhere_else(proof: Proof, tmp_path: Path) -> None:
    hidden = _saved(redact_proof(proof, ["Milk"]), tmp_path).read_text(encoding="utf-8")
    for value in ("Milk", "Eggs", "Honey", "Butter", "dairy"):
        assert value not in hidden
    kept = read_evidence(_saved(proof, tmp_path))
    assert "Honey" in evidence_text(kept)
    plain, again = report_of(proof, ALL), report_of(kept, ALL)
    assert render(again, Format.JSON) == render(plain, Format.JSON)


def test_what_answers_were_found_wrong_by_survives_without_the_answers(proof: Proof, tmp_path: Path) -> None:
    answer = proof.answers[0]
    schema = {"type": "object", "required": ["total"]}
    strict = Tool({**answer.tool.definition, "outputSchema": schema}, "notes")
    answers = [replace(answer, tool=strict)]
    hidden = redact_proof(replace(proof, answers=answers))
    assert not hidden.answers
    found = {(one.rule, one.tool) for one in report_of(read_evidence(_saved(hidden, tmp_path)), Settings()).findings}
    assert ("SCH06", "list_notes") in found


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is not JSON"),
        ("[]", "holds no evidence"),
        ('{"evidence": 99}', "holds evidence of version 99"),
        ('{"evidence": 1, "servers": []}', "holds evidence that is damaged"),
    ],
)
def test_a_file_that_is_no_evidence_is_refused_in_a_sentence(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "evidence.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=said):
        read_evidence(file)


def test_the_report_command_writes_it_again_and_ends_as_verify_did(proof: Proof, tmp_path: Path) -> None:
    file = str(_saved(redact_proof(proof), tmp_path))
    page = tmp_path / "report.html"
    done = CliRunner().invoke(group, ["report", file, "--format", "json", "--write", f"html={page}"])
    assert done.exit_code == 1
    document = json.loads(done.stdout)
    assert {one["verdict"] for one in document["verdicts"]} == set(map(str, Ruling))
    assert document["verdicts"][0]["arguments"] == [""]
    assert "All above board." not in page.read_text(encoding="utf-8")
    spared = ["--fail-on", "never"]
    assert CliRunner().invoke(group, ["report", file, *spared, "--no-strict"]).exit_code == 0
    strict = CliRunner().invoke(group, ["report", file, *spared, "--strict"])
    assert strict.exit_code == 1
    assert "neither seen to hold nor explained, which fails a strict run: draw_note readOnlyHint, " in strict.stderr


@pytest.mark.parametrize(("ci", "code"), [("true", 1), ("1", 1), ("", 0), ("false", 0), ("0", 0)])
def test_where_ci_is_set_a_run_is_strict_by_itself(proof: Proof, tmp_path: Path, ci: str, code: int) -> None:
    file = str(_saved(redact_proof(proof), tmp_path))
    assert CliRunner(env={"CI": ci}).invoke(group, ["report", file, "--fail-on", "never"]).exit_code == code


def test_the_terminal_shows_a_line_per_tool_and_what_does_not_hold(proof: Proof) -> None:
    text = click.unstyle(render(report_of(redact_proof(proof), Settings()), Format.TERMINAL))
    assert "  peek_note         ✗ yes      ✗ no         ✗ yes       ✓ no" in text
    assert "violated      draw_note openWorldHint=false: it sent POST render.example.net/pictures" in text
    assert "nothing moved by itself" in text
    assert "holds         list_notes" not in text
    assert "holds         list_notes" in click.unstyle(
        render(report_of(proof, Settings()), Format.TERMINAL, verbose=True)
    )


def test_hints_that_could_be_milder_come_as_a_patch(proof: Proof, tmp_path: Path) -> None:
    definition = {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": False, "openWorldHint": True}
    (counted,) = [one for one in proof.behaviours if one.tool.name == "count_notes"]
    tool = Tool({**counted.tool.definition, "annotations": definition}, "notes")
    trials = [replace(one, tool=tool) for one in counted.trials]
    milder = replace(proof, behaviours=[replace(counted, tool=tool, trials=trials, unseen={})])
    document = patch(report_of(milder, Settings()))
    assert document["count_notes"]["annotations"] == {"readOnlyHint": True, "openWorldHint": False}
    assert set(document["count_notes"]["kind"].values()) == {"suggestion"}
    assert document["count_notes"]["evidence"]["readOnlyHint"] == "1 case, 2 trials (GET /notes), none changed anything"


def test_a_patch_of_the_source_says_what_for_and_what_is_left(proof: Proof, tmp_path: Path) -> None:
    tools = list(patch(report_of(redact_proof(proof), Settings())))
    code, diff = tmp_path / "code" / "server.py", tmp_path / "hints.diff"
    code.parent.mkdir()
    code.write_text("".join(f"Tool(name={name!r})\n" for name in tools if name != "peek_note"), encoding="utf-8")
    given = ["report", str(_saved(redact_proof(proof), tmp_path)), "--patch", str(diff)]
    refused = CliRunner().invoke(group, given)
    assert "Say where it is: --source DIR." in str(refused.exception)
    done = CliRunner().invoke(group, [*given, "--source", str(code.parent)])
    assert f"hints of {len(tools) - 1} tools" in done.stderr
    assert "aboveboard: peek_note is not in the patch: its declaration was not found." in done.stderr
    text = diff.read_text(encoding="utf-8")
    assert "# draw_note: openWorldHint true (correction): it sent POST render.example.net/pictures" in text
    assert "+Tool(name='draw_note', annotations=ToolAnnotations(" in text
    assert "peek_note" not in text


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("Tool(name={!r}, annotations=ELSEWHERE)\n", "no tool's hints can be set in the source code"),
        ("Tool(name={!r}, annotations={!r})\n", "the source code says it already"),
    ],
)
def test_a_patch_that_would_be_empty_is_not_written(proof: Proof, tmp_path: Path, code: str, why: str) -> None:
    wanted = patch(report_of(redact_proof(proof), Settings()))
    source, diff = tmp_path / "code" / "server.py", tmp_path / "hints.diff"
    source.parent.mkdir()
    lines = [code.format(tool, entry["annotations"]) for tool, entry in wanted.items()]
    source.write_text("".join(lines), encoding="utf-8")
    given = ["report", str(_saved(redact_proof(proof), tmp_path)), "--patch", str(diff), "--source", str(source.parent)]
    done = CliRunner().invoke(group, given)
    assert f"aboveboard: {diff} is not written: {why}.\n" in done.stderr
    assert not diff.exists()


@pytest.mark.parametrize("option", ["-o", "--patch", "--write"])
def test_a_report_is_not_written_over_a_plan(proof: Proof, tmp_path: Path, option: str) -> None:
    plan = tmp_path / "mine.yml"
    plan.write_text("tools: {}\n", encoding="utf-8")
    file = f"html={plan}" if option == "--write" else str(plan)
    done = CliRunner().invoke(group, ["report", str(_saved(redact_proof(proof), tmp_path)), option, file])
    assert isinstance(done.exception, BadInput)
    assert str(done.exception) == f"{plan} may be a plan and is not written over. Name another file."
    assert plan.read_text(encoding="utf-8") == "tools: {}\n"
    page = tmp_path / "report.html"
    page.write_text("An older report.", encoding="utf-8")
    again = CliRunner().invoke(group, ["report", str(tmp_path / "evidence.json"), "--write", f"html={page}"])
    assert (again.exit_code, "An older report." in page.read_text(encoding="utf-8")) == (1, False)
