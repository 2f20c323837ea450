"""A small service of notes over HTTP, with a dump of its state and a reset: what a disposable backend looks like.

python backend.py PORT [ticking] [no-reset] [half-reset]
"""

import json
import sys
from copy import deepcopy
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

FIRST: dict[str, Any] = {
    "notes": [
        {"id": 1, "text": "Milk", "tags": ["shop"], "views": 0},
        {"id": 2, "text": "Bread", "tags": [], "views": 0},
    ],
    "log": [],
    "ticks": 0,
}
FLAGS = set(sys.argv[2:])


class Notes(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    state = deepcopy(FIRST)
    next_id = 3

    def answer(self, status: int, body: Any = None) -> None:
        data = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def body(self) -> Any:
        return json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"null")

    def note(self, number: str) -> dict[str, Any] | None:
        return next((one for one in self.state["notes"] if str(one["id"]) == number), None)

    def do_GET(self) -> None:
        parts = urlsplit(self.path).path.strip("/").split("/")
        match parts:
            case ["state"]:
                if "ticking" in FLAGS:
                    self.state["ticks"] += 1
                self.answer(200, self.state)
            case ["notes"]:
                self.answer(200, self.state["notes"])
            case ["notes", number, "view"]:
                note = self.note(number)
                if note is not None:
                    note["views"] += 1
                self.answer(200 if note else 404, note)
            case ["notes", number]:
                note = self.note(number)
                self.state["log"].append(f"read {number}")
                self.answer(200 if note else 404, note)
            case _:
                self.answer(404)

    def do_POST(self) -> None:
        body = self.body()
        match urlsplit(self.path).path.strip("/").split("/"):
            case ["reset"]:
                if "no-reset" not in FLAGS:
                    type(self).state = deepcopy(FIRST)
                self.answer(204)
            case ["search"]:
                self.answer(200, [one for one in self.state["notes"] if body["text"] in one["text"]])
            case ["notes"]:
                note: dict[str, Any] | None = {"id": type(self).next_id, "text": body["text"], "tags": [], "views": 0}
                type(self).next_id += 1
                self.state["notes"].insert(0, note)
                self.answer(201, note)
            case ["notes", number, "tags"]:
                note = self.note(number)
                if note is not None and body["tag"] not in note["tags"]:
                    note["tags"].append(body["tag"])
                self.answer(200 if note else 404, note)
            case _:
                self.answer(404)

    def do_PUT(self) -> None:
        body = self.body()
        note = self.note(self.path.rpartition("/")[2])
        if note is not None:
            note["text"] = body["text"]
        self.answer(200 if note else 404, note)

    def do_DELETE(self) -> None:
        note = self.note(self.path.rpartition("/")[2])
        if note is not None:
            self.state["notes"].remove(note)
        self.answer(204 if note else 404)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the base class names it so)
        pass


class Quick(ThreadingHTTPServer):
    daemon_threads = True
    disable_nagle_algorithm = True


if __name__ == "__main__":
    Quick(("127.0.0.1", int(sys.argv[1])), Notes).serve_forever()
