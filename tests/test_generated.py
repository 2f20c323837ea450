"""What is published is what is committed: tool pages, rule pages, the command line's page, golden definitions."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def test_the_generated_files_are_those_that_the_declarations_make() -> None:
    ran = subprocess.run(
        [sys.executable, "docs/generate.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")


def test_there_is_a_golden_definition_for_every_tool() -> None:
    golden = list((ROOT / "tests" / "golden" / "lightdash").glob("*.json"))
    assert len(golden) > 100
