"""`aboveboard sandbox`: a service's sandbox on a socket, so that anyone can test a client against it."""

from typing import Final

import click

from aboveboard.cli.grouping import service_argument
from aboveboard.cli.services import EMBEDDED, Sandbox, open_sandbox
from aboveboard.kit.serving.listening import serve_app

VARIABLE: Final = "ABOVEBOARD_SANDBOX_TOKEN"


@click.command(name="sandbox")
@service_argument
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8080, show_default=True, help="The port; 0 takes a free one."
)
@click.option("--data", metavar="FILE", help="Keep the data in this file; without it, each start is fresh.")
@click.option("--enterprise", is_flag=True, help="lightdash: with the licence that AI agents need.")
@click.option("--soft-delete", is_flag=True, help="lightdash: with a bin from which deleted content can be restored.")
@click.option(
    "--token",
    metavar="TEXT",
    envvar=VARIABLE,
    show_envvar=True,
    help="Who resets it needs this; without it, one is made.",
)
def command(service: str, port: int, data: str | None, token: str | None, **choices: bool) -> None:
    """Serve SERVICE's sandbox (lightdash or nextcloud) alone, on this machine only.

    POST /_sandbox/reset brings back the first state, GET /_sandbox/state shows all of it. Both want the header
    X-Sandbox-Token, so that no web page and nobody else on this machine can ask for them.
    """
    backend = make_sandbox(service, data, token, **choices)

    def announce(address: str) -> None:
        given = {name: address if value == EMBEDDED else value for name, value in backend.settings.items()}
        if not token:  # a token that was given is known to who gave it
            given = {VARIABLE: backend.control, **given}
        exports = " ".join(f"{name}={value}" for name, value in given.items())
        click.echo(f"The {service} sandbox is at {address}; to use it: export {exports}", err=True)
        people = ", ".join(f"{name} with {password}" for name, password in backend.logins.items())
        click.echo(f"At its login page, as for --sign-in connect: {people}", err=True)

    serve_app(backend.app, "127.0.0.1", port, announce)
    backend.close()


def make_sandbox(service: str, data: str | None, token: str | None, **choices: bool) -> Sandbox:
    """Open the sandbox that the options describe."""
    return open_sandbox(service, data, control=token, **{name: True for name, chosen in choices.items() if chosen})
