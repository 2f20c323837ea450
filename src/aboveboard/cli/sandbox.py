"""`aboveboard sandbox`: a service's sandbox on a socket, so that anyone can test a client against it."""

import click
import uvicorn

from aboveboard.cli.options import service_argument
from aboveboard.cli.services import open_sandbox
from aboveboard.kit.serving.web import listening


@click.command(name="sandbox")
@service_argument
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8080, show_default=True, help="The port; 0 takes a free one."
)
@click.option("--data", metavar="FILE", help="Keep the data in this file; without it, each start is fresh.")
def command(service: str, port: int, data: str | None) -> None:
    """Serve SERVICE's sandbox alone, on this machine only.

    POST /_sandbox/reset brings back the first state, GET /_sandbox/state shows all of it.
    """
    backend = open_sandbox(service, data)
    listener = listening("127.0.0.1", port)
    address = f"http://127.0.0.1:{listener.getsockname()[1]}"
    click.echo(f"The {service} sandbox is at {address}; its token is {backend.token}", err=True)
    config = uvicorn.Config(backend.app, log_config=None, access_log=False, timeout_graceful_shutdown=2)
    uvicorn.Server(config).run(sockets=[listener])
    backend.close()
