"""`aboveboard report`: a saved verification, judged and written again."""

from pathlib import Path
from typing import Any

import click

from aboveboard.audit.verify.saving import read_evidence
from aboveboard.cli.audit_options import (
    choice_options,
    chosen_settings,
    output_options,
    patch_option,
    source_option,
    strict_option,
)
from aboveboard.cli.finishing import finish
from aboveboard.cli.publishing import keep_plans


@click.command(name="report")
@click.argument("file", type=click.Path(path_type=Path), metavar="EVIDENCE")
@patch_option
@source_option
@strict_option
@choice_options
@output_options
def command(file: Path, **given: Any) -> None:
    """Judge what `aboveboard verify --save EVIDENCE` saw, and write the report again; nothing is started or called.

    \b
    Examples
      aboveboard report evidence.json
      aboveboard report evidence.json --profile openai --format html -o report.html

    The exit code is that of verify: 1 if a hint is violated, none could be verified, or something was found at or
    above --fail-on.
    """
    keep_plans(given)
    finish(read_evidence(file), chosen_settings(given), given, anchor="plan.yaml")
