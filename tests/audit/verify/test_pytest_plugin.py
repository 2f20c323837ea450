"""The pytest plugin, in a pytest of its own."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

from tests.audit.corpus import ROOT
from tests.forked import forked

PLUGIN = "aboveboard.audit.pytest_plugin"


def _pytest(folder: Path, *arguments: str, ci: str = "", warm: bool = True) -> subprocess.CompletedProcess[str]:
    """Run a pytest; one that is not warm imports all that it needs itself."""
    given = ("-p", PLUGIN, "-p", "no:cacheprovider", "-c", "own.ini", *arguments)
    command = forked("pytest", *given) if warm else (sys.executable, "-m", "pytest", *given)
    (folder / "own.ini").write_text("[pytest]\n", encoding="utf-8")
    environment = {
        **os.environ,
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTEST_ADDOPTS": "",
        "COLUMNS": "200",
        "CI": ci,
    }
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_a_plan_is_an_item_for_each_tool_and_hint(notes_plan: Path, tmp_path: Path) -> None:
    listed = _pytest(tmp_path, "--aboveboard", str(notes_plan), "--collect-only", "-q").stdout
    assert "plan.yaml::peek_note[readOnlyHint]" in listed
    assert "plan.yaml::delete_note[destructiveHint]" in listed
    assert listed.count("::get_note[") == 4
    counted = _pytest(tmp_path, "--aboveboard", str(notes_plan), "--collect-only", "-k", "get_note").stdout
    assert " / 64 deselected / 4 selected" in counted, counted


def test_only_what_k_selects_is_called_and_a_false_hint_fails_with_what_was_seen(
    notes_plan: Path, tmp_path: Path
) -> None:
    done = _pytest(
        tmp_path,
        *("--aboveboard", str(notes_plan), "--aboveboard-repeats", "1", "-k", "peek_note or count_notes"),
        warm=False,
    )
    assert done.returncode == 1
    assert "3 failed, 1 passed, 4 skipped" in done.stdout
    assert "peek_note says readOnlyHint=true, and GET /notes/{id}/view overwrote notes/1/views" in done.stdout
    assert "called with id: 1" in done.stdout
    assert "Traceback" not in done.stdout


def test_what_nobody_tried_is_skipped_and_fails_where_the_result_counts(notes_plan: Path, tmp_path: Path) -> None:
    given = ("--aboveboard", str(notes_plan), "--aboveboard-repeats", "1", "-k", "manage_note and destructiveHint")
    assert "1 skipped" in _pytest(tmp_path, *given).stdout
    for done in (_pytest(tmp_path, *given, "--aboveboard-strict"), _pytest(tmp_path, *given, ci="true")):
        assert done.returncode == 1
        assert "manage_note destructiveHint is untried: 1 case, 1 of 3 values of action" in done.stdout


def test_the_plans_stand_beside_other_tests_and_a_mark_selects_them(notes_plan: Path, tmp_path: Path) -> None:
    (tmp_path / "test_own.py").write_text("def test_own(): pass\n", encoding="utf-8")
    both = _pytest(tmp_path, "--aboveboard", str(notes_plan), "-k", "list_notes or own", "--aboveboard-repeats", "1")
    assert (both.returncode, "5 passed" in both.stdout) == (0, True), both.stdout
    alone = _pytest(tmp_path, "--aboveboard", str(notes_plan), "-m", "aboveboard", "--collect-only", "-q")
    assert "test_own" not in alone.stdout
    assert "peek_note" in alone.stdout


def test_refusals_that_the_plan_asks_for_are_an_item(notes_plan: Path, tmp_path: Path) -> None:
    known = 'get_note: [{arguments: {id: "${first}"}}]'
    text = notes_plan.read_text(encoding="utf-8").replace("${here}", str(notes_plan.parent))
    plan = tmp_path / "plan.yaml"
    plan.write_text(text.replace(known, "get_note: [{name: gone, arguments: {id: 99}, refused: lost}]"))
    done = _pytest(tmp_path, "--aboveboard", "plan.yaml", "-k", "get_note", "--aboveboard-repeats", "1")
    assert done.returncode == 1
    assert "must be refused in case 'gone', and was refused without saying 'lost'" in done.stdout


def test_what_a_call_may_change_is_an_item(notes_plan: Path, tmp_path: Path) -> None:
    known = "{name: replaces, arguments: {id: 1, text: Honey}}"
    text = notes_plan.read_text(encoding="utf-8").replace("${here}", str(notes_plan.parent))
    assert known in text
    plan = text.replace(known, known.replace("}}", "}, changes: [notes/1/tags]}"))
    (tmp_path / "plan.yaml").write_text(plan, encoding="utf-8")
    done = _pytest(tmp_path, "--aboveboard", "plan.yaml", "-k", "amend_note and changes", "--aboveboard-repeats", "1")
    assert "1 failed" in done.stdout, done.stdout
    assert "changes in case 'replaces' what the plan does not name: notes/1/text" in done.stdout
    assert "does not change in case 'replaces' what the plan names: notes/1/tags" in done.stdout


def test_what_the_plan_explains_away_and_was_seen_fails_at_its_hint(notes_plan: Path, tmp_path: Path) -> None:
    known = '      arguments: {id: "${made}"}\n  draw_note'
    reason = "      unseen: {destructiveHint: The bin keeps it.}\n  draw_note"
    text = notes_plan.read_text(encoding="utf-8").replace("${here}", str(notes_plan.parent))
    (tmp_path / "plan.yaml").write_text(text.replace(known, known.replace("  draw_note", reason)), encoding="utf-8")
    done = _pytest(tmp_path, "--aboveboard", "plan.yaml", "-k", "delete_note", "--aboveboard-repeats", "1")
    assert "1 failed, 3 passed" in done.stdout, done.stdout
    assert "delete_note shows what the plan says cannot be observed of destructiveHint" in done.stdout


def test_a_plan_that_cannot_be_read_is_said_in_a_sentence(tmp_path: Path) -> None:
    done = _pytest(tmp_path, "--aboveboard", "nowhere.yaml")
    assert done.returncode == 4
    assert "nowhere.yaml cannot be read" in done.stdout + done.stderr


def test_without_the_option_nothing_heavy_is_imported(tmp_path: Path) -> None:
    heavy = "[one for one in ('mcp', 'httpx2', 'yaml', 'jsonschema', 'click', 'pydantic') if one in sys.modules]"
    (tmp_path / "test_own.py").write_text(f"import sys\n\ndef test_own(): assert {heavy} == []\n", encoding="utf-8")
    assert _pytest(tmp_path, warm=False).returncode == 0


def test_the_package_offers_the_plugin() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["entry-points"]["pytest11"] == {"aboveboard": PLUGIN}


def test_where_pytest_xdist_shares_tests_out_those_of_a_plan_are_one_group(notes_plan: Path, tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(
        """
def pytest_configure(config):
    config.pluginmanager.register(object(), "xdist")
    config.addinivalue_line("markers", "xdist_group: as pytest-xdist has it")

def pytest_collection_modifyitems(items):
    print("groups:", sorted({str(mark.args) for item in items for mark in item.iter_markers("xdist_group")}))
""",
        encoding="utf-8",
    )
    listed = _pytest(tmp_path, "--aboveboard", str(notes_plan), "--collect-only", "-k", "get_note", "-s").stdout
    assert f"groups: [\"('{notes_plan}',)\"]" in listed, listed
