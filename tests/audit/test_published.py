"""What is published of the rules, and how others run the auditor."""

import json
import os
import re
import subprocess
from pathlib import Path

import yaml
from tests.audit.corpus import ROOT
from tests.forked import PYTHON

from aboveboard.audit.rules import RULES
from aboveboard.audit.rules_docs import pages
from aboveboard.cli import audit, check

DOCS = ROOT / "docs"


def test_the_pages_of_the_rules_are_as_committed() -> None:
    committed = {file.name: file.read_text(encoding="utf-8") for file in (DOCS / "rules").glob("*.md")}
    assert committed == pages(), "run: python docs/generate.py"


def test_every_page_has_both_examples_and_every_link_of_the_index_leads_somewhere() -> None:
    written = pages()
    assert len(written) == len(RULES) + 1
    for rule in RULES:
        assert written[f"{rule.id}.md"].count("```json") == 2
    assert set(re.findall(r"\]\((\w+\.md)\)", written["README.md"])) == written.keys() - {"README.md"}


def test_every_table_has_as_many_columns_in_its_second_line_as_in_its_head() -> None:
    """Otherwise it is no table, and is shown as one long line of text."""
    head = re.compile(r"^\|(.*)\|\n\|((?: *:?-+:? *\|)+)$", re.MULTILINE)
    tables = [(name, *one) for name, text in _published().items() for one in head.findall(text)]
    assert len(tables) > len(RULES)
    assert [
        name for name, first, second in tables if len(re.findall(r"(?<!\\)\|", first)) + 1 != second.count("|")
    ] == []


def _published() -> dict[str, str]:
    files = [*ROOT.glob("*.md"), *DOCS.rglob("*.md")]
    return {str(file.relative_to(ROOT)): file.read_text(encoding="utf-8") for file in files}


def test_the_action_passes_its_inputs_as_data() -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    assert action["runs"]["using"] == "composite"
    scripts = [step["run"] for step in action["runs"]["steps"] if "run" in step]
    assert not [script for script in scripts if "${{" in script]
    text = Path(ROOT / "action.yml").read_text(encoding="utf-8")
    used = set(re.findall(r"inputs\.([a-z-]+)", text))
    assert used == set(action["inputs"])


def test_the_action_runs_check_with_its_plan() -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    (script,) = [step["run"] for step in action["runs"]["steps"] if step.get("id") == "check"]
    assert 'aboveboard check "${options[@]}"' in script
    assert 'options+=(--plan "$PLAN")' in script


def _checked(folder: Path, **inputs: str) -> tuple[int, str]:
    """Run the step of the action that checks, as a runner would; return its exit code, and the one it hands on."""
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    (step,) = [one for one in action["runs"]["steps"] if one.get("id") == "check"]
    given = dict.fromkeys(step["env"], "") | {"PROFILE": "spec openai", "FAIL_ON": "error", "SARIF": "a.sarif"}
    runner = {"GITHUB_STEP_SUMMARY": "summary.md", "GITHUB_OUTPUT": "output", "GITHUB_SERVER_URL": "https://github.com"}
    path = f"{Path(PYTHON).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), **given, **runner, **inputs}
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
    return done.returncode, (folder / "output").read_text("utf-8") if (folder / "output").is_file() else ""


def test_the_action_checks_a_command_with_quotes_and_hands_its_exit_code_on(tmp_path: Path) -> None:
    (tmp_path / "two words.py").write_text("from tests.audit.liars.stage import *; serve([GET])", encoding="utf-8")
    command = "python 'two words.py' \\\n  \"$(touch carried-out)\""
    assert _checked(tmp_path, COMMAND=command, OPTIONS='--ignore "TTL01"\n--era auto') == (0, "code=0\n")
    assert "**" in (tmp_path / "summary.md").read_text("utf-8")
    (run,) = json.loads((tmp_path / "a.sarif").read_text("utf-8"))["runs"]
    assert run["invocations"][0]["executionSuccessful"] is True
    assert not (tmp_path / "carried-out").exists()
    assert _checked(tmp_path, COMMAND="no-such-program")[1].endswith("code=2\n")


def test_the_hooks_name_the_command() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert [hook["id"] for hook in hooks] == ["aboveboard-audit", "aboveboard-audit-files", "aboveboard-check"]
    entries = ["aboveboard audit", "aboveboard audit", "aboveboard check"]
    assert [hook["entry"] for hook in hooks] == entries
    assert all(hook["language"] == "python" for hook in hooks)
    files = re.compile(hooks[1]["files"])
    assert all(
        files.search(name) for name in (".mcp.json", ".vscode/mcp.json", "tools.json", "claude_desktop_config.json")
    )
    assert not files.search("package.json")


def test_the_guides_name_every_option() -> None:
    guide = "".join((DOCS / name).read_text(encoding="utf-8") for name in ("auditing.md", "verifying.md"))
    parameters = [*audit.command.params, *check.command.params]
    flags = {flag for parameter in parameters for flag in parameter.opts if flag.startswith("--")}
    assert {flag for flag in flags if f"`{flag}" not in guide} == set()
