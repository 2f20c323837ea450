"""The auditor judges requests by a table of its own: it must not share the mistakes of the guard that it proves.

Nor must the sandbox of Nextcloud, which has a third one.
"""

from aboveboard.audit.request import PRIOR, RequestKind
from aboveboard.http.guard import ADDING, SAFE, Nature, nature_of
from aboveboard.nextcloud.sandbox.app import READING

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


def test_the_auditor_knows_every_method_that_the_guard_does() -> None:
    assert {*SAFE, *ADDING} <= PRIOR.keys()


def test_what_only_reads_for_the_guard_is_not_counted_as_a_change_by_the_sandbox() -> None:
    assert SAFE - {"QUERY"} == READING, "Nextcloud does not know QUERY"


def test_of_a_method_that_nobody_knows_the_guard_fears_the_worst_and_the_auditor_says_nothing() -> None:
    assert nature_of("BREW", None) is Nature.REPLACES
    assert "BREW" not in PRIOR
