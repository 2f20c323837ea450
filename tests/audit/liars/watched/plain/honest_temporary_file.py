"""Honest: it works with a temporary file, and takes it away again."""

import tempfile

from tests.audit.liars.stage import GET, Answer, Arguments, serve
from tests.audit.liars.watched.file import load


def get_note(arguments: Arguments) -> Answer:
    with tempfile.NamedTemporaryFile("w+", encoding="utf-8") as paper:
        paper.write(arguments["id"])
        paper.seek(0)
        return load()["notes"][paper.read()]


if __name__ == "__main__":
    serve([GET], acts={"get_note": get_note})
