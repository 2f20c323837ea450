"""How long something takes, in words or as ISO 8601, and in the one form that the Cookbook keeps."""

import re
from typing import Final

from aboveboard.errors import BadInput

_UNITS: Final = {
    "W": ("w", "week", "weeks"),
    "D": ("d", "day", "days"),
    "H": ("h", "hr", "hrs", "hour", "hours"),
    "M": ("m", "min", "mins", "minute", "minutes"),
    "S": ("s", "sec", "secs", "second", "seconds"),
}
_SECONDS: Final = {"W": 7 * 24 * 3600, "D": 24 * 3600, "H": 3600, "M": 60, "S": 1}
_LETTER: Final = {word: letter for letter, words in _UNITS.items() for word in words}
_NUMBER: Final = r"(\d{1,6}(?:[.,]\d{1,3})?)"
_ISO: Final = re.compile(rf"P(?:{_NUMBER}W)?(?:{_NUMBER}D)?(?:T(?:{_NUMBER}H)?(?:{_NUMBER}M)?(?:{_NUMBER}S)?)?", re.I)
_WORDS: Final = re.compile(rf"{_NUMBER}\s*([a-z]+)\.?")
_BETWEEN: Final = re.compile(r"\s*(?:,|&|and)?\s*")
_CLOCK: Final = re.compile(r"(\d{1,4}):([0-5]\d)")
_KEPT: Final = re.compile(r"PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?")


def cookbook_form(text: str) -> str:
    """Return a duration as the Cookbook keeps it, such as PT1H30M0S: it knows no days, and would drop them."""
    seconds = _seconds(text.strip())
    if seconds is None:
        raise BadInput(f"{text!r} is not a duration.", next_step="Write it as 1 h 30 min, or as PT1H30M.")
    minutes, rest = divmod(seconds, 60)
    return f"PT{minutes // 60}H{minutes % 60}M{rest}S"


def short_form(kept: str | None) -> str | None:
    """Return what the Cookbook keeps without what is zero, such as PT5M; what is no duration stays as it is."""
    found = _KEPT.fullmatch(kept or "")
    if found is None:
        return kept or None
    parts = [f"{int(number)}{letter}" for number, letter in zip(found.groups(), "HMS", strict=True) if int(number or 0)]
    return f"PT{''.join(parts) or '0M'}"


def _seconds(text: str) -> int | None:
    iso = _ISO.fullmatch(text)
    if iso and any(iso.groups()):
        return _sum(zip(iso.groups(), "WDHMS", strict=True))
    clock = _CLOCK.fullmatch(text)
    if clock:
        return int(clock[1]) * 3600 + int(clock[2]) * 60
    return _from_words(text.lower())


def _from_words(text: str) -> int | None:
    """Read 1 hour and 30 minutes; every unit once, and nothing else between."""
    parts, at = list[tuple[str | None, str]](), 0
    while at < len(text):
        found = _WORDS.match(text, at)
        if found is None or found[2] not in _LETTER:
            return None
        parts.append((found[1], _LETTER[found[2]]))
        gap = _BETWEEN.match(text, found.end())
        at = gap.end() if gap else found.end()
    letters = [letter for _, letter in parts]
    return _sum(parts) if parts and len(set(letters)) == len(letters) else None


def _sum(parts: "zip[tuple[str | None, str]] | list[tuple[str | None, str]]") -> int:
    return round(sum(float((number or "0").replace(",", ".")) * _SECONDS[letter] for number, letter in parts))
