"""What is told of the time that is left, before much was seen."""

import pytest

from aboveboard.audit.verify.forecast import Forecast
from aboveboard.audit.verify.late import TURN
from aboveboard.audit.verify.plan import Case, Step
from aboveboard.audit.verify.progress import Progress
from aboveboard.audit.verify.walk_record import WalkRecord

LATE = 6.0
READ = Case(tool="list_notes")
WRITE = Case(tool="create_note")


def forecast(*cases: Case, jobs: int = 1) -> Forecast:
    return Forecast(cases, {"list_notes"}, LATE, jobs)


def walked(case: Case, seconds: float, *, changed: bool = False) -> WalkRecord:
    return WalkRecord(case=case, seconds=seconds, before={}, after={"notes/1": "x"} if changed else {})


def test_a_first_read_does_not_stand_for_the_writes_that_follow() -> None:
    told = forecast(READ, *[WRITE] * 100)
    told.note(0, [walked(READ, 0.04)])
    # In each group's 0.4 seconds there is room for ten of them.
    assert told.seconds == pytest.approx(LATE + 101 * 0.04 + 10 * (LATE + TURN))


def test_a_first_write_does_not_stand_for_the_reads_that_follow() -> None:
    told = forecast(WRITE, *[READ] * 100)
    told.note(0, [walked(WRITE, 0.04, changed=True)])
    assert told.seconds == pytest.approx(LATE + 101 * 0.04 + 0.1 * (LATE + TURN))


@pytest.mark.parametrize(
    ("case", "changes"),
    [
        (Case(tool="create_note", refused=["no such"]), False),
        (Case(tool="list_notes", arrange=[Step(call="create_note")]), True),
        (Case(tool="list_notes", refused=["no such"], arrange=[Step(call="create_note")]), True),
    ],
)
def test_what_is_refused_changes_nothing_and_what_is_arranged_does(case: Case, changes: bool) -> None:  # noqa: FBT001
    told = forecast(READ, case)
    told.note(0, [walked(READ, 0.1)])
    assert (told.seconds > LATE + 1) == changes


def test_servers_side_by_side_share_the_work_and_nothing_is_waited_for_where_nobody_wants_it() -> None:
    alone, shared = forecast(READ, *[WRITE] * 100), forecast(READ, *[WRITE] * 100, jobs=2)
    for one in (alone, shared):
        one.note(0, [walked(READ, 0.1)])
    assert shared.seconds - LATE == pytest.approx((alone.seconds - LATE) / 2)
    nothing = Forecast([WRITE], (), 0.0)
    nothing.note(0, [walked(WRITE, 0.1)])
    assert nothing.seconds == 0


@pytest.mark.parametrize(
    ("done", "total", "seconds", "left"),
    [(9, 100, 9.0, None), (10, 100, 10.0, 90.0), (2, 100, 40.0, 1960.0), (3, 3, 1.0, 0.0), (0, 100, 40.0, None)],
)
def test_what_is_left_is_told_when_enough_was_seen_or_some_time_has_passed(
    done: int, total: int, seconds: float, left: float | None
) -> None:
    assert Progress(done, total, "list_notes", seconds).left == left
