"""How far a long command is: one line that is updated on a terminal, a line for about every tenth of it elsewhere."""

import sys
from types import TracebackType
from typing import Self

import click

from aboveboard.audit.verify import Progress


class Meter:
    """Shows progress on stderr, and leaves a terminal's line as it was."""

    def __init__(self) -> None:
        self._live = sys.stderr.isatty()
        self._width = 0
        self._tenth = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live and self._width:
            click.echo("\r" + " " * self._width + "\r", nl=False, err=True)

    def show(self, now: Progress) -> None:
        """Say how far it is, and how long it may still take."""
        left = now.seconds / now.done * (now.total - now.done)
        text = f"{now.done} of {now.total} cases, about {left:.0f} s left: {now.tool}"
        if not self._live:
            tenth = now.done * 10 // now.total
            if now.done in (1, now.total) or tenth > self._tenth:
                click.echo(text, err=True)
            self._tenth = tenth
            return
        click.echo("\r" + text.ljust(self._width), nl=False, err=True)
        self._width = len(text)
