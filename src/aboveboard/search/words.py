"""The words of a text, as both engines index them and every query looks for them.

Case, width, accents and vowel marks do not count. Chinese, Japanese, Korean, Thai and their kin, which put no spaces
between words or hang endings on them, become overlapping pairs of letters. Of a longer word its beginning counts too,
which finds it with other endings.
"""

import re
from typing import Final
from unicodedata import category, normalize

_ACCENTS: Final = "\u0300-\u036f"
_ARABIC_MARKS: Final = "\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed"
_HEBREW_POINTS: Final = "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
_DROPPED: Final = re.compile(f"[{_ACCENTS}{_ARABIC_MARKS}{_HEBREW_POINTS}]")
# Letters that people write for one another and Unicode takes for different ones.
_SAME: Final = str.maketrans({
    "ı": "i", "ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe",
    "ى": "ي", "ة": "ه", "ؤ": "و", "ئ": "ي", "ی": "ي", "ک": "ك", "ς": "σ",
})  # fmt: skip
_PAIRED: Final = (
    "\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f\u1780-\u17ff"  # Burmese, Khmer
    "\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
_MARKS: Final = "".join(chr(code) for code in range(0x0900, 0x1D00) if category(chr(code)).startswith("M"))
_RUN: Final = re.compile(f"([{_PAIRED}]+)|((?:(?![{_PAIRED}])(?:[^\\W_]|[{_MARKS}]))+)")
_LETTERS: Final = re.compile(r"\w")
LONGEST: Final = 64
"""Letters of a word that count: what is longer is no word, and a base64 block must not fill the index."""


STEM: Final = 5
"""Letters that words with other endings share: a beginning is indexed beside each longer word, in any language."""
BEGINNING: Final = "\ue000"
"""Marks such a beginning, so that it is never taken for a word."""


def folded(text: str) -> str:
    """Return a text as it is compared: without case, width, accents and vowel marks."""
    plain = _DROPPED.sub("", normalize("NFD", normalize("NFKC", text).casefold()))
    return normalize("NFC", plain.translate(_SAME))


def words(text: str) -> list[str]:
    """Return the words of a text and the beginnings of the longer ones, each as often as it occurs."""
    found: list[str] = []
    for paired, word in _RUN.findall(folded(text)):
        if paired:
            found += _pairs(paired)
            continue
        found.append(word[:LONGEST])
        if len(word) > STEM:
            found.append(BEGINNING + word[:STEM])
    return found


def _pairs(run: str) -> list[str]:
    if len(run) == 1:
        return [run] if _LETTERS.match(run) else []
    return [run[at : at + 2] for at in range(len(run) - 1)]
