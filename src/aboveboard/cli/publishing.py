"""Writes the reports of the auditor's commands."""

import signal
import sys
from pathlib import Path
from typing import Any, Final

import click

from aboveboard.audit.report import Format, Report, render
from aboveboard.cli.terminal import room
from aboveboard.errors import BadInput, unknown

UNREADABLE: Final = 2


def publish(report: Report, given: dict[str, Any]) -> None:
    """Write a report in every form that was asked for."""
    for form, file in given["also"].items():
        write(render(report, form_of(form), verbose=True), Path(file), f"the report as {form}")
    width = None if given["output"] else room()
    text = render(report, Format(given["form"]), verbose=given["verbose"], width=width)
    write(text, given["output"], f"the report as {given['form']}")


def form_of(name: str) -> Format:
    """Return a form of the report by its name."""
    if name not in list(Format):
        raise BadInput(unknown("format", name, [one.value for one in Format], of="The auditor"))
    return Format(name)


def stop(*_: object) -> None:
    """End by unwinding, so that the servers that were started end too."""
    sys.exit(128 + signal.SIGTERM)


def write(text: str, output: Path | None, what: str = "") -> None:
    """Print a text, or put it into a file and say what it is."""
    if output is None:
        click.echo(text)
        return
    try:
        output.write_text(click.unstyle(text) + "\n", encoding="utf-8")
    except OSError as error:
        raise BadInput(f"{output} cannot be written: {error.strerror}.") from None
    if what:
        click.echo(f"{output}: {what}", err=True)
