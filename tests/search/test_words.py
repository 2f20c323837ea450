import pytest
from hypothesis import given
from hypothesis import strategies as st

from aboveboard.search.words import BEGINNING, LONGEST, folded, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Größe", ["grosse", f"{BEGINNING}gross"]),
        ("İSTANBUL ısı", ["istanbul", f"{BEGINNING}istan", "isi"]),
        ("ＦＵＬＬ", ["full"]),
        ("snake_case 2026", ["snake", "case", "2026"]),
        ("भारत की", ["भारत", "की"]),
        ("東京タワー", ["東京", "京タ", "タワ", "ワー"]),
        ("東", ["東"]),
        ("한국어", ["한국", "국어"]),
        ("ไทย", ["ไท", "ทย"]),
        ("مَدْرَسَة", ["مدرسه"]),
        ("C++, don't! \x00", ["c", "don", "t"]),
        ("", []),
    ],
)
def test_a_text_has_these_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@given(st.text())
def test_folding_twice_changes_no_more_and_every_word_is_one_token(text: str) -> None:
    assert folded(folded(text)) == folded(text)
    for word in words(text):
        assert word
        assert len(word) <= LONGEST
        assert not any(char.isspace() or char == '"' for char in word)
