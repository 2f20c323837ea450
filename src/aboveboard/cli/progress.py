"""How far a long command is: one line that is updated on a terminal, a line for every so much of it elsewhere."""

import sys
from types import TracebackType
from typing import Final, Self

import click

from aboveboard.audit.verify import Progress

MINUTES_FROM: Final = 120
"""From how many seconds on they are told as minutes."""


class Meter:
    """Shows progress on stderr, and leaves a terminal's line as it was."""

    def __init__(self, steps: int = 10) -> None:
        """Tell, where there is no terminal, of the first case and then of so many parts of the whole."""
        self._live, self._steps = sys.stderr.isatty(), steps
        self._width = 0
        self._shown = (False, 0)
        self._timed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live and self._width:
            click.echo("\r" + " " * self._width + "\r", nl=False, err=True)

    def show(self, now: Progress) -> None:
        """Say how far it is, and how long it may still take."""
        text = _text(now)
        if not self._live:
            step = (now.looking, (now.looked if now.looking else now.done) * self._steps // now.total)
            timed = now.left is not None
            if now.done == 1 or step > self._shown or timed > self._timed:
                click.echo(text, err=True)
            self._shown, self._timed = max(step, self._shown), timed
            return
        click.echo("\r" + text.ljust(self._width), nl=False, err=True)
        self._width = len(text)


def _text(now: Progress) -> str:
    left = "" if now.left is None else f", about {_duration(now.left)} left"
    tool = f": {now.tool}" if now.tool else ""
    if not now.looking:
        return f"{now.done} of {now.total} cases{left}{tool}"
    if now.looked < now.total:
        return f"{now.done} of {now.total} cases; looking for late work: {now.looked} of {now.total}{left}"
    return f"{now.done} of {now.total} cases; late work was looked for; if any came, it is led back to its calls{tool}"


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < MINUTES_FROM else f"{seconds / 60:.0f} min"
