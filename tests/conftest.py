import gc
import os
import sys
from collections.abc import Generator
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, settings

# A busy machine is no failure, and what was once found is written down as a test, not kept in a file.
settings.register_profile("house", deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("quick", settings.get_profile("house"), max_examples=20)
settings.load_profile("house")
# What a test indexes ends with it, and is not looked for among what the person who runs the tests has indexed.
os.environ["ABOVEBOARD_SEARCH_INDEX"] = ":memory:"


# Whoever tests what comes late says how long to wait; for all others six seconds would be spent on nothing.
os.environ.setdefault("ABOVEBOARD_LATE", "0.2")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


# Looking for garbage among ten thousand tests, and in all that was imported for them, costs more than it finds.
gc.set_threshold(50_000, 20, 20)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Take what is there now for granted; a test's own garbage is still looked for."""
    gc.freeze()
    if session.config.getoption("--quick"):
        sys.addaudithook(refuse_processes)


# What takes longest comes first, so that no worker is left alone with it at the end.
LONGEST: Final = ("test_proof.py", "test_conformance.py")

# What `make quick` does not even begin: it starts processes, or takes longest. Elsewhere, a test that starts a process
# is left out at that moment.
NOT_QUICK: Final = (
    "tests/audit/test_audit_command.py",
    "tests/audit/test_corpus.py",
    "tests/audit/test_drafted.py",
    "tests/audit/test_page_in_a_browser.py",
    "tests/audit/test_stdio.py",
    "tests/audit/verify/",
    "tests/conformance/",
    "tests/kit/serving/",
    "tests/lightdash/sandbox/content/test_left_out.py",
    "tests/lightdash/sandbox/test_replay.py",
    "tests/lightdash/test_contract.py",
    "tests/lightdash/test_faults.py",
    "tests/lightdash/test_proof.py",
    "tests/nextcloud/sandbox/test_replay.py",
    "tests/nextcloud/test_proof.py",
    "tests/people/test_pages_in_a_browser.py",
    "tests/people/test_processes.py",
)
STARTS: Final = "it starts a process, which `make quick` leaves to `make test`"
attempts: list[str] = []


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="leave out what starts processes or takes longest")


def refuse_processes(event: str, _: tuple[Any, ...]) -> None:
    """Stop a test that is about to start a process."""
    if event == "subprocess.Popen":
        attempts.append(event)
        raise RuntimeError(STARTS)


def pytest_runtest_logstart() -> None:
    attempts.clear()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Count a test that was stopped, or whose fixture was, as left out."""
    report = yield
    if report.failed and item.config.getoption("--quick") and (attempts or STARTS in str(report.longrepr)):
        report.outcome, report.longrepr = "skipped", (str(item.path), 0, STARTS)
    return report


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the longest tests first; the others keep their order."""
    if config.getoption("--quick"):
        settings.load_profile("quick")
        items[:] = [item for item in items if not item.nodeid.startswith(NOT_QUICK)]
    items.sort(key=lambda item: item.path.name not in LONGEST)
