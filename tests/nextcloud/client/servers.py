"""DAV servers that nobody here wrote, on loopback, at the addresses of a Nextcloud; and the sandbox like them."""

import io
import os
import re
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from socketserver import ThreadingMixIn
from typing import Any, Final, Literal
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import httpx2
import pytest
from pydantic import SecretStr
from wsgidav.fs_dav_provider import FilesystemProvider  # pyright: ignore[reportMissingTypeStubs]
from wsgidav.wsgidav_app import WsgiDAVApp  # pyright: ignore[reportMissingTypeStubs]

from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.sandbox import Sandbox

LOGIN = "tester@example.org"
SCRIPT = Path(__file__).parent / "sabre" / "server.php"
SABRE = Path("/usr/share/php/Sabre/autoload.php")
Kind = Literal["sandbox", "wsgidav", "sabre"]
KINDS: Final[tuple[Kind, ...]] = ("sandbox", "wsgidav", "sabre")


@dataclass(frozen=True)
class Server:
    """A server to test against."""

    connect: Callable[[], NextcloudClient]
    mangles: str = ""
    """Characters that cut off a destination there, although they are escaped."""

    def moves(self, *names: str) -> bool:
        return not any(char in name for name in names for char in self.mangles)


class Threaded(ThreadingMixIn, WSGIServer):
    """A server that answers several at once."""

    daemon_threads = True


class Silent(WSGIRequestHandler):
    """A handler that says nothing of requests."""

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 (the parent's name)
        pass


@contextmanager
def wsgidav() -> Generator[str]:
    """Serve a folder with WsgiDAV, which has no principals."""
    with tempfile.TemporaryDirectory() as folder:
        app: Any = WsgiDAVApp(
            {
                "provider_mapping": {"/remote.php/dav/files/tester": FilesystemProvider(folder)},
                "simple_dc": {"user_mapping": {"*": {LOGIN: {"password": "secret"}}}},
                "http_authenticator": {"accept_basic": True, "accept_digest": False, "default_to_digest": False},
                "dir_browser": {"enable": False},
                "logging": {"enable": False},
                "verbose": 0,
            }
        )

        def bounded(environ: dict[str, Any], start: Any) -> Any:
            # WsgiDAV reads until the end, which wsgiref's input has only when the client hangs up.
            length = int(environ.get("CONTENT_LENGTH") or 0)
            return app({**environ, "wsgi.input": io.BytesIO(environ["wsgi.input"].read(length))}, start)

        with make_server("127.0.0.1", 0, bounded, server_class=Threaded, handler_class=Silent) as server:
            thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
            thread.start()
            try:
                yield f"http://127.0.0.1:{server.server_port}"
            finally:
                server.shutdown()
                thread.join()


@contextmanager
def sabre() -> Generator[str]:
    """Serve a folder with sabre/dav, the engine family inside Nextcloud."""
    php = shutil.which("php")
    if php is None or not SABRE.exists():
        pytest.skip("needs PHP and sabre/dav: apt-get install php-cli php-sqlite3 php-sabre-dav")
    with tempfile.TemporaryDirectory() as folder:
        command = [php, "-d", "display_errors=0", "-S", "127.0.0.1:0", str(SCRIPT)]
        # What calendars and cards are kept in stands beside the files.
        files = Path(folder) / "files"
        files.mkdir()
        environment = {**os.environ, "SABRE_FOLDER": str(files)}
        with subprocess.Popen(
            command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        ) as process:
            assert process.stderr is not None
            started = re.search(r"http://127\.0\.0\.1:\d+", process.stderr.readline())
            # What it says of each request would fill the pipe.
            reader = threading.Thread(target=process.stderr.read, daemon=True)
            reader.start()
            try:
                assert started, "php did not start"
                yield started[0]
            finally:
                process.terminate()
                process.wait()
                reader.join()


def client_of(url: str, principal: str | None) -> NextcloudClient:
    """Return a client of one of these servers; None lets it find out who it is."""
    return NextcloudClient(url, LOGIN, SecretStr("secret"), principal=principal)


@contextmanager
def served(kind: Kind) -> Generator[Server]:
    """Run one of the servers to test against."""
    if kind == "sandbox":
        sandbox = Sandbox()
        secret = SecretStr(sandbox.token)
        transport = httpx2.ASGITransport(sandbox.app)
        yield Server(lambda: NextcloudClient("http://127.0.0.1:8081", "admin", secret, transport=transport))
        sandbox.close()
    elif kind == "wsgidav":
        with wsgidav() as url:
            # It decodes a destination before it takes it apart.
            yield Server(lambda: client_of(url, "tester"), mangles="?;#")
    else:
        with sabre() as url:
            yield Server(lambda: client_of(url, None))
