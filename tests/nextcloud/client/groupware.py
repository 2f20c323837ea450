"""Servers for calendars and address books that nobody here wrote, at the addresses of a Nextcloud; and the sandbox.

`Radicale` and `sabre/dav` keep calendars below calendars/tester/ and address books below addressbooks/users/tester/.
"""

import io
import json
import tempfile
import threading
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from typing import Any, Final, Literal
from wsgiref.simple_server import make_server

from tests.nextcloud.client.servers import LOGIN, Server, Silent, Threaded, client_of, sabre, served

Kind = Literal["sandbox", "radicale", "sabre"]
KINDS: Final[tuple[Kind, ...]] = ("sandbox", "radicale", "sabre")
_HOMES: Final = ("/remote.php/dav/calendars", "/remote.php/dav/addressbooks/users")
_ME: Final = {"id": "tester", "displayname": "Tester", "email": LOGIN, "timezone": "Europe/Berlin"}

Start = Callable[[str, list[tuple[str, str]]], Any]


def _radicale(folder: str) -> Callable[[dict[str, Any], Start], Iterable[bytes]]:
    from radicale.app import Application  # pyright: ignore[reportMissingTypeStubs]
    from radicale.config import load  # pyright: ignore[reportMissingTypeStubs]

    apps: dict[str, Any] = {}
    for home in _HOMES:
        settings = load()
        settings.update(
            {
                "auth": {"type": "none"},
                "rights": {"type": "owner_only"},
                "storage": {"filesystem_folder": f"{folder}/{home.split('/')[3]}"},
                "logging": {"level": "critical"},
            },
            "test",
        )
        apps[home] = Application(settings)

    def at_home(environ: dict[str, Any], start: Start) -> Iterable[bytes]:
        """Serve each kind of collection by a Radicale of its own, below the address that it has in Nextcloud."""
        path, length = environ["PATH_INFO"], int(environ.get("CONTENT_LENGTH") or 0)
        body = environ["wsgi.input"].read(length)
        if path.startswith("/ocs/v2.php/cloud/user"):
            start("200 OK", [("Content-Type", "application/json")])
            return [json.dumps({"ocs": {"meta": {"statuscode": 200, "message": "OK"}, "data": _ME}}).encode()]
        for home, app in apps.items():
            if path.startswith(f"{home}/"):
                inside = {"SCRIPT_NAME": home, "PATH_INFO": path.removeprefix(home), "wsgi.input": io.BytesIO(body)}
                # Nextcloud's user has another id than login, and Radicale knows one name only.
                return app({**environ, **inside, "HTTP_AUTHORIZATION": "Basic dGVzdGVyOnNlY3JldA=="}, start)
        start("404 Not Found", [])
        return [b""]

    return at_home


@contextmanager
def radicale() -> Generator[str]:
    """Serve calendars and address books with Radicale."""
    with (
        tempfile.TemporaryDirectory() as folder,
        make_server("127.0.0.1", 0, _radicale(folder), server_class=Threaded, handler_class=Silent) as server,
    ):
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def groupware(kind: Kind) -> Generator[Server]:
    """Run one of the servers to test against."""
    if kind == "sandbox":
        with served("sandbox") as server:
            yield server
    elif kind == "radicale":
        with radicale() as url:
            yield Server(lambda: client_of(url, "tester"))
    else:
        with sabre() as url:
            yield Server(lambda: client_of(url, None))
