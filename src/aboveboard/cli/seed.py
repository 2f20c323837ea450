"""`aboveboard seed`: fills a disposable service with what its plan expects."""

from pathlib import Path

import click

from aboveboard.audit.verify import load_plan
from aboveboard.audit.verify.backend_file import as_meant, load_backend
from aboveboard.audit.verify.plan import on_loopback
from aboveboard.cli.services import plan_folder
from aboveboard.errors import BadInput


@click.command(name="seed")
@click.argument("service", type=click.Choice(["nextcloud"]))
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

    What is there already under the same names is overwritten. Take the first state, to which every reset leads,
    afterwards.

    \b
    Example
      aboveboard seed nextcloud --backend mine.yaml
    """
    from aboveboard.nextcloud.seed import fill_nextcloud

    plan = load_plan(plan_folder(service))
    backend = load_backend(file, plan)
    if not disposable and not on_loopback(backend.url):
        raise BadInput(
            f"The service at {backend.url} is not on this machine, and what is there will be overwritten.",
            next_step="If all of it may be lost, say so: --i-know-this-is-disposable",
        )
    account = as_meant(backend.server_environment(plan))
    for done in fill_nextcloud(backend.url, account, as_meant(backend.seed)):
        click.echo(done)
