"""One run over the notes, for all tests that only look at what it saw."""

from pathlib import Path

import pytest

from aboveboard.audit.verify import Proof, load_plan, verify

NOTES = Path(__file__).parent / "notes"


@pytest.fixture(scope="session")
def notes_plan() -> Path:
    return NOTES / "plan.yaml"


@pytest.fixture(scope="session")
def proof(notes_plan: Path) -> Proof:
    """Run the whole plan once: every kind of verdict is in it."""
    return verify(load_plan(notes_plan), repeats=2)
