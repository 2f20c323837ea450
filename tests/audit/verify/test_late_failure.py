"""A run that ends late keeps what it has seen, and says that there is more."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner
from tests.patience import patience

from aboveboard.cli import group

FAILS_LATE = """
import sys
with open(sys.argv[2], "a+") as resets:
    done = resets.tell()
    resets.write("!")
sys.exit("the disk is full, xyzzy-secret-token") if done >= int(sys.argv[3]) else None
sys.path.insert(0, sys.argv[4])
from tests.audit.liars.watched.rest import exchange
exchange("POST", sys.argv[1] + "/reset")
"""


def _plan(notes_plan: Path, folder: Path, resets: int) -> Path:
    """Write a plan whose reset works only so many times."""
    (folder / "reset.py").write_text(FAILS_LATE, encoding="utf-8")
    given = ["http://127.0.0.1:${port}", str(folder / "count"), str(resets), str(Path(__file__).parents[3])]
    how = ["${python}", "-S", str(folder / "reset.py"), *given]
    text = notes_plan.read_text(encoding="utf-8").replace("${here}", str(notes_plan.parent))
    file = folder / "plan.yaml"
    file.write_text(text.replace("reset: POST /reset", f"reset: {{command: {json.dumps(how)}}}"), encoding="utf-8")
    return file


def test_what_was_proven_before_a_reset_failed_is_reported(notes_plan: Path, tmp_path: Path) -> None:
    plan, saved = _plan(notes_plan, tmp_path, 6), tmp_path / "evidence.json"
    only = [f"--only={tool}" for tool in ("list_notes", "create_note", "tag_note", "amend_note", "delete_note")]
    done = CliRunner().invoke(
        group, ["verify", str(plan), *only, "--repeats", "1", "--format", "json", "--save", str(saved)]
    )
    assert done.exit_code == 2, done.output
    assert (
        "The run ended after 4 of 6 cases: The reset ended with exit code 1. the disk is full, [hidden]" in done.stderr
    )
    assert "xyzzy-secret-token" not in done.output + saved.read_text(encoding="utf-8")
    report = json.loads(done.stdout)
    assert any("This report is partial. The run ended after 4 of 6 cases" in one for one in report["remarks"])
    found = {(one["tool"], one["hint"]): (one["verdict"], one["cause"]) for one in report["verdicts"]}
    assert found["create_note", "readOnlyHint"][0] == "holds"
    assert found["delete_note", "destructiveHint"] == ("unverifiable", "the run ended before its cases were tried")
    assert CliRunner().invoke(group, ["report", str(saved)]).exit_code == 2


def test_a_tool_of_which_a_case_is_missing_has_kept_no_promise(notes_plan: Path, tmp_path: Path) -> None:
    plan = _plan(notes_plan, tmp_path, 3)
    done = CliRunner().invoke(
        group, ["verify", str(plan), "--only", "amend_note", "--repeats", "1", "--format", "json"]
    )
    assert done.exit_code == 2, done.output
    found = {one["hint"]: one for one in json.loads(done.stdout)["verdicts"]}
    assert found["destructiveHint"]["verdict"] == "unverifiable"
    assert found["destructiveHint"]["cause"] == "the run ended before it was done with 'grows', 'replaces'"


def test_ctrl_c_still_tells_what_was_seen(notes_plan: Path, tmp_path: Path) -> None:
    for how in (signal.SIGINT, signal.SIGTERM):
        plan = tmp_path / "plan.yaml"
        text = notes_plan.read_text(encoding="utf-8").replace("${here}", str(notes_plan.parent))
        plan.write_text(text, encoding="utf-8")
        command = [sys.executable, "-m", "aboveboard", "verify", str(plan), "--only", "list_notes", "--only"]
        with subprocess.Popen(
            [*command, "create_note", "--repeats", "30"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ,
        ) as run:
            assert run.stderr is not None
            assert "1 of 2 cases" in run.stderr.readline()
            run.send_signal(how)
            out, errors = run.communicate(timeout=patience(60))
        assert "Traceback" not in errors
        assert run.returncode == 2, errors
        assert "The run ended after 1 of 2 cases: it was told to end." in errors
        assert "This report is partial." in out
