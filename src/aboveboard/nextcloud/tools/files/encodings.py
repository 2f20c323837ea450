"""Which characters bytes stand for: by their mark, by their form, or by a guess that is told as one."""

import codecs
from dataclasses import dataclass
from typing import Final
from unicodedata import category

from aboveboard.errors import BadInput

_MARKS: Final = (  # the longer first: UTF-32's mark starts like UTF-16's
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_LIKELY: Final = [
    "cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "koi8_r",
    "shift_jis", "euc_jp", "gb18030", "big5", "euc_kr",
]  # fmt: skip
"""What texts without Unicode are in: of the hundred that exist, most fit any bytes and are never meant."""
_SAMPLE: Final = 64 * 1024
_WIDEST: Final = 4
"""Bytes of the longest character: that of GB18030."""
_CONTROLS: Final = bytes(set(range(32)) - set(b"\t\n\r\f\b\x1b"))


@dataclass(frozen=True)
class Encoding:
    """How bytes are to be read, and how sure that is."""

    name: str
    guessed: bool = False
    mark: int = 0
    """Bytes at the start that say so and are no text."""

    def text(self, data: bytes) -> str:
        """Read bytes; one that stands for no character shows as such."""
        return data.decode(self.name, "replace")

    def whole(self, data: bytes) -> bytes:
        """Leave out the line at the end that may go on, or else the character."""
        newline = "\n".encode(self.name)
        at = data.rfind(newline)
        while at >= 0 and at % len(newline):
            at = data.rfind(newline, 0, at + len(newline) - 1)
        if at >= 0:
            return data[: at + len(newline)]
        decoder = codecs.getincrementaldecoder(self.name)("replace")
        decoder.decode(data)
        return data[: len(data) - len(decoder.getstate()[0])]


def find_encoding(name: str) -> Encoding:
    """Return the encoding that a caller names."""
    try:
        "".encode(name)
        return Encoding(codecs.lookup(name).name)
    except (LookupError, ValueError):
        raise BadInput(f"There is no encoding {name!r}.", next_step="Use one such as utf-8 or windows-1252.") from None


def detect_encoding(data: bytes, *, at_start: bool = True) -> Encoding | None:
    """Tell the encoding of a text, or of the part of one, by its bytes; None where they are no text."""
    if at_start:
        for mark, name in _MARKS:
            if data.startswith(mark):
                return Encoding(name, mark=len(mark))
    if b"\0" in data:
        return _wide(data[:_SAMPLE])
    # A part may begin within a character.
    begun = 0 if at_start else next((at for at, byte in enumerate(data[:4]) if byte & 0xC0 != 0x80), 0)
    if len(data.translate(None, _CONTROLS)) < 0.99 * len(data):
        return None
    try:
        codecs.getincrementaldecoder("utf-8")().decode(data[begun:])
        return Encoding("utf-8", mark=begun)
    except UnicodeDecodeError:
        return _guessed(data[:_SAMPLE], at_start=at_start)


def _wide(data: bytes) -> Encoding | None:
    """Tell UTF-16 without a mark: read the right way round it is a text with spaces or line ends, and little else."""
    found = {name: _ordinary(data, name) for name in ("utf-16-le", "utf-16-be")}
    best = max(found, key=lambda name: found[name])
    return Encoding(best, guessed=True) if found[best] > 0 else None


def _ordinary(data: bytes, name: str) -> float:
    """Tell which part of a text is plain ASCII; nothing where it is no text, which the last character cannot tell."""
    try:
        text = codecs.getincrementaldecoder(name)().decode(data[: len(data) // 2 * 2])
    except UnicodeDecodeError:
        return 0
    strange = sum(category(char) in ("Cc", "Cn", "Co") and char not in "\t\n\r\f" for char in text)
    if not text or strange > 0.01 * len(text):
        return 0
    return sum(char.isascii() for char in text) / len(text)


def _guessed(data: bytes, *, at_start: bool) -> Encoding | None:
    """Guess by what charset_normalizer makes of it; a part may begin or end within a character."""
    for begun in range(1 if at_start else _WIDEST):
        for cut in range(_WIDEST):
            found = _best(data[begun : len(data) - cut])
            if found is not None:
                return Encoding(found, guessed=True, mark=begun)
    return None


def _best(data: bytes) -> str | None:
    from charset_normalizer import from_bytes

    found = from_bytes(data, cp_isolation=_LIKELY)
    best = found.best()
    if best is None:
        return None
    # Western and Central European texts often look equally good; the former are far more common.
    as_good = [one for one in found if (one.chaos, one.coherence) == (best.chaos, best.coherence)]
    western = any("cp1252" in one.could_be_from_charset for one in as_good)
    return "cp1252" if western and best.encoding == "cp1250" else best.encoding
