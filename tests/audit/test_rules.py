"""Every rule, by its own examples; and the rules as a set."""

import ast
from pathlib import Path
from typing import Any

import pytest

from aboveboard.audit import rules as rules_package
from aboveboard.audit.judge import judge
from aboveboard.audit.rule import Profile, Rule, Severity
from aboveboard.audit.rules import RULES
from aboveboard.audit.rules_docs import FAMILIES

FOLDER = Path(rules_package.__file__).parent
CATALOGUE = {
    "ANN": 11,
    "TTL": 2,
    "NAM": 7,
    "DSC": 7,
    "SCH": 7,
    "SIZ": 3,
    "PRO": 3,
    "BEH": 7,
    "DRF": 4,
}

every_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)


@every_rule
def test_a_rule_finds_its_bad_example_and_no_other_rule_does(rule: type[Rule[Any]]) -> None:
    found = judge([rule().bad], [rule.shown_under])
    assert rule.id in {finding.rule for finding in found}
    assert {finding.rule for finding in found if finding.severity is not Severity.INFO} <= {rule.id}


@every_rule
def test_no_profile_has_anything_against_a_good_example(rule: type[Rule[Any]]) -> None:
    found = judge([rule().good], list(Profile))
    assert [finding for finding in found if finding.rule == rule.id] == []
    assert [finding for finding in found if finding.severity is not Severity.INFO] == []


@every_rule
def test_a_rule_says_what_it_is_in_whole_sentences(rule: type[Rule[Any]]) -> None:
    for text in (rule.title(), rule.why, rule.fix):
        assert text.endswith("."), text
        assert len(text) < 260
    assert any(rule.weight(profile) is not None for profile in Profile)


@every_rule
def test_a_rule_stands_in_a_file_of_its_own_and_knows_only_evidence_and_rules(rule: type[Rule[Any]]) -> None:
    tree = ast.parse((FOLDER / f"{rule.name()}.py").read_text(encoding="utf-8"))
    assert rule.__module__ == f"aboveboard.audit.rules.{rule.name()}"
    assert ast.get_docstring(tree) == f"{rule.id}."
    imports = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    ours = {module for module in imports if module.startswith("aboveboard")}
    assert ours == {"aboveboard.audit.evidence", "aboveboard.audit.rule"}


def test_every_rule_is_listed_once_and_every_id_of_the_catalogue_is_there() -> None:
    assert {file.stem for file in FOLDER.glob("*.py")} - {"__init__"} == {rule.name() for rule in RULES}
    ids = [rule.id for rule in RULES]
    assert ids == [f"{family}{number:02}" for family, count in CATALOGUE.items() for number in range(1, count + 1)]
    assert list(CATALOGUE) == list(FAMILIES)
