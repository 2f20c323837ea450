"""`aboveboard demo`: the whole idea in about a minute and on one screen, without an account.

Real servers in processes of their own, a real MCP client, a dishonest tool that the guard stops, and the proof.
"""

import shutil
import sys
from contextlib import AsyncExitStack
from pathlib import Path

import anyio
import click
from mcp import Client, StdioServerParameters

from aboveboard.cli.demo import tours
from aboveboard.cli.demo.cheat import cheat
from aboveboard.cli.demo.proof import prove
from aboveboard.cli.demo.stage import by_effect, say, tell
from aboveboard.cli.services import NAMES
from aboveboard.errors import BadInput
from aboveboard.kit.people.settings import EXTRA


@click.command(name="demo")
@click.argument(
    "part",
    type=click.Choice(("all", "search", "calendar", "people")),
    default="all",
    metavar="[search|calendar|people]",
)
@click.option("--quick", is_flag=True, help="Leave out the proof, which takes most of the time.")
def command(part: str, quick: bool) -> None:  # noqa: FBT001 (click passes it by name)
    """See it work: our servers on their sandboxes, a real MCP client, a guard that stops a lie, and the proof.

    `aboveboard demo search` indexes a sandbox and asks it three questions in three languages. `aboveboard demo
    calendar` finds a time when two people are free. `aboveboard demo people` lets two people sign in to one server, and
    shows that each sees only their own.
    """
    if part == "search":
        from aboveboard.cli.demo.searching import show_search

        anyio.run(show_search)
        return
    if part == "calendar":
        from aboveboard.cli.demo.free_time import show_free_time

        anyio.run(show_free_time)
        return
    if part == "people":
        try:
            from aboveboard.cli.demo.people.story import show_people
        except ModuleNotFoundError:
            raise BadInput(EXTRA) from None
        click.echo(click.style("One server for a team: everyone signs in, and acts as themselves.", bold=True))
        click.echo("This takes about ten seconds. It needs no account and no network, and leaves nothing behind.")
        anyio.run(show_people)
        _point_teams_on()
        return
    takes = "about ten seconds" if quick else "half a minute to a minute"
    click.echo(click.style("MCP servers whose tools do exactly what their labels say.", bold=True))
    click.echo(f"This takes {takes}. It needs no account and no network, and leaves nothing behind.")
    anyio.run(_shown)
    if quick:
        say("The proof was left out (--quick)")
    else:
        prove(NAMES)
    _point_on()


async def _shown() -> None:
    async with AsyncExitStack() as stack:
        clients = {service: await stack.enter_async_context(Client(_server(service))) for service in NAMES}
        speaking = clients["lightdash"].protocol_version
        say(f"Two servers, each a process of its own; a real client speaks MCP {speaking} to them")
        tell(by_effect({name: (await client.list_tools()).tools for name, client in clients.items()}))
        say("Calls, as an assistant makes them")
        await tours.lightdash(clients["lightdash"])
        await tours.nextcloud(clients["nextcloud"])
    say("A tool that calls itself read-only and tries to delete: the guard stops it")
    await cheat()


def _server(service: str) -> StdioServerParameters:
    serve = [*("-m", "aboveboard", "serve"), service, "--sandbox"]
    return StdioServerParameters(command=sys.executable, args=serve, env=tours.SETTINGS)


def _point_on() -> None:
    here = _command()
    say("What next")
    tell(f"{here} verify nextcloud             the whole proof: each hint of each tool, and why")
    tell(f"{here} serve lightdash --sandbox    for your assistant: README.md shows how")
    tell(f"{here} audit -- npx -y SOME-SERVER  what another server says of its tools")


def _point_teams_on() -> None:
    here = _command()
    say("What next")
    tell("docs/teams.md: from nothing to a server for your own team, behind TLS, in ten minutes")
    tell(f"{here} serve --help             what --sign-in and its kin mean")
    tell(f"{here} people list nextcloud    for its operator: who granted what to which client")


def _command() -> str:
    """Return how this was started, so that what is shown can be typed."""
    script, here = Path(sys.argv[0]).absolute(), Path.cwd()
    if script.name == "__main__.py":
        return "python -m aboveboard"
    if not shutil.which("aboveboard") and script.is_relative_to(here):
        return str(script.relative_to(here))
    return "aboveboard"
