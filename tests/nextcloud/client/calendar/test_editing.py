"""Texts edited in place: what is not named stays, byte for byte."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.nextcloud.calendar_texts import FLAVOURS, ODD

from aboveboard.errors import BadInput
from aboveboard.nextcloud.client.calendar.editing import Document
from aboveboard.nextcloud.client.calendar.fields import Fields, categories_of

_NAMES = st.sampled_from(["X-A", "COMMENT", "X-LONG-NAME", "CONTACT", "x-lower", "ATTACH"])
_VALUES = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=120)
_PARAMS = st.sampled_from(["", ";X-P=1", ';X-Q="a;b:c"', ";LANGUAGE=de;X-R=a,b"])
_ENDS = st.sampled_from(["\r\n", "\n"])


@st.composite
def documents(draw: st.DrawFn) -> bytes:
    """Make a calendar with lines that nobody knows, folded somewhere, with either kind of line end."""
    end = draw(_ENDS)
    rows = ["BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VEVENT", "UID:x", "DTSTART:20310505T100000Z", "SUMMARY:Old"]
    for name, params, value in draw(st.lists(st.tuples(_NAMES, _PARAMS, _VALUES), max_size=6)):
        row = f"{name}{params}:{value}"
        at = draw(st.integers(len(name) + len(params) + 1, len(row)))
        rows.append(row[:at] + (f"{end} {row[at:]}" if draw(st.booleans()) else row[at:]))
    rows += ["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT5M", "END:VALARM", "END:VEVENT", "END:VCALENDAR", ""]
    return end.join(rows).encode()


@given(documents())
def test_a_text_that_is_not_changed_comes_back_as_it_was(data: bytes) -> None:
    assert Document(data).data == data


@given(documents(), st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=200))
def test_a_new_title_changes_the_line_of_the_title_alone(data: bytes, title: str) -> None:
    document = Document(data)
    item = document.items("VEVENT")[0]
    before = [line.raw for line in item.lines() if line.name != "SUMMARY"]
    Fields(title=title).apply(item)
    assert [line.raw for line in item.lines() if line.name != "SUMMARY"] == before
    again = Document(document.data)
    Fields(title=title).apply(again.items("VEVENT")[0])
    assert again.data == document.data
    Fields(title="Old").apply(again.items("VEVENT")[0])
    assert again.data == data or title == "Old"


@given(
    documents(), st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1), min_size=1)
)
def test_categories_are_read_as_they_were_written(data: bytes, names: list[str]) -> None:
    wanted = [name.strip() for name in names if name.strip()]
    document = Document(data)
    Fields(categories=wanted).apply(document.items("VEVENT")[0])
    assert categories_of(Document(document.data).items("VEVENT")[0]) == wanted


@pytest.mark.parametrize("flavour", FLAVOURS)
def test_every_field_that_is_cleared_and_set_again_leaves_the_rest_of_each_flavour_alone(flavour: str) -> None:
    data = FLAVOURS[flavour].encode()
    document = Document(data)
    item = document.items("VEVENT")[0]
    Fields(title="Other", description="", location="Ω", categories=["a,b"], status="CONFIRMED", priority=9).apply(item)
    named = {"SUMMARY", "DESCRIPTION", "LOCATION", "CATEGORIES", "STATUS", "PRIORITY"}
    kept = [line.raw for line in Document(data).items("VEVENT")[0].lines() if line.name not in named]
    assert [line.raw for line in item.lines() if line.name not in named] == kept
    assert [one.text for one in item.components()] == [
        one.text for one in Document(data).items("VEVENT")[0].components()
    ]


def test_bytes_that_are_no_text_and_lines_that_are_none_are_kept() -> None:
    data = ODD.replace("X-WR-CALNAME:Odd", "no line at all").encode().replace(b"K\xc3\xb6ln", b"K\xf6ln")
    document = Document(data)
    assert document.data == data
    document.items("VEVENT")[0].put_text("SUMMARY", "Other")
    assert document.data == re.sub(rb"SUMMARY;LANGUAGE=de:[^\r]*", b"SUMMARY;LANGUAGE=de:Other", data, count=1)


def test_what_calendars_cannot_keep_is_refused() -> None:
    item = Document(ODD.encode()).items("VEVENT")[0]
    with pytest.raises(BadInput, match="control characters"):
        item.put_text("SUMMARY", "bell \x07")
    with pytest.raises(BadInput, match="ends in the middle"):
        Document(b"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n")
