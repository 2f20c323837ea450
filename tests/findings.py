"""What real servers were found to do, each with the test of what our user gets, or why nobody meets it."""

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Findings:
    """Findings by the recorded steps that show them."""

    tested: Mapping[str, str]
    """The test of each step."""
    never_met: Mapping[str, str]
    """The reason of each step, or of all steps that begin so."""

    def faults(self, steps: set[str]) -> list[str]:
        """Say what is wrong with the table: a reason for a step that nobody names would hide a new finding."""
        return [
            *(
                f"nothing is said of {step}"
                for step in sorted(steps - self.tested.keys())
                if not self._is_reasoned(step)
            ),
            *(f"{step} is no finding" for step in self.tested.keys() - steps),
            *(f"{one} is the reason of nothing" for one in self.never_met if not any(s.startswith(one) for s in steps)),
            *(f"{step} is tested, and never met" for step in self.tested.keys() & self.never_met.keys()),
        ]

    def _is_reasoned(self, step: str) -> bool:
        return step.startswith(tuple(self.never_met))


def missing(named: Iterable[str], *places: Path) -> set[str]:
    """Return the tests that are named, by their beginning, and are in no file of these places."""
    files = [file for place in places for file in ([place] if place.is_file() else place.rglob("test_*.py"))]
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = (node for file in files for node in ast.walk(ast.parse(file.read_text())))
    there = {node.name for node in nodes if isinstance(node, functions)}
    return {test for test in named if not any(name.startswith(test) for name in there)}
