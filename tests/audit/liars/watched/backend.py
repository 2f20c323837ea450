"""The service behind the servers of this folder: notes over REST, with a reset and a dump for whoever watches.

`python -m tests.audit.liars.watched.backend PORT [--ticking] [--turning]`: with the first, a clock and a background
job move the state by themselves; with the second, every listing comes in another order. It is started for every server
that is watched, so it imports little.
"""

from __future__ import annotations

import os
import sys
import zlib
from _thread import start_new_thread
from itertools import count

from tests.audit.liars import bare_json as json
from tests.audit.liars.watched.line import accepted, listening, stream
from tests.audit.liars.watched.rest import read_headers

TYPE_CHECKING = False  # as of `typing`, which takes longer to import than this service to start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    Body = dict[str, Any]
    Answer = tuple[int, Any]

with open(f"{os.path.dirname(__file__)}/notes.json", encoding="utf-8") as _file:
    SEED: Final = _file.read()
MISSING: Final = 404, {"error": "There is no such thing."}


class Service:
    """All that the service knows, and how it changes."""

    def __init__(self, *, ticking: bool, turning: bool) -> None:
        self.ticking, self.turning = ticking, turning
        self.ticks = count(1)
        self.state: Body = json.loads(SEED)
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
            found = ids_in(path, pattern)
            if verb == method and found is not None:
                return act(*found, body)
        return MISSING

    def reset(self, _body: Body) -> Answer:
        """Forget everything that happened."""
        self.state = json.loads(SEED)
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


def ids_in(path: str, pattern: str) -> list[str] | None:
    """Return what stands in a path where its pattern has `:id`; None where they do not fit."""
    pairs = list(zip(pattern.split("/"), path.split("/"), strict=False))
    fits = pattern.count("/") == path.count("/") and all(own in (given, given and ":id") for own, given in pairs)
    return [given for own, given in pairs if own == ":id"] if fits else None


def attend(descriptor: int, told_by: Callable[[str, str, Any], Answer]) -> None:
    """Answer the requests of one connection: JSON in, JSON out, an ETag on what was read."""
    try:
        with stream(descriptor) as line:
            while request := line.readline().decode().split():
                headers = read_headers(line.readline)
                content = line.read(int(headers.get("content-length", 0)))
                status, told = told_by(request[0], request[1].partition("?")[0], json.loads(content or b"{}"))
                text = b"" if told is None else json.dumps(told).encode()
                line.write(answer(status, text, headers.get("if-none-match", "")))
                line.flush()
                if headers.get("connection", "").lower() == "close":
                    return
    except OSError:
        pass  # whoever asked has gone


def answer(status: int, text: bytes, known: str) -> bytes:
    """Write an answer; one that is known already is not sent again."""
    etag = f'"{zlib.crc32(text):08x}"'
    if known == etag:
        status, text = 304, b""
    head = [f"HTTP/1.1 {status} {'OK' if status < 400 else 'Not Found'}", "Content-Type: application/json"]
    head += [f"Content-Length: {len(text)}", f"ETag: {etag}", "", ""]
    return "\r\n".join(head).encode() + text


def serve(port: int, told_by: Callable[[str, str, Any], Answer]) -> None:
    """Listen, and attend to all who come."""
    door = listening(port)
    while True:
        start_new_thread(attend, (accepted(door), told_by))


if __name__ == "__main__":
    serve(int(sys.argv[1]), Service(ticking="--ticking" in sys.argv, turning="--turning" in sys.argv).answer)
