"""A vCard as its lines, in whatever version and by whatever client it was written."""

from collections.abc import Sequence
from typing import Final

from aboveboard.errors import ApiError
from aboveboard.nextcloud.client.content_lines import Line, join_lines, lines_of, unescape_value

LABELS: Final = frozenset({"X-ABLABEL", "X-ABADR"})
"""Lines that say something of another line of their group, and nothing without it."""


class Card:
    """One card; `str()` is its text, equal to the byte where nothing was edited."""

    def __init__(self, text: str) -> None:
        self.lines = lines_of(text)
        if not self.lines or self.lines[0].text.strip("\ufeff \t").upper() != "BEGIN:VCARD":
            raise ApiError("Nextcloud answered with something that is not a contact.")

    def __str__(self) -> str:
        return join_lines(self.lines)

    @property
    def version(self) -> str:
        """The version of vCard that it is written in."""
        return self.first("VERSION").strip()

    @property
    def uid(self) -> str:
        """What it is known by."""
        return unescape_value(self.first("UID")).strip()

    def named(self, *names: str) -> list[Line]:
        """Return the lines of a property, whatever group they are in; of two cards in one text, the first one's."""
        return [line for line in self.lines[: self._stop()] if line.name in names]

    def first(self, *names: str) -> str:
        """Return the value of the first line of a property as it was written, or nothing."""
        return next((line.value for line in self.named(*names)), "")

    def text(self, name: str) -> str | None:
        """Return the text of a property."""
        return unescape_value(self.first(name)) or None

    def replace(self, old: Line, new: Line) -> None:
        """Put a line in the place of another."""
        self.lines = [new if line is old else line for line in self.lines]

    def set_first(self, name: str, value: str) -> None:
        """Give a property another value; a card that lacks it gets it."""
        lines = self.named(name)
        if lines:
            self.replace(lines[0], lines[0].with_value(value))
        else:
            self.add(name, value)

    def add(self, name: str, value: str, pieces: Sequence[str] = ()) -> None:
        """Add a line after the last one of its name, or at the end; where a group goes on, after that."""
        end = self.lines[0].end or "\r\n"
        at = self._stop()
        same = self.named(name)
        if same:
            at = max(place for place, line in enumerate(self.lines) if line is same[-1]) + 1
            while at < len(self.lines) and self.lines[at].group and self.lines[at].group == same[-1].group:
                at += 1
        before = self.lines[:at]
        if before[-1].end == "":
            before[-1] = Line(before[-1].raw + end)
        self.lines = [*before, Line.of(";".join([name, *pieces]) + f":{value}", end), *self.lines[at:]]

    def remove(self, gone: Sequence[Line]) -> None:
        """Take lines out, with the labels of those that were alone in their group."""
        kept = [line for line in self.lines if not any(line is one for one in gone)]
        left = {line.group for line in kept if line.name not in LABELS}
        dangling = {line.group for line in gone if line.group} - left
        self.lines = [line for line in kept if not (line.name in LABELS and line.group in dangling)]

    def _stop(self) -> int:
        """Return where the card ends, which may be without a word."""
        for place, line in enumerate(self.lines):
            if line.name == "END":
                return place
        return len(self.lines)
