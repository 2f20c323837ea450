"""The servers of the corpus over HTTP, on a socket of their own: JSON or an event stream, with or without a session."""

import json
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.audit.liars.gate import Gate
from tests.audit.liars.stage import GET, LIST, MODERN, Speaker

Handle = Callable[["Request"], bool]


@dataclass
class Site:
    """How the site behaves, and what it was asked."""

    eras: Sequence[str] = ("modern", "legacy")
    stream: bool = False
    session: str = ""
    token: str = ""
    gate: Gate | None = None
    """What strangers are told, where a token is wanted."""
    handle: Handle = lambda _: False
    """May answer a request in its own way; returns whether it did."""
    asked: list[tuple[str, str, dict[str, str]]] = field(default_factory=list[tuple[str, str, dict[str, str]]])
    url: str = ""


class Request(BaseHTTPRequestHandler):
    """One request to the site."""

    site: Site
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 (the library's name for it)
        """Stay quiet."""

    def do_DELETE(self) -> None:
        """End a session."""
        self.site.asked.append(("DELETE", "", self._headers()))
        self.reply(200, b"", "text/plain")

    def do_GET(self) -> None:
        """Hand out a public document."""
        self.site.asked.append(("GET", self.path, self._headers()))
        if self.site.handle(self):
            return
        document = None if self.site.gate is None else self.site.gate.documents.get(self.path)
        if document is None:
            self.reply(404, b"no", "text/plain")
        else:
            self.reply(200, document.encode(), "application/json")

    def do_POST(self) -> None:
        """Answer one message."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.site.asked.append(("POST", body["method"], self._headers()))
        if self.site.handle(self):
            return
        if self.site.token and self.headers.get("Authorization") != f"Bearer {self.site.token}":
            challenge = {} if self.site.gate is None else {"WWW-Authenticate": self.site.gate.challenge}
            self.reply(401, b"Who are you?", "text/plain", **challenge)
            return
        if self.headers.get("MCP-Protocol-Version") == MODERN and "modern" not in self.site.eras:
            self.reply(400, b"Bad version", "text/plain")
            return
        tools = [json.dumps(one) for one in (GET, LIST)]
        answer = Speaker(tools, name="web notes", eras=self.site.eras, page=1).answer(body)
        if answer is None:
            self.reply(202, b"", "text/plain")
        elif self.site.stream:
            # The first event has an id and no data, so that a client that loses the stream can come back to it.
            noise = b'id: 1\ndata: \n\n: hello\n\ndata: {"jsonrpc":"2.0","method":"notifications/message"}\n\n'
            self.reply(200, noise + b"event: message\r\ndata: " + answer.encode() + b"\r\n\r\n", "text/event-stream")
        else:
            self.reply(200, answer.encode(), "application/json")

    def reply(self, status: int, body: bytes, kind: str, **headers: str) -> None:
        """Send an answer."""
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if self.site.session:
            self.send_header("Mcp-Session-Id", self.site.session)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def _headers(self) -> dict[str, str]:
        return {name.lower(): value for name, value in self.headers.items()}


@contextmanager
def serving(site: Site) -> Generator[Site]:
    """Serve a site for as long as the block lasts."""
    handler = type("Handler", (Request,), {"site": site})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        home = f"http://127.0.0.1:{server.server_address[1]}"
        site.url = f"{home}/mcp"
        site.gate = site.gate and site.gate.at(home)
        try:
            yield site
        finally:
            server.shutdown()
            thread.join()
