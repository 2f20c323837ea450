"""The code that stands in our pages, so that tests can run it."""

import re
import shlex
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
FENCE: Final = re.compile(
    r"^(?P<indent> *)```(?P<language>\w+)(?: +(?P<name>\S+))?\n(?P<text>.*?)^(?P=indent)```$", re.M | re.S
)
ASSIGNMENT: Final = re.compile(r"\w+=")


@dataclass(frozen=True)
class Snippet:
    """A piece of code in a page, and the name of its file where it has one."""

    page: str
    line: int
    language: str
    name: str | None
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def snippets_of(page: str) -> list[Snippet]:
    """Return the code of a page, in its order."""
    whole = (ROOT / page).read_text("utf-8")
    return [
        Snippet(
            page,
            whole[: found.start()].count("\n") + 1,
            found["language"],
            found["name"],
            textwrap.dedent(found["text"]),
        )
        for found in FENCE.finditer(whole)
    ]


def commands_in(script: str) -> Iterator[list[str]]:
    """Split a script into its commands, each into words; comments and variables set before a command are left out."""
    for line in script.replace("\\\n", " ").splitlines():
        words = shlex.split(line, comments=True)
        started = words[len(list(takewhile(ASSIGNMENT.match, words))) :]
        if started:
            yield started


def ours_in(command: list[str]) -> list[str] | None:
    """Return the arguments of `aboveboard` where a command is it, or hands it on after two dashes."""
    if command[0] == "aboveboard":
        return command[1:]
    rest = command[command.index("--") + 1 :] if "--" in command else []
    return rest[1:] if rest[:1] == ["aboveboard"] else None
