"""How `verify`, `check` and `report` end: what was seen is judged and written, and the exit code says what came out."""

import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import click

from aboveboard.audit.evidence import Evidence
from aboveboard.audit.probe import source_files
from aboveboard.audit.report import Place, Report
from aboveboard.audit.settings import Settings
from aboveboard.audit.source_patch import source_patch
from aboveboard.audit.verdict import Ruling, Verdict
from aboveboard.audit.verify.patch import patch, patch_lines, patch_summary, patch_text
from aboveboard.audit.verify.proof import Proof
from aboveboard.audit.verify.redaction import presentable, without_secrets
from aboveboard.audit.verify.reporting import report_of, unsettled_verdicts
from aboveboard.audit.words import plural
from aboveboard.cli.publishing import UNREADABLE, publish, write
from aboveboard.errors import BadInput

SHOWN: Final = 4


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
        write_patch(report, given["patch_file"], given["source"])
    if proof.ended:
        ended = without_secrets(proof.ended, secrets)
        click.echo(f"aboveboard: {ended} What was seen before is reported.", err=True)
    if not proof.tried:
        click.echo("aboveboard: No call of any tool could be tried.", err=True)
    if given["strict"] and (
        left := [one for one in unsettled_verdicts(report.verdicts) if one.verdict is not Ruling.VIOLATED]
    ):
        click.echo(f"aboveboard: {_unexplained(left)}", err=True)
    sys.exit(exit_code(report, settings, proof, strict=given["strict"]))


def _unexplained(left: Sequence[Verdict]) -> str:
    """Say which hints fail a strict run, since nothing else in the report does, and what settles them."""
    named = ", ".join(f"{one.tool} {one.hint}" for one in left[:SHOWN])
    more = f" and {len(left) - SHOWN} more" if len(left) > SHOWN else ""
    are = "hint is" if len(left) == 1 else "hints are"
    return (
        f"{len(left)} {are} neither seen to hold nor explained, which fails a strict run: {named}{more}. Add cases,"
        " state what was seen, or say under `unseen:` why it cannot be seen; --no-strict lets it pass."
    )


def write_patch(report: Report, file: Path, source: Path | None) -> None:
    """Write the hints to state instead: as a patch of the source code where the file's name says so, or as JSON."""
    if file.suffix not in (".diff", ".patch"):
        write(patch_text(report), file, patch_summary(report))
        return
    if source is None:
        raise BadInput(f"{file} would be a patch of source code.", next_step="Say where it is: --source DIR.")
    proposed = patch(report)
    found = source_patch({tool: entry["annotations"] for tool, entry in proposed.items()}, source_files(source))
    if not found.diff:
        click.echo(f"aboveboard: {file} is not written: {_nothing(proposed, found.placed)}.", err=True)
    else:
        seen = "".join(f"# {line}\n" for line in patch_lines(proposed) if line.partition(":")[0] in found.placed)
        write(f"{seen}{found.diff}".rstrip("\n"), file, f"hints of {plural(len(found.placed), 'tool')}")
    for tool, why in found.left.items():
        click.echo(f"aboveboard: {tool} is not in the patch: {why}.", err=True)


def _nothing(proposed: Collection[str], placed: Collection[str]) -> str:
    """Say why a patch of source code would be empty."""
    if not proposed:
        return "no hint needs another value"
    return "the source code says it already" if placed else "no tool's hints can be set in the source code"


def exit_code(report: Report, settings: Settings, proof: Proof, *, strict: bool) -> int:
    """Return what the shell is told; a run that learned nothing is no success, and one without a call was no run."""
    seen = {one.verdict for one in report.verdicts}
    if proof.ended or not proof.tried:
        return UNREADABLE
    wrong = settings.fail_on is not None and (Ruling.VIOLATED in seen or seen <= {Ruling.UNTRIED, Ruling.UNVERIFIABLE})
    return int(wrong or settings.fails(report.findings) or (strict and bool(unsettled_verdicts(report.verdicts))))
