"""Writes the reports of the auditor's commands."""

import os
import signal
import sys
from pathlib import Path
from typing import Any, Final

import click

from aboveboard.audit.report import Format, Report, render
from aboveboard.cli.terminal import room
from aboveboard.errors import BadInput, explain_unknown

UNREADABLE: Final = 2
_OF_PEOPLE: Final = (".yaml", ".yml")
"""How the names of plans and backends end, which people write; those of reports do not."""


def publish(report: Report, given: dict[str, Any]) -> None:
    """Write a report in every form that was asked for."""
    for form, file in given["also"].items():
        write(render(report, form_of(form), verbose=True), Path(file), f"the report as {form}")
    width = None if given["output"] else room()
    text = render(report, Format(given["form"]), verbose=given["verbose"], width=width)
    write(text, given["output"], f"the report as {given['form']}")


def keep_plans(given: dict[str, Any], plan: Path | None = None) -> None:
    """Refuse to write over a plan, before anything is run: it is a person's work, and reports are made again."""
    for file in (given["output"], given.get("save"), given.get("patch_file"), *given["also"].values()):
        if file and holds_something(file) and (Path(file).suffix.lower() in _OF_PEOPLE or _same(file, plan)):
            raise BadInput(f"{file} may be a plan and is not written over.", next_step="Name another file.")


def holds_something(file: Path | str) -> bool:
    """Tell whether there is something in a file that would be lost."""
    return os.path.isfile(file) and os.path.getsize(file) > 0


def _same(file: Path | str, other: Path | None) -> bool:
    return other is not None and other.exists() and os.path.samefile(file, other)


def form_of(name: str) -> Format:
    """Return a form of the report by its name."""
    if name not in list(Format):
        raise BadInput(explain_unknown("format", name, [one.value for one in Format], of="The auditor"))
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
