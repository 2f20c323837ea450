"""Every surprise of a real Lightdash that its recordings number: tested for, or one that no tool of ours can meet."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from tests.lightdash.sandbox.recordings import FOLDER
from tests.shared import absence

# Why no tool of ours can meet it.
NEVER_MET: Final = {
    22: "No tool calls a route that only a browser session may use, such as changing the organisation or a token.",
    73: "There is no tool that invites people.",
}
LAST: Final = 78


def marked() -> Iterator[tuple[int, str]]:
    """Read the numbers out of the marks of the tests beside this one."""
    for file in sorted(Path(__file__).parent.glob("test_*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                for mark in node.decorator_list:
                    if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.surprise":
                        yield from ((ast.literal_eval(number), node.name) for number in mark.args)


def test_every_surprise_has_a_test_of_what_our_user_gets_or_a_reason_why_nobody_meets_it() -> None:
    tested = {number for number, _ in marked()}
    assert tested | NEVER_MET.keys() == set(range(1, LAST + 1))
    assert tested & NEVER_MET.keys() == set()


def test_the_recordings_number_as_many_surprises_as_are_known_here() -> None:
    readme = FOLDER / "README.md"
    if not readme.is_file():
        pytest.skip(absence(FOLDER))
    numbered = [int(number) for number in re.findall(r"^(\d+)\. ", readme.read_text(), re.MULTILINE)]
    assert numbered == list(range(1, LAST + 1))
