"""How `verify`, `check` and `report` end: what was seen is judged and written, and the exit code says what came out."""

import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import click

from aboveboard.audit.evidence import Evidence
from aboveboard.audit.report import Place, Report
from aboveboard.audit.settings import Settings
from aboveboard.audit.verdict import Ruling
from aboveboard.audit.verify.patch import patch_summary, patch_text
from aboveboard.audit.verify.proof import Proof
from aboveboard.audit.verify.redaction import presentable, without_secrets
from aboveboard.audit.verify.reporting import report_of, unsettled
from aboveboard.cli.publishing import UNREADABLE, publish, write


def finish(
    proof: Proof,
    settings: Settings,
    given: dict[str, Any],
    *,
    anchor: str,
    secrets: Collection[str] = (),
    read: Sequence[Evidence] = (),
    places: Mapping[str, Place] | None = None,
) -> None:
    """Write what was asked for, and end with the exit code; what was read is judged beside what was seen."""
    report = report_of(proof, settings, anchor=given["anchor"] or anchor, read=read)
    report = presentable(replace(report, places=places or {}, rules_url=given["rules_url"]), secrets)
    publish(report, given)
    if given["patch_file"]:
        write(patch_text(report), given["patch_file"], patch_summary(report))
    if proof.ended:
        ended = without_secrets(proof.ended, secrets)
        click.echo(f"aboveboard: {ended} What was seen before is reported.", err=True)
    if not proof.tried:
        click.echo("aboveboard: No call of any tool could be tried.", err=True)
    for mistake in proof.mistakes:
        click.echo(f"aboveboard: {mistake}", err=True)
    sys.exit(UNREADABLE if proof.mistakes else exit_code(report, settings, proof, strict=given["strict"]))


def exit_code(report: Report, settings: Settings, proof: Proof, *, strict: bool) -> int:
    """Return what the shell is told; a run that learned nothing is no success, and one without a call was no run."""
    seen = {one.verdict for one in report.verdicts}
    if proof.ended or not proof.tried:
        return UNREADABLE
    wrong = settings.fail_on is not None and (Ruling.VIOLATED in seen or seen <= {Ruling.UNTRIED, Ruling.UNVERIFIABLE})
    return int(wrong or settings.fails(report.findings) or (strict and bool(unsettled(report.verdicts))))
