"""Honest: it keeps what it has read, with its ETag, and asks whether that is still so."""

import json
import os
from typing import Any

from tests.audit.liars.stage import Answer, Arguments, serve, tool
from tests.audit.liars.watched.rest import exchange

TOOL = tool("get_note", "Return one note by its id, with its text and labels.")
KEPT: dict[str, tuple[str, Any]] = {}
NOT_MODIFIED = 304


def get_note(arguments: Arguments) -> Answer:
    url = f"{os.environ['NOTES_URL']}/notes/{arguments['id']}"
    headers = {"Cache-Control": "no-cache"} | ({"If-None-Match": KEPT[url][0]} if url in KEPT else {})
    status, told, text = exchange("GET", url, headers=headers)
    if status != NOT_MODIFIED:
        KEPT[url] = told["etag"], json.loads(text)
    return KEPT[url][1]


if __name__ == "__main__":
    serve([TOOL], acts={"get_note": get_note})
