"""The corpus: all liars found, no honest server accused."""

from collections.abc import Callable

import pytest
from tests.audit import corpus
from tests.audit.corpus import Case

from aboveboard.audit.evidence import Server
from aboveboard.audit.rules import RULES

Read = Callable[[str], Server]


@pytest.mark.parametrize("name", [name for name in corpus.names() if not name.startswith("honest_")])
def test_a_liar_is_found_for_its_own_defect_and_for_no_other(name: str, read_liar: Read) -> None:
    outcome = corpus.case(name, read_liar(name))
    assert outcome.rule == name[:5].upper()
    assert outcome.found
    assert outcome.alarms == ()


@pytest.mark.parametrize("name", [name for name in corpus.names() if name.startswith("honest_")])
def test_an_honest_server_that_looks_guilty_is_not_accused(name: str, read_liar: Read) -> None:
    assert corpus.case(name, read_liar(name)).alarms == ()


def test_every_rule_on_definitions_has_a_liar() -> None:
    told = {name[:5].upper() for name in corpus.names()}
    assert {rule.id for rule in RULES} - corpus.WATCHED <= told


def test_the_figures_say_what_was_missed_and_who_was_accused(read_liar: Read) -> None:
    good = Case("honest_plain", None, found=False, alarms=())
    missed = Case("ann01_no_annotations", "ANN01", found=False, alarms=())
    caught = corpus.case("ann06_harmless_purge", read_liar("ann06_harmless_purge"))
    text = corpus.figures([good, missed, caught])
    assert "2 liars: 1 found (50%)" in text
    assert "1 honest servers: 0 accused" in text
    assert "NOT FOUND: ann01_no_annotations (ANN01)" in text
