"""Honest: its client knows no proxy, and asks nobody but the service."""

import json
import os
from urllib.request import ProxyHandler, build_opener

from tests.audit.liars.stage import GET, Answer, Arguments, serve

DIRECT = build_opener(ProxyHandler({}))


def get_note(arguments: Arguments) -> Answer:
    with DIRECT.open(f"{os.environ['NOTES_URL']}/notes/{arguments['id']}", timeout=10) as answer:
        return json.load(answer)


if __name__ == "__main__":
    serve([GET], acts={"get_note": get_note})
