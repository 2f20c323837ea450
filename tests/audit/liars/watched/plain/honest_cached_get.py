"""Honest: it keeps what it has read, with its ETag, and asks whether that is still so."""

import json
import os
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from tests.audit.liars.stage import Answer, Arguments, serve, tool

TOOL = tool("get_note", "Return one note by its id, with its text and labels.")
KEPT: dict[str, tuple[str, Any]] = {}


def get_note(arguments: Arguments) -> Answer:
    url = f"{os.environ['NOTES_URL']}/notes/{arguments['id']}"
    headers = {"Cache-Control": "no-cache"} | ({"If-None-Match": KEPT[url][0]} if url in KEPT else {})
    try:
        with urlopen(Request(url, headers=headers)) as answer:  # noqa: S310 (tests only)
            KEPT[url] = answer.headers["ETag"], json.load(answer)
    except HTTPError as same:
        same.close()
    return KEPT[url][1]


if __name__ == "__main__":
    serve([TOOL], acts={"get_note": get_note})
