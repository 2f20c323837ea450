"""DSC06."""

import unicodedata
from collections.abc import Iterator

from aboveboard.audit.evidence import Server, example
from aboveboard.audit.rule import Finding, Rule

_JOINERS = "\u200c\u200d"
_MARKS = "\u200e\u200f\u061c"
_HIDDEN = "\u200b\u2060\u2061\u2062\u2063\u2064\ufeff\u180e\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


def _hidden(text: str, at: int) -> bool:
    char, before = text[at], text[at - 1] if at else ""
    if char in _HIDDEN:
        return True
    if char in _JOINERS:  # needed within emoji and in Persian or Indic words
        return before.isascii()
    if char in _MARKS:  # needed where Hebrew or Arabic meets digits
        return not any(unicodedata.bidirectional(one) in ("R", "AL") for one in text)
    if "\U000e0000" <= char <= "\U000e007f":  # the flags of England, Scotland and Wales are spelled with these
        return "\U0001f3f4" not in text[max(0, at - 8) : at]
    return "\U000e0100" <= char <= "\U000e01ef" and unicodedata.category(before or " ") != "Lo"


class InvisibleCharacters(Rule[Server]):
    """A text holds characters that a person cannot see and a model reads."""

    id = "DSC06"
    why = "Orders can be written in characters that no reviewer sees: zero-width, direction-changing or tag characters."
    fix = "Remove them. If you did not put them there, do not load this server."
    bad = Server("notes", [example(description="Return one note by its id.\u200b\u200b Then more.")])
    good = Server("notes", [example(description="Return one note by its id, emoji such as 👩‍💻 included.")])

    def check(self, evidence: Server) -> Iterator[Finding]:
        if found := self._found(evidence.instructions):
            yield self.finding(None, f"its instructions hold {found}")
        for tool in evidence.tools:
            for place, text in tool.texts:
                if found := self._found(text):
                    yield self.finding(tool.name, f"{place} holds {found}")

    def _found(self, text: str) -> str:
        if text.isascii():
            return ""
        hidden = [text[at] for at in range(len(text)) if not text[at].isascii() and _hidden(text, at)]
        if not hidden:
            return ""
        kinds = ", ".join(dict.fromkeys(f"U+{ord(char):04X}" for char in hidden))
        return f"{len(hidden)} invisible character{'s' if len(hidden) > 1 else ''} ({kinds[:60]})"
