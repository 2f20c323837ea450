"""`aboveboard demo`: the whole idea in a minute, without an account.

Real servers in processes of their own, a real MCP client, a dishonest tool that the guard stops, and the proof.
"""

import sys
from collections.abc import Awaitable, Callable
from typing import Final

import anyio
import click
from mcp import Client, StdioServerParameters

from aboveboard.cli.demo import tours
from aboveboard.cli.demo.cheat import cheat
from aboveboard.cli.demo.proof import prove
from aboveboard.cli.demo.stage import by_effect, say

TOURS: Final[dict[str, Callable[[Client], Awaitable[None]]]] = {
    "lightdash": tours.lightdash,
    "nextcloud": tours.nextcloud,
}


@click.command(name="demo")
@click.option("--quick", is_flag=True, help="Leave out the proof, which takes a minute.")
def command(quick: bool) -> None:  # noqa: FBT001 (click passes it by name)
    """See it work: our servers on their sandboxes, a real MCP client, a guard that stops a lie, and the proof."""
    anyio.run(_shown)
    if quick:
        return
    say("The proof: every tool is called, again and again, and the state of its sandbox compared")
    prove(list(TOURS))
    click.echo(click.style("\nNo tool was seen to do more than its label says.", fg="green", bold=True))


async def _shown() -> None:
    for service, tour in TOURS.items():
        say(f"A {service.title()} server on its sandbox, started as a process and spoken to over stdio")
        serve = [*("-m", "aboveboard", "serve"), service, "--sandbox"]
        async with Client(StdioServerParameters(command=sys.executable, args=serve)) as client:
            click.echo(f"Connected; the protocol is MCP {client.protocol_version}.")
            say("Every tool says what it does, in four hints that are always stated")
            click.echo(by_effect(service, (await client.list_tools()).tools))
            say("Calls, as an assistant makes them")
            await tour(client)
    say("A tool that calls itself read-only and tries to write: the guard stops it")
    await cheat()
