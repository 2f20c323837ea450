"""`aboveboard index`: index what a person has, so that it can be searched: once, or over and over."""

import sys
from typing import Any

import anyio
import click

from aboveboard.cli.grouping import together
from aboveboard.cli.options import Choice, sandbox_options
from aboveboard.cli.services import SETTINGS
from aboveboard.cli.terminal import harmless
from aboveboard.search.syncing import Report

_choice = together(
    click.option("--watch", is_flag=True, help="Stay, and look for changes again and again."),
    click.option(
        "--every",
        type=click.IntRange(1),
        default=300,
        show_default=True,
        help="With --watch: seconds between two looks.",
    ),
    click.option("--full", is_flag=True, help="List everything again, and try again what could not be read."),
)


@click.command(name="index", epilog=SETTINGS)
@click.argument("service", type=click.Choice(("nextcloud",)), metavar="SERVICE")
@sandbox_options
@_choice
def command(service: str, sandbox: bool, sandbox_data: str | None, watch: bool, every: int, full: bool) -> None:  # noqa: FBT001
    """Index what the person whose settings these are has in SERVICE, so that its tools can search it.

    It can be stopped at any moment and goes on where it was. Run it from cron, or let it stay with --watch.
    ABOVEBOARD_SEARCH_INDEX says where the index is: a folder (by default in this user's cache), or postgresql://... for
    many people. With ABOVEBOARD_EMBEDDINGS_URL and _MODEL (and _KEY, _QUERY_PREFIX, _PASSAGE_PREFIX, _BATCH,
    _DIMENSIONS), an OpenAI-compatible endpoint is the model: texts then leave this machine.
    """
    choice = Choice(service=service, sandbox=sandbox, sandbox_data=sandbox_data)
    try:
        good = anyio.run(_indexed, choice, every if watch else None, full)
    except KeyboardInterrupt:
        click.echo("Stopped. What is indexed stays, and the next run goes on from there.", err=True)
        good = watch  # which has no other end
    if not good:
        sys.exit(1)


async def _indexed(choice: Choice, every: int | None, full: bool) -> bool:  # noqa: FBT001
    from aboveboard.nextcloud.tools.search.people import person_of

    client: Any = choice.client()
    try:
        person = await person_of(client)
        while True:
            reports = await person.update(full=full, progress=_tell)
            for report in reports:
                _sum_up(report)
            if every is None:
                return all(report.problem is None for report in reports)
            full = False
            await anyio.sleep(every)
    finally:
        await client.aclose()


async def _tell(report: Report) -> None:
    done, total = report.indexed + report.failed, report.indexed + report.failed + report.waiting
    if not total:
        return
    if sys.stderr.isatty():
        click.echo(f"\r{report.source}: {done} of {total}", nl=report.waiting == 0, err=True)
    elif done % 100 == 0:
        click.echo(f"{report.source}: {done} of {total}", err=True)


def _sum_up(report: Report) -> None:
    if report.problem is not None:
        click.echo(f"{report.source}: {harmless(report.problem)}", err=True)
        return
    unread = f", {report.failed} could not be read" if report.failed else ""
    click.echo(f"{report.source}: {report.indexed} indexed, {report.removed} removed{unread}")
