"""An update of a card changes the lines it is about; every other line stays as it is, in order, byte for byte."""

from collections.abc import Sequence
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.nextcloud.flavours import FLAVOURS

from aboveboard.errors import BadInput
from aboveboard.nextcloud.client.contacts.cards import LABELS, Card
from aboveboard.nextcloud.client.contacts.changes import ContactData
from aboveboard.nextcloud.client.contacts.description import describe_card
from aboveboard.nextcloud.client.contacts.edits import apply
from aboveboard.nextcloud.client.content_lines import escape_text, lines_of, split_value, unescape_value

PIXEL: Final = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
CHANGES: Final[dict[str, Any]] = {
    "fn": "Other, name; \\ new",
    "n": {"family": "Other; family", "suffix": "jr."},
    "nickname": ["Other", "A, b"],
    "email": {"other@example.org": "work,pref", "third@example.org": ""},
    "tel": {"+1 555 0100": "cell"},
    "adr": [{"street": "1, Other; Street", "city": "Üty", "types": "work"}],
    "org": ["Other, Inc.", "Unit; two"],
    "title": "Other",
    "role": "Other",
    "bday": "--12-31",
    "note": "Line one\nline two, with; all \\ of it" + " and on" * 20,
    "url": {"https://other.example/a,b;c": ""},
    "categories": ["Other, one", "Two"],
    "photo": PIXEL,
}
CLEARED: Final[dict[str, Any]] = {
    **{"n": {"given": ""}, "email": {}, "tel": {}, "url": {}, "bday": "", "photo": ""},
    **{"adr": [], "org": [], "nickname": [], "categories": []},
}
_WORDS: Final = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs")), max_size=60)
_NAMES: Final = st.from_regex(r"[A-Z][A-Z0-9-]{0,12}", fullmatch=True)


def others(card: Card, *names: str) -> list[str]:
    """Return the lines that an update of these properties has nothing to do with."""
    return [line.raw for line in card.lines if line.name not in {*names, *LABELS}]


def data(**fields: Any) -> ContactData:
    return ContactData.model_validate(fields)


@pytest.mark.parametrize("text", FLAVOURS.values(), ids=FLAVOURS)
@pytest.mark.parametrize("field", CHANGES)
def test_a_change_leaves_all_other_lines_of_every_client_as_they_are(text: str, field: str) -> None:
    for value in (CHANGES[field], CLEARED.get(field, "" if field not in {"fn", "n"} else CHANGES[field])):
        card, name = Card(text), field.upper()
        before = others(card, name)
        apply(card, data(**{field: value}))
        assert others(card, name) == before
        kept = [line.raw for line in card.lines if line.name in LABELS]
        assert [line.raw for line in Card(text).lines if line.name in LABELS and line.raw in kept] == kept
        assert card.version == Card(text).version


@pytest.mark.parametrize("text", FLAVOURS.values(), ids=FLAVOURS)
def test_what_is_set_is_what_is_read_and_setting_it_again_changes_nothing(text: str) -> None:
    card = Card(text)
    assert {*apply(card, data(**CHANGES)), "photo"} == CHANGES.keys()
    read = describe_card(Card(str(card)))
    assert (read.fn, read.title, read.role, read.note) == tuple(
        CHANGES[name] for name in ("fn", "title", "role", "note")
    )
    assert (read.bday, read.org, read.nickname) == ("--12-31", CHANGES["org"], CHANGES["nickname"])
    assert sorted(read.categories) == sorted(CHANGES["categories"])
    assert {one.value for one in read.email} == CHANGES["email"].keys()
    assert {"work", "pref"} <= set(read.email[0].types)
    assert [one.value for one in read.url] == list(CHANGES["url"])
    assert (read.adr[0].street, read.adr[0].city, read.adr[0].types) == ("1, Other; Street", "Üty", ["work"])
    assert read.n is not None
    assert (read.n.family, read.n.suffix) == ("Other; family", "jr.")
    assert read.photo is not None
    assert (read.photo.media_type, read.photo.size) == ("image/png", 70)
    again = Card(str(card))
    assert apply(again, data(**CHANGES)) == []
    assert str(again) == str(card)


@pytest.mark.parametrize("text", FLAVOURS.values(), ids=FLAVOURS)
def test_what_a_card_says_already_is_not_written_again(text: str) -> None:
    card = Card(text)
    read = describe_card(card)
    shown = {name: getattr(read, name) for name in CHANGES if name not in {"n", "photo"}}
    shown |= {name: [one.model_dump() for one in shown[name]] for name in ("email", "tel", "url", "adr")}
    assert apply(card, data(**{name: value for name, value in shown.items() if value})) == []
    assert str(card) == text


def test_an_entry_that_stays_keeps_its_label_and_one_that_goes_takes_it_along() -> None:
    card = Card(FLAVOURS["Apple"])
    apply(card, data(email={"kaethe@example.org": ""}, tel={"+49 30 5550100": ""}))
    text = str(card)
    assert (
        "item1.EMAIL;type=INTERNET;type=WORK;type=pref:kaethe@example.org\r\nitem1.X-ABLabel:_$!<Work>!$_\r\n" in text
    )
    assert "item2" not in text
    assert "home@example.org" not in text


def test_another_address_of_the_same_kind_takes_the_place_of_the_old_one() -> None:
    card = Card(FLAVOURS["Nextcloud Contacts"])
    apply(card, data(tel={"+44 20 7946 0958": "", "+44 7700 900999": "cell"}))
    assert "TEL;VALUE=uri;TYPE=cell:tel:+44-7700-900999\r\n" in str(card)
    assert 'TEL;TYPE="HOME,VOICE":+44 20 7946 0958\r\n' in str(card)


def test_birthdays_are_written_as_the_version_of_the_card_has_them() -> None:
    three, four = Card(FLAVOURS["Outlook"]), Card(FLAVOURS["Nextcloud Contacts"])
    for card in (three, four):
        apply(card, data(bday="--02-29"))
    assert "BDAY;X-APPLE-OMIT-YEAR=1604:1604-02-29\r\n" in str(three)
    assert "BDAY:--0229\r\n" in str(four)


@pytest.mark.parametrize(
    "fields",
    [
        {"bday": "1985-02-30"},
        {"bday": "soon"},
        {"photo": "nonsense!"},
        {"photo": "bm90IGFuIGltYWdl"},
        {"email": {"": "work"}},
        {"email": {"a@example.org": "work:x"}},
        {"n": {"first": "Mo"}},
        {"adr": [{"town": "Köln"}]},
        {"url": {"https://example.org/\nX-EVIL:1": ""}},
    ],
    ids=str,
)
def test_what_cannot_be_written_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        apply(Card(FLAVOURS["Google"]), data(**fields))


@st.composite
def cards(draw: st.DrawFn) -> str:
    """Draw a card that no client may ever have written, with lines that are none."""
    end = draw(st.sampled_from(["\r\n", "\n"]))
    lines = ["BEGIN:VCARD", f"VERSION:{draw(st.sampled_from(['3.0', '4.0']))}", "UID:u"]
    lines += draw(st.lists(_lines(), max_size=12))
    return end.join([*(line.replace("\n", f"{end} ") for line in lines), "END:VCARD", ""])


@st.composite
def _lines(draw: st.DrawFn) -> str:
    known = st.sampled_from(["EMAIL", "TEL", "ADR", "NOTE", "CATEGORIES", "N", "FN", "ORG", "BDAY", "PHOTO", "URL"])
    name = draw(known | _NAMES.filter(lambda one: one not in {"BEGIN", "END", "VERSION", "UID"}))
    group = draw(st.sampled_from(["", "", "item1.", "Item2.", "x-y."]))
    params = draw(st.sampled_from(["", ";TYPE=home", ";CELL", ';X-A="a:b;c,d"', ";type=a;type=b", ";PREF=1", ";X"]))
    value = draw(_WORDS)
    cut = draw(st.integers(0, len(value)))
    fold = draw(st.sampled_from(["", "\n"]))
    return f"{group}{name}{params}:{value[:cut]}{fold}{value[cut:]}" if draw(st.integers(0, 9)) else value.strip()


@given(cards(), st.sampled_from(sorted(CHANGES)), st.data())
def test_no_card_loses_a_line_that_an_update_does_not_name(text: str, field: str, drawn: st.DataObject) -> None:
    card = Card(text)
    assert str(card) == text
    before = others(card, field.upper())
    value = drawn.draw(_WORDS.filter(bool)) if field in {"fn", "title", "role", "note"} else CHANGES[field]
    apply(card, data(**{field: value}))
    assert others(card, field.upper()) == before
    once = str(card)
    apply(card, data(**{field: value}))
    assert str(card) == once


@given(st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")) | st.just("\n")))
def test_every_text_can_be_written_and_read(text: str) -> None:
    assert unescape_value(escape_text(text)) == text
    card = Card(FLAVOURS["Apple"])
    apply(card, data(note=text))
    assert describe_card(Card(str(card))).note == (text or None)


@given(st.lists(_WORDS, min_size=1))
def test_parts_are_parted_where_they_were_joined(texts: Sequence[str]) -> None:
    for separator in ",;":
        assert split_value(separator.join(map(escape_text, texts)), separator) == [escape_text(text) for text in texts]


@given(st.text(st.characters(codec="utf-8")))
def test_the_lines_of_a_text_are_the_text(text: str) -> None:
    assert "".join(line.raw for line in lines_of(text)) == text
