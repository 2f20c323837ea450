"""How long something takes: whatever people write becomes the one form that the Cookbook keeps."""

import pytest

from aboveboard.errors import BadInput
from aboveboard.nextcloud.client.cookbook.durations import cookbook_form, short_form


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("PT5M", "PT0H5M0S"),
        ("pt90m", "PT1H30M0S"),
        ("P1DT2H", "PT26H0M0S"),
        ("P2W", "PT336H0M0S"),
        ("PT1.5H", "PT1H30M0S"),
        ("PT0S", "PT0H0M0S"),
        ("90 minutes", "PT1H30M0S"),
        ("1 h 30 min", "PT1H30M0S"),
        ("1h30m", "PT1H30M0S"),
        ("1 hour and 30 minutes", "PT1H30M0S"),
        ("1 hr., 5 mins", "PT1H5M0S"),
        ("1,5 hours", "PT1H30M0S"),
        ("2 days", "PT48H0M0S"),
        ("45 SEC", "PT0H0M45S"),
        ("1:30", "PT1H30M0S"),
        ("  10 min  ", "PT0H10M0S"),
    ],
)
def test_words_and_iso_8601_say_the_same(written: str, kept: str) -> None:
    assert cookbook_form(written) == kept
    assert cookbook_form(kept) == kept
    assert cookbook_form(short_form(kept) or "") == kept


@pytest.mark.parametrize(
    "written",
    [
        "",
        "soon",
        "90",
        "P",
        "PT",
        "P1Y",
        "P1M",
        "1 hour 2 hours",
        "5 min or so",
        "-5 min",
        "1:75",
        "PT5M x",
        "5 minutes 3",
    ],
)
def test_what_is_no_duration_is_refused_with_an_example(written: str) -> None:
    with pytest.raises(BadInput, match="1 h 30 min"):
        cookbook_form(written)


@pytest.mark.parametrize(
    ("kept", "short"),
    [
        ("PT0H5M0S", "PT5M"),
        ("PT26H0M0S", "PT26H"),
        ("PT1H30M5S", "PT1H30M5S"),
        ("PT0H0M0S", "PT0M"),
        (None, None),
        ("", None),
        ("a while", "a while"),
    ],
)
def test_what_is_shown_leaves_out_what_is_zero(kept: str | None, short: str | None) -> None:
    assert short_form(kept) == short
