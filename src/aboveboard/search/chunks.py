"""Cuts a text into passages that can be found, cited and opened: at headings, then paragraphs, then sentences.

A passage knows where it starts and ends in the text, below which headings it stands and on which page. Pages are known
by headings such as "Page 3 of 10", as documents are written when they become Markdown; no passage goes across one.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

VERSION: Final = "1"
"""Part of an index's identity: passages that were cut otherwise cannot be mixed."""
ENOUGH: Final = 120
"""Words after which a passage ends with its paragraph."""
MOST: Final = 200
OVERLAP: Final = 40
"""Words of the last sentence up to which it is repeated at the start of the next passage."""
_STRETCH: Final = 1200
"""Characters in a row that are cut even without an end of a sentence."""

_HEADING: Final = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)[ \t#]*$")
_FENCE: Final = re.compile(r" {0,3}(?:```|~~~)")
_PAGE: Final = re.compile(r"Page (\d+) of \d+")
_SENTENCE: Final = re.compile(r"(?<=[.!?…।؟])[\"'»”)\]]*\s+|(?<=[。！？])|\n")
_WORD: Final = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{1,2}|[^\W_]+"
)


@dataclass(frozen=True)
class Chunk:
    """One passage: where it is in its text."""

    start: int
    end: int
    headings: tuple[str, ...] = ()
    page: int | None = None


class _Section(NamedTuple):
    headings: tuple[str, ...]
    page: int | None


class _Unit(NamedTuple):
    """What is never cut: a sentence, or a part of one that is too long."""

    start: int
    end: int
    size: int
    opens: bool
    """Whether a paragraph begins with it."""


def chunks(text: str) -> list[Chunk]:
    """Cut a text; one without any words is one empty passage, so that its title can be found."""
    found = [chunk for section, units in _sections(text) for chunk in _packed(section, units)]
    return found or [Chunk(0, 0)]


def _sections(text: str) -> Iterator[tuple[_Section, list[_Unit]]]:
    section, units, fenced = _Section((), None), list[_Unit](), False
    title: tuple[int, int] | None = None
    trail: list[tuple[int, str]] = []
    for start, end in _paragraphs(text):
        heading = None if fenced else _HEADING.match(text[start:end])
        if heading is None:
            fenced ^= len(_FENCE.findall(text[start:end])) % 2 == 1
            units += _sentences(text, start, end)
            continue
        if units or title:
            yield section, units or _sentences(text, *(title or (start, start)))
        level, words = len(heading[1]), heading[2].strip()
        page = _PAGE.fullmatch(words)
        if page:
            trail, section, title = [], _Section((), int(page[1])), None
        else:
            trail = [one for one in trail if one[0] < level] + [(level, words)]
            section = _Section(tuple(words for _, words in trail), section.page)
            title = (start, end)
        units = []
    if units or title:
        yield section, units or _sentences(text, *(title or (0, 0)))


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """Go through the spans between blank lines; a heading is one of its own."""
    at, begun = 0, None
    fenced = False
    for line in text.splitlines(keepends=True):
        end = at + len(line)
        fenced ^= _FENCE.match(line) is not None
        alone = not fenced and _HEADING.match(line.rstrip("\r\n")) is not None
        if begun is not None and (alone or not line.strip()):
            yield begun, at
            begun = None
        if alone:
            yield at, at + len(line.rstrip())
        elif line.strip() and begun is None:
            begun = at
        at = end
    if begun is not None:
        yield begun, at


def _sentences(text: str, start: int, end: int) -> list[_Unit]:
    units = list[_Unit]()
    for left, right in _spans(text, start, end):
        size = len(_WORD.findall(text, left, right))
        if size:
            units.append(_Unit(left, right, size, opens=not units))
    return units


def _spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    at = start
    for found in _SENTENCE.finditer(text, start, end):
        yield from _stretches(text, at, found.start())
        at = found.end()
    yield from _stretches(text, at, end)


def _stretches(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Cut what has no end of a sentence for too long, between words where there are any."""
    while end - start > _STRETCH:
        space = text.rfind(" ", start + _STRETCH // 2, start + _STRETCH)
        cut = space if space > 0 else start + _STRETCH
        yield start, cut
        start = cut
    if text[start:end].strip():
        yield start, end


def _packed(section: _Section, units: list[_Unit]) -> Iterator[Chunk]:
    taken: list[_Unit] = []
    size = fresh = 0
    for unit in units:
        if taken and (size + unit.size > MOST or (size >= ENOUGH and unit.opens)):
            yield Chunk(taken[0].start, taken[-1].end, *section)
            last = taken[-1]
            taken = [last] if last.size <= OVERLAP and not unit.opens else []
            size, fresh = sum(one.size for one in taken), 0
        taken.append(unit)
        size, fresh = size + unit.size, fresh + 1
    if fresh:
        yield Chunk(taken[0].start, taken[-1].end, *section)
