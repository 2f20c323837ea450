"""A small service of notes over HTTP, with a dump of its state and a reset: what a disposable backend looks like.

python backend.py PORT [ticking] [no-reset]
"""

from __future__ import annotations

import os
import sys

sys.path.insert(0, f"{os.path.dirname(os.path.realpath(__file__))}/../../../..")

from tests.audit.liars import bare_json as json
from tests.audit.liars.watched.backend import serve

TYPE_CHECKING = False  # as of `typing`, which takes longer to import than this service to start
if TYPE_CHECKING:
    from typing import Any

    Answer = tuple[int, Any]

SEED: dict[str, Any] = {
    "notes": [
        {"id": 1, "text": "Milk", "tags": ["shop"], "views": 0},
        {"id": 2, "text": "Bread", "tags": [], "views": 0},
    ],
    "log": [],
    "ticks": 0,
}
FIRST = json.dumps(SEED)


class Notes:
    def __init__(self, flags: list[str]) -> None:
        self.flags, self.next_id = flags, 3
        self.state: dict[str, Any] = json.loads(FIRST)

    def answer(self, method: str, path: str, body: Any) -> Answer:
        act = {"GET": self.get, "POST": self.post, "PUT": self.put, "DELETE": self.delete}[method]
        return act(path.strip("/").split("/"), body)

    def note(self, number: str) -> dict[str, Any] | None:
        return next((one for one in self.state["notes"] if str(one["id"]) == number), None)

    def get(self, path: list[str], _body: Any) -> Answer:
        match path:
            case ["state"]:
                if "ticking" in self.flags:
                    self.state["ticks"] += 1
                return 200, self.state
            case ["notes"]:
                return 200, self.state["notes"]
            case ["notes", number, "view"]:
                note = self.note(number)
                if note is not None:
                    note["views"] += 1
                return found(note)
            case ["notes", number]:
                self.state["log"].append(f"read {number}")
                return found(self.note(number))
            case _:
                return 404, None

    def post(self, path: list[str], body: Any) -> Answer:
        match path:
            case ["reset"]:
                if "no-reset" not in self.flags:
                    self.state = json.loads(FIRST)
                return 204, None
            case ["search"]:
                return 200, [one for one in self.state["notes"] if body["text"] in one["text"]]
            case ["notes"]:
                made: dict[str, Any] = {"id": self.next_id, "text": body["text"], "tags": [], "views": 0}
                self.next_id += 1
                self.state["notes"].insert(0, made)
                return 201, made
            case ["notes", number, "tags"]:
                note = self.note(number)
                if note is not None and body["tag"] not in note["tags"]:
                    note["tags"].append(body["tag"])
                return found(note)
            case _:
                return 404, None

    def put(self, path: list[str], body: Any) -> Answer:
        note = self.note(path[-1])
        if note is not None:
            note["text"] = body["text"]
        return found(note)

    def delete(self, path: list[str], _body: Any) -> Answer:
        note = self.note(path[-1])
        if note is not None:
            self.state["notes"].remove(note)
        return 204 if note else 404, None


def found(note: dict[str, Any] | None) -> Answer:
    return (200, note) if note else (404, None)


if __name__ == "__main__":
    serve(int(sys.argv[1]), Notes(sys.argv[2:]).answer)
