"""Choosing and ignoring rules, with reasons."""

from pathlib import Path

import pytest

from aboveboard.audit.rule import Finding, Profile, Severity
from aboveboard.audit.settings import Settings, read_settings
from aboveboard.errors import BadInput


def finding(rule: str, tool: str | None = None, severity: Severity = Severity.ERROR) -> Finding:
    return Finding(rule=rule, severity=severity, message="is wrong", tool=tool)


def test_the_nearest_file_counts_and_aboveboards_own_before_the_projects(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    assert read_settings(None, inner) == Settings()
    (tmp_path / "pyproject.toml").write_text('[tool.aboveboard.audit]\nfail-on = "warning"\nprofiles = ["openai"]\n')
    (tmp_path / "a" / "pyproject.toml").write_text("[project]\nname = 'other'\n")
    assert read_settings(None, inner).fail_on is Severity.WARNING
    assert read_settings(None, inner).profiles == (Profile.OPENAI,)
    (tmp_path / "aboveboard.toml").write_text('[audit]\nselect = ["ANN"]\ntoken-budget = 900\nfail-on = "never"\n')
    settings = read_settings(None, inner)
    assert (settings.select, settings.token_budget, settings.fail_on) == (("ANN",), 900, None)
    assert {rule.id[:3] for rule in settings.rules()} == {"ANN"}


def test_what_is_ignored_keeps_its_reason_and_the_rest_counts(tmp_path: Path) -> None:
    file = tmp_path / "aboveboard.toml"
    file.write_text('[audit.ignore]\nANN05 = "On purpose."\n"NAM:get_*" = "Old names."\n')
    settings = read_settings(file, tmp_path)
    findings = [finding("ANN05", "x"), finding("NAM01", "get_a"), finding("NAM01", "set_a"), finding("NAM04")]
    kept, ignored = settings.split_ignored(findings)
    assert [(one.rule, one.tool) for one in kept] == [("NAM01", "set_a"), ("NAM04", None)]
    assert [one.reason for one in ignored] == ["On purpose.", "Old names."]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[audit.ignore]\nANN05 = " "\n', "say why ANN05 is ignored"),
        ('[audit]\nignore = ["ANN05"]\n', "ignore takes a reason for each rule"),
        ('[audit]\nselect = ["ANN99"]\n', "has no rule 'ANN99'"),
        ('[audit]\nselcet = ["ANN01"]\n', "did you mean 'select'"),
        ('[audit]\nselect = "ANN01"\n', "select must be a list of texts"),
        ('[audit]\nprofiles = ["opanai"]\n', "did you mean 'openai'"),
        ('[audit]\nfail-on = "all"\n', "has no severity 'all'"),
        ("[audit]\ntoken-budget = 0\n", "must be a whole number above 0"),
        ("[audit\n", "cannot be read"),
    ],
)
def test_a_mistake_in_the_settings_is_said_and_stops(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "aboveboard.toml"
    file.write_text(text)
    with pytest.raises(BadInput, match=said):
        read_settings(file, tmp_path)


@pytest.mark.parametrize(
    ("fail_on", "worst", "fails"),
    [
        (Severity.ERROR, Severity.WARNING, False),
        (Severity.ERROR, Severity.ERROR, True),
        (Severity.INFO, Severity.INFO, True),
        (None, Severity.ERROR, False),
    ],
)
def test_what_fails_is_what_is_at_or_above_the_limit(fail_on: Severity | None, worst: Severity, *, fails: bool) -> None:
    assert Settings(fail_on=fail_on).fails([finding("ANN01", severity=worst)]) is fails
