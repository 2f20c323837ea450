"""Two tools that do what the environment says: READ and WRITE are commands for a shell."""

from __future__ import annotations

import os

from tests.audit.liars.stage import DELETES, GET, Answer, Arguments, Failed, parameters, serve, tool

SET = tool("set_note", "Write the text of a note; the old one is lost.", DELETES, inputSchema=parameters())


def _run(name: str) -> Answer:
    import subprocess  # not before a call: many a server is only asked what it has

    done = subprocess.run(["sh", "-c", os.environ[name]], capture_output=True, text=True, check=False)  # noqa: S607
    if done.returncode:
        raise Failed(done.stderr)
    return {"said": done.stdout}


def get_note(_arguments: Arguments) -> Answer:
    return _run("READ")


def set_note(_arguments: Arguments) -> Answer:
    return _run("WRITE")


if __name__ == "__main__":
    serve([GET, SET], acts={"get_note": get_note, "set_note": set_note})
