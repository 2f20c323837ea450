"""The service behind the servers of this folder: notes over REST, with a reset and a dump for whoever watches.

`python -m tests.audit.liars.watched.backend PORT [--ticking] [--turning]`: with the first, a clock and a background
job move the state by themselves; with the second, every listing comes in another order.
"""

import json
import re
import sys
from collections.abc import Callable
from copy import deepcopy
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

SEED: Final[dict[str, Any]] = json.loads((Path(__file__).parent / "notes.json").read_text("utf-8"))
Body = dict[str, Any]
Answer = tuple[int, Any]
MISSING: Final = 404, {"error": "There is no such thing."}


class Service:
    """All that the service knows, and how it changes."""

    def __init__(self, *, ticking: bool, turning: bool) -> None:
        self.ticking, self.turning = ticking, turning
        self.ticks = count(1)
        self.state: Body = deepcopy(SEED)
        self.routes: dict[str, Callable[..., Answer]] = {
            "POST /_reset": self.reset,
            "GET /_state": self.dump,
            "GET /notes": self.list,
            "POST /notes": self.add,
            "GET /notes/:id": self.get,
            "PUT /notes/:id": self.put,
            "PATCH /notes/:id": self.patch,
            "DELETE /notes/:id": self.delete,
            "POST /notes/:id/views": self.view,
            "POST /search": self.search,
            "GET /index/refresh": self.refresh,
            "POST /log": self.log,
            "GET /log": self.logged,
            "DELETE /folders/:id": self.delete_folder,
        }

    def answer(self, method: str, path: str, body: Body) -> Answer:
        """Find the route and follow it."""
        for route, act in self.routes.items():
            verb, _, pattern = route.partition(" ")
            found = re.fullmatch(pattern.replace(":id", "([^/]+)"), path)
            if verb == method and found:
                return act(*found.groups(), body)
        return MISSING

    def reset(self, _body: Body) -> Answer:
        """Forget everything that happened."""
        self.state = deepcopy(SEED)
        return 200, {}

    def dump(self, _body: Body) -> Answer:
        """Tell all; where the clock ticks, it has moved since."""
        if not self.ticking:
            return 200, self.state
        tick = next(self.ticks)
        return 200, {**self.state, "clock": {"now": tick}, "jobs": {"sweep": {"runs": tick, "idle": tick % 2 == 0}}}

    def list(self, _body: Body) -> Answer:
        """List the notes."""
        notes = [{"id": one, **note} for one, note in self.state["notes"].items()]
        turn = next(self.ticks) % (len(notes) or 1) if self.turning else 0
        return 200, {"notes": notes[turn:] + notes[:turn]}

    def add(self, body: Body) -> Answer:
        """Add a note under an id that nobody can foresee."""
        made = uuid4().hex[:8]
        self.state["notes"][made] = {"title": "", "text": "", "labels": [], **body}
        return 201, {"id": made, **self.state["notes"][made]}

    def get(self, note: str, _body: Body) -> Answer:
        """Return one note."""
        return (200, {"id": note, **self.state["notes"][note]}) if note in self.state["notes"] else MISSING

    def put(self, note: str, body: Body) -> Answer:
        """Make a note what it shall be, whether it was there or not."""
        self.state["notes"][note] = {"title": "", "text": "", "labels": [], **body}
        return self.get(note, body)

    def patch(self, note: str, body: Body) -> Answer:
        """Change some fields of a note."""
        if note not in self.state["notes"]:
            return MISSING
        self.state["notes"][note].update(body)
        return self.get(note, body)

    def delete(self, note: str, _body: Body) -> Answer:
        """Delete a note."""
        return (200, {"deleted": note}) if self.state["notes"].pop(note, None) else MISSING

    def view(self, note: str, _body: Body) -> Answer:
        """Count one more who looked."""
        views = self.state["views"]
        views[note] = views.get(note, 0) + 1
        return 200, {"views": views[note]}

    def search(self, body: Body) -> Answer:
        """Find notes by a word; the query is too long for a URL."""
        return 200, {"ids": [one for one, note in self.state["notes"].items() if body["query"] in note["text"]]}

    def refresh(self, _body: Body) -> Answer:
        """Build the index anew: a GET that writes."""
        self.state["index"] = {note["title"]: one for one, note in self.state["notes"].items()}
        return 200, {"words": len(self.state["index"])}

    def log(self, body: Body) -> Answer:
        """Write down who did what."""
        self.state["log"].append(body["line"])
        return 201, {}

    def logged(self, _body: Body) -> Answer:
        """Tell who did what, and nothing else."""
        return 200, {"log": self.state["log"]}

    def delete_folder(self, folder: str, _body: Body) -> Answer:
        """Delete a folder and every note in it."""
        if not self.state["folders"].pop(folder, None):
            return MISSING
        self.state["notes"] = {one: note for one, note in self.state["notes"].items() if note.get("folder") != folder}
        return 200, {"deleted": folder}


class Handler(BaseHTTPRequestHandler):
    """HTTP around it: JSON in, JSON out, an ETag on what was read."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1  # head and body in one packet: a second one would wait for the first to be acknowledged
    service: Service

    def handle_any(self) -> None:
        """Answer one request."""
        content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        status, told = self.service.answer(self.command, self.path.partition("?")[0], json.loads(content or b"{}"))
        text = json.dumps(told).encode()
        etag = f'"{sha256(text).hexdigest()[:16]}"'
        if self.headers.get("If-None-Match") == etag:
            status, text = 304, b""
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.send_header("ETag", etag)
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any  # noqa: N815 (the base class wants these names)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 (the base class's name)
        """Say nothing."""


if __name__ == "__main__":
    Handler.service = Service(ticking="--ticking" in sys.argv, turning="--turning" in sys.argv)
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
