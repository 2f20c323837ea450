"""What is published of the rules, and how others run the auditor."""

import re
from pathlib import Path

import yaml
from tests.audit.corpus import ROOT

from aboveboard.audit.rules import RULES
from aboveboard.audit.rules_docs import pages
from aboveboard.cli.audit import command

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


def test_the_action_passes_its_inputs_as_data() -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    assert action["runs"]["using"] == "composite"
    scripts = [step["run"] for step in action["runs"]["steps"] if "run" in step]
    assert not [script for script in scripts if "${{" in script]
    text = Path(ROOT / "action.yml").read_text(encoding="utf-8")
    used = set(re.findall(r"inputs\.([a-z-]+)", text))
    assert used == set(action["inputs"])


def test_the_hooks_name_the_command() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert [hook["id"] for hook in hooks] == ["aboveboard-audit", "aboveboard-audit-files"]
    assert all(hook["entry"] == "aboveboard audit" and hook["language"] == "python" for hook in hooks)
    files = re.compile(hooks[1]["files"])
    assert all(
        files.search(name) for name in (".mcp.json", ".vscode/mcp.json", "tools.json", "claude_desktop_config.json")
    )
    assert not files.search("package.json")


def test_the_guide_names_every_option() -> None:
    guide = (DOCS / "auditing.md").read_text(encoding="utf-8")
    flags = {flag for parameter in command.params for flag in parameter.opts if flag.startswith("--")}
    assert {flag for flag in flags if f"`{flag}" not in guide} == set()
