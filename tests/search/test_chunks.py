from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from aboveboard.search.chunks import ENOUGH, MOST, Chunk, chunks

SENTENCE = "This is a sentence of just eight words. "


def texts(text: str) -> list[str]:
    return [text[one.start : one.end] for one in chunks(text)]


def test_a_text_is_cut_at_headings_and_each_passage_knows_its_own() -> None:
    text = "Before.\n\n# Garden\n\nRoses.\n\n## Pond\n\nFish.\n\n# House\nWalls.\n"
    assert [(text[one.start : one.end].strip(), one.headings) for one in chunks(text)] == [
        ("Before.", ()),
        ("Roses.", ("Garden",)),
        ("Fish.", ("Garden", "Pond")),
        ("Walls.", ("House",)),
    ]


def test_a_heading_without_a_text_can_be_found_too() -> None:
    text = "# Alone\n\n# Other\n\nText.\n"
    assert [(text[one.start : one.end].strip(), one.headings) for one in chunks(text)] == [
        ("# Alone", ("Alone",)),
        ("Text.", ("Other",)),
    ]


def test_pages_are_told_and_no_passage_goes_across_one() -> None:
    text = "## Page 1 of 2\n\nFirst.\n\n## Page 2 of 2\n\n# Inside\n\nSecond.\n"
    assert [(text[one.start : one.end].strip(), one.page, one.headings) for one in chunks(text)] == [
        ("First.", 1, ()),
        ("Second.", 2, ("Inside",)),
    ]


def test_what_looks_like_a_heading_in_code_is_none() -> None:
    text = "# Script\n\n```\n# a comment\n\n# another\n```\n\nAfter.\n"
    assert [one.headings for one in chunks(text)] == [("Script",)]


def test_a_long_text_becomes_passages_that_overlap_by_a_sentence() -> None:
    text = SENTENCE * 60
    cut = chunks(text)
    assert len(cut) > 2
    for one, following in pairwise(cut):
        assert following.start < one.end
        assert text[following.start : one.end].count("sentence") == 1
    assert all(ENOUGH <= len(text[one.start : one.end].split()) <= MOST for one in cut[:-1])


def test_a_passage_ends_with_its_paragraph_where_it_is_long_enough() -> None:
    paragraph = (SENTENCE * 16).strip()
    assert texts(f"{paragraph}\n\n{paragraph}") == [paragraph, paragraph]


def test_short_paragraphs_stay_together() -> None:
    assert len(chunks("One.\n\nTwo.\n\nThree.")) == 1


def test_a_text_without_words_is_one_empty_passage() -> None:
    assert chunks("") == chunks(" \n\n--- \n") == [Chunk(0, 0)]


def test_what_has_no_sentences_is_cut_all_the_same() -> None:
    cut = chunks("词" * 5000)
    assert len(cut) > 3
    assert all(one.end - one.start <= 2400 for one in cut)
    assert len(chunks("word " * 2000)) > 5


@given(st.text(alphabet=st.sampled_from("ab .\n#`é東!\r\t"), max_size=400) | st.text(max_size=200))
def test_every_word_of_any_text_is_in_a_passage_or_in_a_heading(text: str) -> None:
    cut = chunks(text)
    covered = {at for one in cut for at in range(one.start, one.end)}
    heading_lines = {at for one in cut for heading in one.headings for at in _places(text, heading)}
    for at, char in enumerate(text):
        if char.isalnum() and not text[:at].rpartition("\n")[2].lstrip().startswith("#"):
            assert at in covered or at in heading_lines
    for one in cut:
        assert 0 <= one.start <= one.end <= len(text)


def _places(text: str, part: str) -> set[int]:
    found, at = set[int](), text.find(part)
    while part and at >= 0:
        found |= set(range(at, at + len(part)))
        at = text.find(part, at + 1)
    return found
