"""Texts edited in place: what is not named stays, byte for byte."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.nextcloud.calendar_texts import FLAVOURS, ODD
from tests.nextcloud.client.calendar.drawn import documents

from aboveboard.errors import BadInput
from aboveboard.nextcloud.client.calendar.editing import Document, Raw
from aboveboard.nextcloud.client.calendar.fields import Fields, categories_of


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


def test_a_line_that_gets_another_value_keeps_its_spelling_and_loses_what_was_said_of_the_old_one() -> None:
    head, tail = b"BEGIN:VCALENDAR\nbegin:vevent\n", b"END:VEVENT\nEND:VCALENDAR\n"
    old = (
        b'Summary;Language="de";altrep="cid:1";X-P=a,"b;c":Old\nx.SUMMARY:of a group\nDTSTART;TZID="Europe/Berlin":x\n'
    )
    document = Document(head + old + tail)
    item = document.items("VEVENT")[0]
    item.put_text("SUMMARY", "New")
    item.put("DTSTART", Raw("x"), {"TZID": "Europe/Berlin"})
    new = old.replace(b';altrep="cid:1"', b"").replace(b"Old", b"New")
    assert document.data == head + new + tail


def test_what_calendars_cannot_keep_is_refused() -> None:
    item = Document(ODD.encode()).items("VEVENT")[0]
    with pytest.raises(BadInput, match="control characters"):
        item.put_text("SUMMARY", "bell \x07")
    with pytest.raises(BadInput, match="ends in the middle"):
        Document(b"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n")
