"""A small web server whose answers a test scripts, for commands that run in a process of their own."""

import json
from collections.abc import Callable, Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

Answer = tuple[int, str, str]
"""Status, content type, body."""


@contextmanager
def answering(script: Callable[[str, str], Answer]) -> Generator[str]:
    """Serve what the script makes of a path and an Authorization header; give the address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, kind, text = script(self.path, self.headers.get("authorization", ""))
            body = text.encode()
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the base class names it so)
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def ok(results: object) -> Answer:
    """Answer as Lightdash does."""
    return 200, "application/json", json.dumps({"status": "ok", "results": results})
