"""Words for what Nextcloud's sharing says in numbers; the numbers are understood too."""

import re
from collections.abc import Sequence
from typing import Final

from aboveboard.errors import BadInput

TYPES: Final = {
    "user": 0,
    "group": 1,
    "link": 3,
    "email": 4,
    "federated": 6,
    "team": 7,
    "talk": 10,
    "deck": 12,
}
PERMISSIONS: Final = {"read": 1, "update": 2, "create": 4, "delete": 8, "share": 16}
FOLDERS_ONLY: Final = PERMISSIONS["create"] | PERMISSIONS["delete"]
PRESETS: Final = {"view": 1, "edit": 15, "upload": 4, "all": 31}


def type_number(given: str | int) -> int:
    """Return the number of a share type, given as a word or a number."""
    if isinstance(given, int) or given.isdecimal():
        number = int(given)
        if number not in TYPES.values():
            raise BadInput(f"There is no share type {number}.", next_step=f"Use one of: {', '.join(TYPES)}.")
        return number
    if given.lower() not in TYPES:
        raise BadInput(f"There is no share type {given!r}.", next_step=f"Use one of: {', '.join(TYPES)}.")
    return TYPES[given.lower()]


def type_word(number: int) -> str:
    """Return the word for a share type; one that has none stays a number."""
    return next((word for word, known in TYPES.items() if known == number), str(number))


def permission_bits(given: str | int | Sequence[str]) -> int:
    """Return the number for permissions: words, a preset, words in one text, or the number itself."""
    if isinstance(given, int):
        return _bits(given)
    # A list that someone wrote down as a text is what results show.
    words = re.findall(r"[^\s,;\[\]\"']+", given) if isinstance(given, str) else list(given)
    if len(words) == 1 and words[0].isdecimal():
        return _bits(int(words[0]))
    known = {**PERMISSIONS, **PRESETS}
    bits = 0
    for word in words:
        if word.lower() not in known:
            raise BadInput(f"There is no permission {word!r}.", next_step=f"Use any of: {', '.join(known)}.")
        bits |= known[word.lower()]
    return _bits(bits)


def permission_words(bits: int) -> list[str]:
    """Return what is allowed by the bits that Nextcloud counts with."""
    return [word for word, bit in PERMISSIONS.items() if bits & bit]


def _bits(bits: int) -> int:
    if not 1 <= bits <= 31:
        raise BadInput(f"{bits} stands for no permissions.", next_step=f"Use any of: {', '.join(PERMISSIONS)}.")
    return bits
