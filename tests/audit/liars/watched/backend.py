"""The service behind the servers of this folder: notes over REST, with a reset and a dump for whoever watches.

`python -m tests.audit.liars.watched.backend PORT [--ticking] [--turning]`: with the first, a clock and a background
job move the state by themselves; with the second, every listing comes in another order. It is started for every server
that is watched, so it imports little.
"""

import json
import os
import re
import socket
import sys
import threading
import zlib
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from itertools import count
from typing import Any, Final

from tests.audit.liars.watched.rest import read_headers

with open(f"{os.path.dirname(__file__)}/notes.json", encoding="utf-8") as _file:
    SEED: Final[dict[str, Any]] = json.load(_file)
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
        made = os.urandom(4).hex()
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


def attend(line: socket.socket, service: Service) -> None:
    """Answer the requests of one connection: JSON in, JSON out, an ETag on what was read."""
    with line, suppress(OSError), line.makefile("rwb") as stream:
        while request := stream.readline().decode().split():
            headers = read_headers(stream.readline)
            content = stream.read(int(headers.get("content-length", 0)))
            status, told = service.answer(request[0], request[1].partition("?")[0], json.loads(content or b"{}"))
            text = json.dumps(told).encode()
            etag = f'"{zlib.crc32(text):08x}"'
            if headers.get("if-none-match") == etag:
                status, text = 304, b""
            head = [f"HTTP/1.1 {status} {'OK' if status < 400 else 'Not Found'}", "Content-Type: application/json"]
            head += [f"Content-Length: {len(text)}", f"ETag: {etag}", "", ""]
            stream.write("\r\n".join(head).encode() + text)
            stream.flush()
            if headers.get("connection", "").lower() == "close":
                return


def serve(port: int, service: Service) -> None:
    """Listen, and attend to all who come."""
    with socket.create_server(("127.0.0.1", port), backlog=64) as listening:
        while True:
            line, _ = listening.accept()
            threading.Thread(target=attend, args=(line, service), daemon=True).start()


if __name__ == "__main__":
    serve(int(sys.argv[1]), Service(ticking="--ticking" in sys.argv, turning="--turning" in sys.argv))
