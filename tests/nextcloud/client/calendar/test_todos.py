"""Changes to tasks: what is named is set and can be cleared, and everything else stays, byte for byte."""

from typing import Any, Final
from zoneinfo import ZoneInfo

from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.nextcloud.client.calendar.drawn import documents

from aboveboard.nextcloud.client.calendar.alarms import Reminder
from aboveboard.nextcloud.client.calendar.editing import Document
from aboveboard.nextcloud.client.calendar.fields import Fields, blank
from aboveboard.nextcloud.client.calendar.objects import Stored
from aboveboard.nextcloud.client.calendar.todo_changes import TODO, TodoChanges, apply
from aboveboard.nextcloud.client.calendar.todos import todo_of

BERLIN: Final = ZoneInfo("Europe/Berlin")
KNOWN: Final = (
    *("UID:x", "SUMMARY;LANGUAGE=de:Old", "DTSTART;VALUE=DATE:20310505", "DUE;VALUE=DATE:20310506", "PRIORITY:4"),
    *("CATEGORIES:Home", "CATEGORIES:Work", "RELATED-TO:parent", "RELATED-TO;RELTYPE=SIBLING:other", "X-OC-HIDE:1"),
    *("STATUS:IN-PROCESS", "PERCENT-COMPLETE:40", "RRULE:FREQ=DAILY", "DESCRIPTION:Old"),
)
PLAIN: Final = "\r\n".join(
    ["BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VTODO", *KNOWN, "END:VTODO", "END:VCALENDAR", ""]
).encode()
_WORDS: Final = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=80)
_DAYS: Final = st.dates().filter(lambda day: 2000 < day.year < 2031).map(str)
_LATER: Final = st.dates().filter(lambda day: 2032 < day.year < 2100).map(str)
CHANGES: Final[dict[str, tuple[st.SearchStrategy[Any], set[str]]]] = {
    "title": (_WORDS.filter(bool), {"SUMMARY"}),
    "description": (_WORDS, {"DESCRIPTION"}),
    "categories": (st.lists(_WORDS.map(str.strip).filter(bool), max_size=3), {"CATEGORIES"}),
    "priority": (st.integers(0, 9), {"PRIORITY"}),
    "start": (_DAYS | st.just(""), {"DTSTART"}),
    "due": (_LATER, {"DUE"}),
    "percent": (st.integers(0, 100), {"PERCENT-COMPLETE", "STATUS", "COMPLETED"}),
    "rule": (st.sampled_from(["", "FREQ=WEEKLY;COUNT=3"]), {"RRULE"}),
    "parent": (st.sampled_from(["", "other", "parent"]), {"RELATED-TO"}),
    "reminders": (st.just([]) | st.just([Reminder(minutes_before=30)]), set()),
}
"""What can be changed, to what, and the properties that tell it."""


def changes_of(given: dict[str, Any]) -> TodoChanges:
    fields = {name: given[name] for name in given if name in Fields.__dataclass_fields__}
    return TodoChanges(fields=Fields(**fields), **{name: given[name] for name in given if name not in fields})


@settings(deadline=None, max_examples=50)
@given(
    documents("VTODO", KNOWN),
    st.fixed_dictionaries({}, optional={name: values for name, (values, _) in CHANGES.items()}),
)
def test_a_change_touches_what_it_names_and_the_same_again_touches_nothing(data: bytes, given: dict[str, Any]) -> None:
    document, before = Document(data), Document(data)
    apply(document, changes_of(given), BERLIN, "ada@example.org")
    named = {name for field in given for name in CHANGES[field][1]}
    [item], [old] = document.items(TODO), before.items(TODO)
    assert [one.raw for one in item.lines() if one.name not in named] == [
        one.raw for one in old.lines() if one.name not in named
    ]
    assert "RELATED-TO;RELTYPE=SIBLING:other" in [one.text for one in item.lines("RELATED-TO")]
    if "reminders" not in given:
        assert [one.text for one in item.components()] == [one.text for one in old.components()]
    others = [one.text for one in before.calendar.components() if one.name != TODO]
    assert [one.text for one in document.calendar.components() if one.name not in (TODO, "VTIMEZONE")] == others
    again = Document(document.data)
    apply(again, changes_of(given), BERLIN, "ada@example.org")
    assert again.data == document.data


@settings(deadline=None, max_examples=50)
@example(PLAIN, "C:\\New", ["C:\\New, \\n", "\\N"])
@given(documents("VTODO", KNOWN), _WORDS.filter(bool), st.lists(_WORDS.map(str.strip).filter(bool), max_size=3))
def test_what_is_set_is_what_is_read(data: bytes, title: str, categories: list[str]) -> None:
    document = Document(data)
    apply(document, changes_of({"title": title, "categories": categories, "due": "2031-06-01"}), BERLIN, None)
    read = todo_of(Stored("tasks", "x.ics", "1", document.data), BERLIN)
    assert (read.summary, read.categories or [], read.due) == (title, categories, "2031-06-01")
    assert (read.parent, read.percent_complete, read.status) == ("parent", 40, "IN-PROCESS")


def test_a_task_that_repeats_goes_by_a_clock_though_an_instant_is_given() -> None:
    """Else it moves by an hour when the clocks are put forward."""
    document = blank("x", TODO)
    rule = "FREQ=DAILY;UNTIL=20310402"
    apply(document, TodoChanges(start="2031-03-29T08:00:00+01:00", due="2031-03-29T08:00:00Z", rule=rule), BERLIN, None)
    [item] = document.items(TODO)
    rows = [item.first(name) for name in ("DTSTART", "DUE", "RRULE")]
    assert [row.text for row in rows if row] == [
        "DTSTART;TZID=Europe/Berlin:20310329T080000",
        "DUE;TZID=Europe/Berlin:20310329T090000",
        "RRULE:FREQ=DAILY;UNTIL=20310402T215959Z",
    ]
    apply(document, TodoChanges(due="2031-03-29T08:30:00Z"), ZoneInfo("Asia/Tokyo"), None)
    assert item.value("DUE") == "20310329T093000"
    once = blank("y", TODO)
    apply(once, TodoChanges(due="2031-03-29T08:00:00Z"), BERLIN, None)
    assert once.items(TODO)[0].value("DUE") == "20310329T080000Z"
