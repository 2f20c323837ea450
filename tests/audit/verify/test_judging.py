"""What was seen becomes verdicts, findings and suggestions; nothing is run for it."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aboveboard.audit.evidence import ADDS, DELETES, READS, Behaviour, CallResult, Request, Trial, example
from aboveboard.audit.judge import judge
from aboveboard.audit.rule import Severity
from aboveboard.audit.verdict import Ruling
from aboveboard.audit.verify.branches import coverage, untried_values
from aboveboard.audit.verify.bystanders import line_to_paste, moved_along
from aboveboard.audit.verify.causes import cause
from aboveboard.audit.verify.proof import Proof
from aboveboard.audit.verify.redaction import redact_proof
from aboveboard.audit.verify.verdicts import IDLE, verdicts


def test_a_cell_says_what_it_stands_on_and_what_no_case_tries_is_untried() -> None:
    schema = {"type": "object", "properties": {"sort": {"enum": ["name", "age", "size"]}}}
    tool = example("list_notes", inputSchema=schema)
    trials = [_trial(tool, {}, {}, arguments={"sort": "name"}), _trial(tool, {}, {}, arguments={"sort": "age"})]

    def judged(calls: list[Trial]) -> tuple[Ruling, str]:
        given = [one.arguments for one in calls]
        one = verdicts(Behaviour(tool, calls, untried=untried_values(tool, given), coverage=coverage(tool, given)))[0]
        return one.verdict, one.cause

    assert judged(trials[:1]) == (
        Ruling.UNTRIED,
        "1 case, 1 of 3 values of sort: add a case for sort=age, sort=size",
    )
    whole = [*trials, _trial(tool, {}, {}, arguments={"sort": "size"})]
    assert judged(whole) == (
        Ruling.HOLDS,
        "3 cases, 3 trials (GET /a), 3 of 3 values of sort, none changed anything",
    )


_ADD = example("add_label", hints=ADDS)
_READ = example("get_note", hints=READS)
_BARE = example("do_it", hints={"readOnlyHint": True})


def _rulings(behaviour: Behaviour) -> str:
    marks = dict(zip(Ruling, "+!.o?", strict=True))
    return "".join(marks[one.verdict] for one in verdicts(behaviour))


def _trial(tool: Any, before: Any, after: Any, again: Any = None, **more: Any) -> Trial:
    seen: dict[str, Any] = {"oracle": "backend", "domain": ["h"], "requests": [Request("GET", "h", "/a", 200)], **more}
    return Trial(tool, before=before, after=after, again=after if again is None else again, **seen)


def _said(text: str) -> CallResult:
    return CallResult(_READ, {"content": [{"type": "text", "text": text}]})


@pytest.mark.parametrize(
    ("text", "fails"),
    [
        ("Error: the note is locked", True),
        ("\u274c Error fetching notes", True),
        ("Failed to open the file", True),
        ("Note 7 not found.", True),
        ('{"error": "no such note"}', True),
        ('{"success": false}', True),
        ('{"error": null, "notes": []}', False),
        ("No notes found for this word.", False),
        ("Errors of today: none", False),
        ("Failed logins: 3", False),
        ("A page was not found, and then it was there again: all is well with this list of links.", False),
        ("", False),
    ],
)
def test_an_answer_that_says_in_words_that_the_call_failed_is_known_by_how_it_begins(text: str, *, fails: bool) -> None:
    assert _said(text).confesses is fails


@pytest.mark.parametrize(
    ("behaviour", "expected"),
    [
        (Behaviour(_READ, [_trial(_READ, {"a": 1}, {"a": 1})]), "++++"),
        (Behaviour(_READ, [_trial(_READ, {"a": 1}, {"a": 1}, {})]), "!!!+"),
        (Behaviour(_READ, [_trial(_READ, {}, {}), _trial(_READ, {}, {"a": 1})]), "!+++"),
        (Behaviour(_ADD, [_trial(_ADD, {}, {"a": 1}, {"a": 1, "b": 2})]), "++++"),
        (Behaviour(_ADD, [_trial(_ADD, {}, {"a": 1})]), "++.+"),
        (Behaviour(_ADD, [_trial(_ADD, {"a": [1]}, {"a": [2]})]), "+!.+"),
        (Behaviour(_READ, [_trial(_READ, {}, {}, answer=CallResult(_READ, {"isError": True}))]), "????"),
        (Behaviour(_READ, [_trial(_READ, {}, {"a": 1}, answer=CallResult(_READ, {"isError": True}))]), "!???"),
        (Behaviour(_READ, [_trial(_READ, {}, {}, requests=[])]), "????"),
        (Behaviour(_READ, [_trial(_READ, {}, {}, requests=[], local="It counts letters.")]), "+++?"),
        (Behaviour(_READ, [_trial(_READ, {}, {}, requests=[], local="It counts.", sealed=True)]), "++++"),
        (Behaviour(_READ, [_trial(_READ, {}, {}, requests=[Request("GET", "h", "/a", 401)])]), "????"),
        (
            Behaviour(_READ, [_trial(_READ, {}, {}, requests=[Request("GET", "h", f"/{n}", n) for n in (404, 200)])]),
            "++++",
        ),
        (Behaviour(_READ, [_trial(_READ, {}, {}, answer=_said("Error: it is locked."))]), "????"),
        (Behaviour(_READ, [_trial(_READ, {}, {"a": 1}, answer=_said("Error: it is locked."))]), "!+++"),
        (Behaviour(_READ, [_trial(_READ, {}, {}, domain=None)]), "+++?"),
        (Behaviour(_READ, [_trial(_READ, {}, {}, oracle="")]), "???+"),
        (Behaviour(_READ, [_trial(_READ, {}, {})], untried=["action=delete"]), "oooo"),
        (Behaviour(_READ, [_trial(_READ, {}, {}, requests=[Request("GET", "x", "/")])]), "+++!"),
        (Behaviour(_BARE, [_trial(_BARE, {}, {})]), "+++."),
        (Behaviour(_BARE, [_trial(_BARE, {"a": 1}, {}, {"b": 1})]), "!..."),
        (Behaviour(_READ, [_trial(_READ, {"a": 1}, {"a": 2}, noise=["a"])]), "++++"),
        (Behaviour(_READ, []), "????"),
    ],
)
def test_the_worst_branch_decides_and_no_evidence_is_no_proof(behaviour: Behaviour, expected: str) -> None:
    assert _rulings(behaviour) == expected


_ERROR = CallResult(_READ, {"isError": True, "content": [{"type": "text", "text": "It is locked."}]})


@pytest.mark.parametrize(
    ("trial", "said"),
    [
        (_trial(_READ, {"a": 1}, {"a": 1}, answer=_ERROR), ""),
        (_trial(_READ, {"a": 1}, {"a": 2}, answer=_ERROR, derived=["a"]), ""),
        (_trial(_ADD, {}, {"a": 1}, answer=_ERROR), "must be refused, and left a change: a appeared (by GET /a)"),
        (_trial(_ADD, {}, {}, {"a": 1}, answer=_ERROR), "must be refused, and left a change: a appeared (by GET /a)"),
        (_trial(_READ, {}, {}, case="x"), "must be refused in case 'x', and was carried out"),
        (_trial(_READ, {}, {}, answer=_ERROR, unsaid=["locked"]), "must be refused, and was refused without saying 'l"),
        (_trial(_READ, {}, {}, answer=_ERROR, unsaid=[""]), "must be refused, and was refused without saying anything"),
        (_trial(_READ, {}, {}, problem="step 1 (add) failed"), "must be refused, and could not be tried: step 1 (add)"),
    ],
)
def test_a_call_that_must_be_refused_is_or_is_an_error(trial: Trial, said: str) -> None:
    found = judge([replace(trial, refused=["locked"])])
    assert [one.rule for one in found] == ["BEH07"] * bool(said)
    assert all(one.message.startswith(said) and one.severity is Severity.ERROR for one in found)


@pytest.mark.parametrize(
    ("behaviour", "expected"),
    [
        (Behaviour(_READ, [], refusals=[_trial(_READ, {}, {}, answer=_ERROR)]), "????"),
        (Behaviour(_READ, [], refusals=[_trial(_READ, {}, {})]), "????"),
        (Behaviour(_READ, [], refusals=[_trial(_READ, {}, {"a": 1}, answer=_ERROR)]), "!???"),
        (Behaviour(_READ, [_trial(_READ, {}, {})], refusals=[_trial(_READ, {}, {}, answer=_ERROR)]), "++++"),
    ],
)
def test_a_refusal_is_no_evidence_for_a_hint_and_what_it_changes_is_against_it(
    behaviour: Behaviour, expected: str
) -> None:
    assert _rulings(behaviour) == expected


_SET = example("set_title", hints={**ADDS, "idempotentHint": True})
_PUT = [Request("PUT", "h", "/a", 200)]
_SAME = _trial(_SET, {"a": 1}, {"a": 1}, requests=_PUT)


@pytest.mark.parametrize(
    ("behaviour", "expected"),
    [
        (Behaviour(_SET, [_SAME]), ".oo+"),
        (Behaviour(_SET, [_trial(_SET, {"a": 1}, {"a": 2}, requests=_PUT, derived=["a"])]), ".oo+"),
        (Behaviour(_SET, [_SAME, _trial(_SET, {}, {"a": 1}, requests=_PUT)]), "++++"),
        (Behaviour(_SET, [_trial(_SET, {}, {}, requests=[Request("GET", "h", "/a", 200)])]), ".oo+"),
    ],
)
def test_who_writes_and_changed_nothing_has_kept_no_promise(behaviour: Behaviour, expected: str) -> None:
    assert _rulings(behaviour) == expected
    for one in verdicts(behaviour):
        assert one.verdict is not Ruling.UNTRIED or one.cause == IDLE


def test_a_reason_settles_what_could_not_be_tried_and_does_not_make_it_true() -> None:
    for hint in ("destructiveHint", "readOnlyHint"):
        behaviour = Behaviour(_SET, [_SAME], unseen={hint: "It is a rehearsal."})
        (told,) = [one for one in verdicts(behaviour) if one.hint == "destructiveHint"]
        assert (told.verdict, told.explained, told.settled) == (Ruling.UNTRIED, "It is a rehearsal.", True)
    failed = _trial(_SET, {}, {}, answer=CallResult(_SET, {"isError": True}))
    every = verdicts(Behaviour(_SET, [failed], unseen={"openWorldHint": "Nobody can see it."}))
    assert not any(one.settled for one in every)


@pytest.mark.parametrize(
    ("trial", "expected"),
    [
        (_trial(_READ, {}, {}, requests=_PUT), "???+"),
        (_trial(_READ, {}, {}, requests=_PUT, whole=True), "++++"),
        (_trial(_READ, {}, {}, requests=[Request("POST", "h", "/a", 200, known="safe")]), "++++"),
        (_trial(_READ, {}, {}, requests=[Request("GET", "h", "/a", 200, writes=True, known="replacing")]), "???+"),
        (_trial(_READ, {"a": 1}, {"a": 2}, requests=_PUT, derived=["a"]), "++++"),
    ],
)
def test_a_recorded_write_that_the_state_does_not_show_is_no_proof_of_reading(trial: Trial, expected: str) -> None:
    behaviour = Behaviour(_READ, [trial])
    assert _rulings(behaviour) == expected
    (told,) = [one for one in verdicts(behaviour) if one.hint == "readOnlyHint"]
    assert told.verdict is Ruling.HOLDS or "a suspicion only" in told.cause


@pytest.mark.parametrize(
    ("method", "after", "suggested"),
    [
        ("GET", {}, {"readOnlyHint"}),
        ("PUT", {}, set[str]()),
        ("POST", {}, set[str]()),
        ("POST", {"a": 1}, {"idempotentHint"}),
        ("PUT", {"a": 1}, {"idempotentHint"}),
        ("DELETE", {"a": 1}, {"idempotentHint"}),
    ],
)
def test_no_milder_hint_is_suggested_against_what_a_request_may_do(
    method: str, after: Any, suggested: set[str]
) -> None:
    tool = example("do_it", hints={**DELETES, "idempotentHint": False})
    behaviour = Behaviour(tool, [_trial(tool, {}, after, requests=[Request(method, "h", "/a", 200)])])
    assert {one.hint for one in judge([behaviour])} == suggested
    reviewed = Request("GET", "h", "/a", 200, writes=True, known="replacing")
    behaviour = Behaviour(tool, [_trial(tool, {}, {}, requests=[reviewed])])
    assert judge([behaviour]) == []


@pytest.mark.parametrize(
    ("name", "before", "after", "suggested"),
    [
        ("do_it", {"a": ["x"]}, {"a": ["x", "y"]}, {"destructiveHint", "idempotentHint"}),
        ("do_it", {"a": []}, {"a": ["y"]}, {"idempotentHint"}),
        ("do_it", {"a": "a text"}, {"a": "a text that is longer"}, {"idempotentHint"}),
        ("do_it", {}, {}, {"readOnlyHint"}),
        ("update_note", {}, {}, set[str]()),
    ],
)
def test_a_milder_hint_is_only_suggested_where_there_was_something_to_lose_and_no_word_speaks_against_it(
    name: str, before: Any, after: Any, suggested: set[str]
) -> None:
    tool = example(name, "As it says.", hints={**DELETES, "idempotentHint": False})
    behaviour = Behaviour(tool, [_trial(tool, before, after)])
    assert {one.hint for one in judge([behaviour])} == suggested
    assert judge([replace(behaviour, untried=["sort=age"])]) == []


def test_a_call_that_may_fail_does_not_stand_against_a_milder_hint_unless_it_did_something() -> None:
    tool = example("do_it", "As it says.", hints={**DELETES, "openWorldHint": True})
    worked = _trial(tool, {}, {})
    failed = _trial(tool, {}, {}, answer=_ERROR, requests=[])
    assert judge([Behaviour(tool, [worked, failed])]) == []
    expected = replace(failed, may_fail="there is no such note")
    found = judge([Behaviour(tool, [worked, expected])])
    assert {one.hint for one in found} == {"readOnlyHint", "openWorldHint"}
    away = [Request("GET", "elsewhere", "/", 200)]
    assert {one.hint for one in judge([Behaviour(tool, [worked, replace(expected, requests=away)])])} == {
        "readOnlyHint"
    }
    assert {one.hint for one in judge([Behaviour(tool, [worked], refusals=[replace(failed, requests=away)])])} == {
        "readOnlyHint"
    }
    assert judge([Behaviour(tool, [expected])]) == [], "nothing that worked, nothing to say"
    assert judge([Behaviour(tool, [worked], problem="case 'x': step 1 (add) failed")]) == [], "it was not all tried"


def test_a_fact_that_both_calls_changed_is_named_once_with_its_route() -> None:
    view = [Request("GET", "h", "/notes/{id}", 200)]
    trial = _trial(_READ, {"n/1/views": 0}, {"n/1/views": 1}, {"n/1/views": 2}, requests=view)
    (found,) = judge([trial])
    assert found.message == "is declared read-only and wrote: n/1/views: 0 became 2 (by GET /notes/{id})"
    toggled = _trial(_READ, {"on": 1}, {"on": 2}, {"on": 1}, requests=[])
    assert [one.message for one in judge([toggled])] == ["is declared read-only and wrote: on: 1 became 2"]
    made = _trial(_READ, {}, {"x": 1}, {"x": 2}, requests=view)
    assert cause(made, made.all_changes()) == "GET /notes/{id} overwrote x"
    many = _trial(_READ, {}, dict.fromkeys("abcde", 1), requests=[])
    assert [one.message.partition(": ")[2] for one in judge([many])] == [
        "a appeared; b appeared; c appeared and 2 more"
    ]


def test_a_server_without_a_service_behind_it_need_not_send_anything() -> None:
    assert _rulings(Behaviour(_READ, [_trial(_READ, {}, {}, requests=[], domain=[])])) == "+++?"
    assert _rulings(Behaviour(_READ, [_trial(_READ, {}, {}, requests=[], domain=[], sealed=True)])) == "++++"
    unrecorded = verdicts(Behaviour(_READ, [_trial(_READ, {}, {}, requests=[], domain=None)]))[-1]
    assert "`record: proxy` under `backend:`" in unrecorded.cause


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(0, 3) | st.sampled_from(["", "a", "a b", "a b c", "ab", "b"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("xyz"), inner, max_size=3),
    max_leaves=6,
)
STATE = st.dictionaries(st.sampled_from(["n/1", "n/2", "n/3"]), JSON, max_size=3)


@settings(max_examples=150, deadline=None)
@given(STATE, STATE, STATE, st.sampled_from([READS, ADDS, DELETES]))
def test_redacted_evidence_is_judged_the_same(before: Any, after: Any, again: Any, hints: Any) -> None:
    tool = example("touch_note", hints=hints)
    behaviour = Behaviour(tool, [_trial(tool, before, after, again)])
    hidden = redact_proof(Proof(servers=[], behaviours=[behaviour])).behaviours[0]
    assert [(one.verdict, one.cause) for one in verdicts(hidden)] == [
        (one.verdict, one.cause) for one in verdicts(behaviour)
    ]
    shown = str([(trial.before, trial.after, trial.again) for trial in hidden.trials])
    assert "'a b'" not in shown


def test_what_only_moves_along_is_no_loss_and_is_named() -> None:
    at = datetime(2026, 11, 16, 12, 0, tzinfo=UTC).timestamp()
    before = {
        "n/1/x": 5,
        "next": 2,
        "sum": 5,
        "limit": 9,
        "changed": "2026-01-01T00:00:00Z",
        "due": "2026-11-16T11:59:00Z",
    }
    after = {**before, "n/2/x": 7, "next": 3, "sum": 12, "limit": 8, "changed": "2026-11-16T12:00:01Z"}
    assert moved_along((before, after, after), {}, at) == ["changed", "next", "sum"]
    late = {**after, "due": "2026-11-16T12:00:00Z"}
    assert "due" not in moved_along((before, late), {"due": "2026-11-16T12:00:00Z"}, at), "the call was told to set it"
    assert moved_along((before, {**before, "next": 3}), {}, at) == [], "nothing was added"
    whole = {**after, "limit": 9}
    trial = _trial(_ADD, before, whole, along=moved_along((before, whole, whole), {}, at))
    assert _rulings(Behaviour(_ADD, [trial])) == "++.+"
    assert "moved along with it: changed, next, sum" in verdicts(Behaviour(_ADD, [trial]))[1].cause
    worse = _trial(_ADD, before, after, along=moved_along((before, after, after), {}, at))
    assert _rulings(Behaviour(_ADD, [worse])) == "+!.+"


def test_a_recorded_write_beside_bookkeeping_is_not_accounted_for_by_it() -> None:
    log, order = Request("POST", "h", "/log"), Request("POST", "h", "/orders")
    seen = _trial(_READ, {"log": []}, {"log": ["read"]}, derived=["log"], requests=[log])
    assert _rulings(Behaviour(_READ, [seen])) == "++++"
    both = replace(seen, requests=[log, order])
    assert _rulings(Behaviour(_READ, [both])) == "???+"
    assert "POST /log suggests a write" in verdicts(Behaviour(_READ, [both]))[0].cause
    assert _rulings(Behaviour(_READ, [replace(both, whole=True)])) == "++++"


def test_nothing_lost_is_not_said_where_a_deletion_was_sent_that_the_state_does_not_show() -> None:
    gone = Request("DELETE", "h", "/drafts/{id}", 204)
    added = _trial(_ADD, {}, {"n/2": "x"}, {"n/2": "x", "n/3": "x"}, requests=[gone])
    assert _rulings(Behaviour(_ADD, [added])) == "+?++"
    assert 'routes: {"DELETE /drafts/{id}": additive}' in verdicts(Behaviour(_ADD, [added]))[1].cause
    assert _rulings(Behaviour(_ADD, [replace(added, whole=True)])) == "++++"
    assert _rulings(Behaviour(_ADD, [replace(added, requests=[replace(gone, status=404)])])) == "++++"
    assert _rulings(Behaviour(_ADD, [replace(added, requests=[replace(gone, known="additive")])])) == "++++"


def test_a_counter_comes_with_the_line_that_would_leave_it_out_and_a_text_does_not() -> None:
    viewed = _trial(_READ, {"n/1/views": 1}, {"n/1/views": 2})
    (told,) = [one for one in verdicts(Behaviour(_READ, [viewed])) if one.hint == "readOnlyHint"]
    assert told.verdict is Ruling.VIOLATED
    assert told.cause.endswith('; if that is bookkeeping here, say so: bookkeeping: ["n/*/views"]')
    assert line_to_paste(["n/1/text", "n/1/views"]) == ""


def test_a_file_that_the_server_wrote_is_not_a_request_s_doing() -> None:
    trial = _trial(_READ, {}, {"own-files/home/.seen": "1"}, requests=_PUT)
    assert cause(trial, trial.all_changes()) == "the call added own-files/home/.seen"


def test_redaction_keeps_that_a_text_grew_and_leaves_no_secret_in_a_path() -> None:
    before = {"notes/1": "old words", "keys/s3cret-key": "word"}
    after = {"notes/1": "some old words more", "keys/s3cret-key": "word by word"}
    again = {"notes/1": "some old words more", "keys/s3cret-key": "sword"}
    behaviour = Behaviour(_ADD, [_trial(_ADD, before, after)])
    worse = Behaviour(_ADD, [_trial(_ADD, before, again)])
    for one, expected in ((behaviour, "++.+"), (worse, "+!.+")):
        hidden = redact_proof(Proof(servers=[], behaviours=[one]), ["s3cret-key"]).behaviours[0]
        assert _rulings(one) == _rulings(hidden) == expected
        shown = str([verdicts(hidden), hidden.trials])
        assert "s3cret-key" not in shown
        assert "old words" not in shown
