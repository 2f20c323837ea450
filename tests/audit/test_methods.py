"""The auditor judges requests by a table of its own: it must not share the mistakes of the guard that it proves."""

from aboveboard.audit.request import PRIOR, RequestKind
from aboveboard.http.guard import Nature, nature_of

SAME = {
    RequestKind.SAFE: Nature.READS,
    RequestKind.ADDITIVE: Nature.ADDS,
    RequestKind.REPLACING: Nature.REPLACES,
    RequestKind.DELETING: Nature.REPLACES,
}


def test_the_auditor_and_the_guard_agree_on_what_a_method_does() -> None:
    assert {method: SAME[kind] for method, kind in PRIOR.items()} == {
        method: nature_of(method, None) for method in PRIOR
    }


def test_of_a_method_that_nobody_knows_the_guard_fears_the_worst_and_the_auditor_says_nothing() -> None:
    assert nature_of("BREW", None) is Nature.REPLACES
    assert "BREW" not in PRIOR
