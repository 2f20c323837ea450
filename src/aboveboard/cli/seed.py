"""`aboveboard seed`: fills a disposable service with what its plan expects."""

from pathlib import Path

import click

from aboveboard.audit.verify import Plan, load_plan
from aboveboard.audit.verify.backend_file import BackendFile, as_meant, load_backend
from aboveboard.audit.verify.plan import on_loopback
from aboveboard.cli.services import NAMES, plan_folder
from aboveboard.errors import BadInput


@click.command(name="seed")
@click.argument("service", type=click.Choice(NAMES))
@click.option(
    "--backend",
    "file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    required=True,
    help="Where the service is, as `verify` takes it.",
)
@click.option("--i-know-this-is-disposable", "disposable", is_flag=True, help="Allow a service beyond this machine.")
def command(service: str, file: Path, *, disposable: bool) -> None:
    """Fill a disposable SERVICE over its API with what the plan of `aboveboard verify SERVICE` expects.

    In a Nextcloud, what is there under the same names is overwritten; in a Lightdash it stays, and the ids that things
    have there are printed as `values` for the backend file. Take the first state, to which every reset leads,
    afterwards.

    \b
    Examples
      aboveboard seed nextcloud --backend mine.yaml
      aboveboard seed lightdash --backend mine.yaml >> mine.yaml
    """
    plan = load_plan(plan_folder(service))
    backend = load_backend(file, plan)
    if not disposable and not on_loopback(backend.url):
        raise BadInput(
            f"The service at {backend.url} is not on this machine, and what is there will be overwritten.",
            next_step="If all of it may be lost, say so: --i-know-this-is-disposable",
        )
    fill = _fill_nextcloud if service == "nextcloud" else _fill_lightdash
    fill(backend, plan)


def _fill_nextcloud(backend: BackendFile, plan: Plan) -> None:
    from aboveboard.nextcloud.seed import fill_nextcloud

    for done in fill_nextcloud(backend.url, as_meant(backend.server_environment(plan)), as_meant(backend.seed)):
        click.echo(done)


def _fill_lightdash(backend: BackendFile, plan: Plan) -> None:
    from aboveboard.lightdash.seed import fill_lightdash

    account = as_meant(backend.server_environment(plan))
    made, ids = fill_lightdash(backend.url, account, as_meant(backend.seed), plan.values)
    for done in made or ["nothing: all of it is there"]:
        click.echo(f"made {done}", err=True)
    click.echo("values:")
    for name, value in ids.items():
        click.echo(f"  {name}: {value}")
