"""Small and capital letters beyond ASCII, which many a Nextcloud takes for different ones when it searches."""

from itertools import product
from typing import Final

_MOST: Final = 8
"""Spellings of one text that are looked for at once."""


def spellings(text: str) -> list[str]:
    """Return the ways to write a text in small and capital letters, as far as they are beyond ASCII; its own first.

    Of a text with many such letters only the usual ways are returned: small, capital, and small with capital initials.
    """
    choices = [_cases(char) for char in text]
    ways = 1
    for each in choices:
        ways *= len(each)
    if ways <= _MOST:
        every = ["".join(chosen) for chosen in product(*choices)]
    else:
        every = [text, text.lower(), text.upper(), text.title(), text[:1].upper() + text[1:].lower()]
    # What differs in ASCII letters only is the same to Nextcloud.
    return list({_told_apart(one): one for one in reversed([text, *every])}.values())[::-1]


def _cases(char: str) -> list[str]:
    """Return both cases of a letter beyond ASCII; one whose other case is longer, as SS is, has none here."""
    if char.isascii():
        return [char]
    return list(dict.fromkeys([char, *(one for one in (char.lower(), char.upper()) if len(one) == 1)]))


def _told_apart(text: str) -> str:
    return "".join(char.lower() if char.isascii() else char for char in text)
