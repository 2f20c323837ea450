"""The corpus: all liars found, no honest server accused."""

import os
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.audit import corpus, watched
from tests.audit.corpus import Case, Sort

from aboveboard.audit.evidence import Server
from aboveboard.audit.judge import judge
from aboveboard.audit.rule import Profile, Severity
from aboveboard.audit.rules import RULES
from aboveboard.audit.verify import load_plan

Read = Callable[[str], Server]
EXAMPLES = sorted((corpus.ROOT / "examples" / "plans").glob("*.yaml"))


@pytest.mark.parametrize("name", [name for name in corpus.names() if not name.startswith("honest_")])
def test_a_liar_is_found_for_its_own_defect_and_for_no_other(name: str, read_liar: Read) -> None:
    outcome = corpus.case(name, read_liar(name))
    assert outcome.rule == name[:5].upper()
    assert outcome.found
    assert outcome.alarms == ()


@pytest.mark.parametrize("name", [name for name in corpus.names() if name.startswith("honest_")])
def test_an_honest_server_that_looks_guilty_is_not_accused(name: str, read_liar: Read) -> None:
    assert corpus.case(name, read_liar(name)).alarms == ()


@pytest.mark.parametrize("batch", watched.batches(watched.plans()), ids=watched.batch_name)
def test_servers_that_are_watched_are_judged_by_what_they_do(batch: list[Path]) -> None:
    if why := watched.missing(batch[0]):
        # On a developer's machine an SDK may be absent; where the result counts it may not.
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(why)
    seen = watched.side_by_side(watched.case, batch)
    # A plan that cannot show its lie may show it by chance; what counts is that the lie is not certified.
    counted = {name: one if one.provable else replace(one, found=False) for name, one in seen.items()}
    assert counted == {watched.name(file): watched.expected(file) for file in batch}


def test_every_rule_has_a_liar() -> None:
    told = {name[:5].upper() for name in [*corpus.names(), *(file.stem for file in watched.plans())]}
    assert {rule.id for rule in RULES} <= told


def test_a_hint_that_warns_of_too_much_is_a_suggestion_and_no_lie() -> None:
    proof = watched.watch(load_plan(watched.WATCHED / "plain" / "beh05_count_as_a_write.yaml"))
    findings = judge(proof.evidence, [Profile.SPEC])
    assert {(one.rule, one.severity) for one in findings} == {("BEH05", Severity.INFO)}
    assert {str(one.verdict) for one in proof.verdicts} == {"not observed", "holds"}


def test_a_read_that_logs_is_a_lie_for_those_who_count_bookkeeping() -> None:
    proof = watched.watch(load_plan(watched.WATCHED / "plain" / "honest_read_that_logs.yaml"))
    assert judge(proof.evidence, [Profile.SPEC, Profile.ANTHROPIC]) == []
    assert {one.rule for one in judge(proof.evidence, [Profile.OPENAI])} == {"BEH01"}


def test_the_watched_corpus_has_liars_and_honest_servers_of_every_kind() -> None:
    kinds = [(one.sort, one.rule) for one in map(watched.expected, watched.plans())]
    for sdk in ("none", "mcp1", "mcp2", "typescript"):
        assert len([1 for sort, rule in kinds if sort.sdk == sdk and rule]) >= 2
        assert any(sort.sdk == sdk and rule is None for sort, rule in kinds)
    for field, values in (("transport", ("stdio", "http")), ("state", ("local", "rest"))):
        for value in values:
            assert {rule is None for sort, rule in kinds if getattr(sort, field) == value} == {True, False}


def test_what_is_not_installed_is_left_out_and_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(watched.INSTALLED, "mcp1", tmp_path / "ready")
    assert "mcp1 is not installed" in watched.missing(watched.WATCHED / "mcp1" / "honest_upsert.yaml")
    assert watched.missing(watched.WATCHED / "plain" / "honest_upsert.yaml") == ""
    assert any("mcp1" in line for line in watched.left_out())


def test_the_published_figures_are_those_of_this_corpus() -> None:
    read = [Case(name, corpus.rule_of(name), found=not name.startswith("honest_")) for name in corpus.names()]
    everything = [*read, *map(watched.expected, watched.plans())]
    published = (corpus.ROOT / "docs" / "auditing.md").read_text("utf-8")
    assert corpus.table(everything) in published
    assert corpus.certified(everything) in " ".join(published.split())
    assert f"All {len(RULES)} rules have found a liar of their own" in published


def test_a_lie_that_was_certified_is_the_first_thing_that_the_figures_say() -> None:
    kind = Sort(watched=True, sdk="none")
    wrong = Case("plain/beh01_x", "BEH01", certified=True, sort=kind)
    hidden = Case("plain/unproven_beh01_y", "BEH01", provable=False, sort=kind)
    text = corpus.figures([wrong, hidden])
    assert text.startswith("Certified although false: 1, of 2 lies that were watched, 1 of them with plans that cannot")
    assert "CERTIFIED: plain/beh01_x (BEH01)" in text
    assert [one.right for one in (wrong, hidden)] == [False, True]


def test_the_figures_say_what_was_missed_and_who_was_accused(read_liar: Read) -> None:
    good = Case("honest_plain", None)
    missed = Case("ann01_no_annotations", "ANN01")
    accused = Case("plain/honest_upsert", None, alarms=("BEH02 lost",), sort=Sort(watched=True, sdk="none"))
    caught = corpus.case("ann06_harmless_purge", read_liar("ann06_harmless_purge"))
    text = corpus.figures([good, missed, accused, caught])
    assert "| read: what definitions say | 2 | 1 (50%) | 1 | 0 |" in text
    assert "| watched: what tools do | 0 | 0 | 1 | 1 |" in text
    assert "NOT FOUND: ann01_no_annotations (ANN01)" in text
    assert "FALSE ALARM: plain/honest_upsert: BEH02 lost" in text
    assert [one.right for one in (good, missed, accused, caught)] == [True, False, False, True]


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_a_plan_for_a_public_server_loads_and_names_one_version_of_it(file: Path) -> None:
    plan = load_plan(file)
    assert plan.cases
    (version,) = [found for word in plan.server.command for found in re.findall(r"(?:@|==)(20\d\d[.\d]+)$", word)]
    assert version in (corpus.ROOT / "docs" / "auditing.md").read_text("utf-8")
