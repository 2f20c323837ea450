import gc
import os
import sys
from collections.abc import Generator
from itertools import chain
from pathlib import Path
from typing import Any, Final, cast

import pytest
from hypothesis import HealthCheck, settings

# A busy machine is no failure, and what was once found is written down as a test, not kept in a file.
settings.register_profile("house", deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("quick", settings.get_profile("house"), max_examples=10)
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


# For each request in this process httpx2 looks whether trio is there, which is not remembered where it is not: a tenth
# of what such a request takes.
sys.modules.setdefault("sniffio", cast("Any", None))

# What takes longest, the longest first: at the end no worker is to be left alone with it.
LONGEST: Final = (
    "tests/nextcloud/test_proof.py",
    "tests/lightdash/test_proof.py",
    "tests/nextcloud/test_every_tool.py",
    "tests/people/test_every_tool.py",
    "tests/nextcloud/test_faults.py",
    "tests/people/test_processes.py",
    "tests/audit/verify/stores/test_stores.py",
    "tests/nextcloud/test_search_sync.py",
    "tests/lightdash/test_chart_view_in_a_browser.py",
    "tests/people/test_pages_in_a_browser.py",
    "tests/audit/test_page_in_a_browser.py",
    "tests/audit/verify/test_pytest_plugin.py",
    "tests/kit/test_definitions.py",
    "tests/lightdash/test_fence.py",
    "tests/lightdash/test_sql_fences.py",
    "tests/audit/test_own_servers.py",
    "tests/nextcloud/client/calendar/test_times.py",
    "tests/nextcloud/client/calendar/test_series.py",
    "tests/nextcloud/test_search_tools.py",
    "tests/nextcloud/test_search_changes.py",
    "tests/nextcloud/test_updates.py",
    "tests/nextcloud/test_file_names.py",
    "tests/lightdash/test_ids.py",
    "tests/conformance/test_conformance.py",
    "tests/test_converters.py",
)
# What mostly waits: beside what takes longest it leaves no processor idle.
WAITING: Final = (
    "tests/audit/verify/test_late.py",
    "tests/audit/test_corpus.py",
    "tests/audit/test_drafted.py",
    "tests/audit/verify/test_late_failure.py",
    "tests/audit/verify/test_verify.py",
    "tests/audit/verify/test_saved_evidence.py",
    "tests/test_building.py",
    "tests/audit/test_stdio.py",
)

# What `make quick` does not even read: it starts processes, goes through all tools, or takes longest. Elsewhere, a test
# that starts a process is left out at that moment.
NOT_QUICK: Final = (
    "tests/audit/test_any_definition.py",
    "tests/audit/test_audit_command.py",
    "tests/audit/test_corpus.py",
    "tests/audit/test_drafted.py",
    "tests/audit/test_own_servers.py",
    "tests/audit/test_page_in_a_browser.py",
    "tests/audit/test_sign_in.py",
    "tests/audit/test_stdio.py",
    "tests/audit/verify/",
    "tests/cli/test_searching.py",
    "tests/conformance/",
    "tests/kit/serving/",
    "tests/kit/test_definitions.py",
    "tests/kit/test_schema.py",
    "tests/lightdash/sandbox/content/test_left_out.py",
    "tests/lightdash/sandbox/test_replay.py",
    "tests/lightdash/test_allowed_projects.py",
    "tests/lightdash/test_chart_view",
    "tests/lightdash/test_contract.py",
    "tests/lightdash/test_default_project.py",
    "tests/lightdash/test_endpoints.py",
    "tests/lightdash/test_every_tool.py",
    "tests/lightdash/test_faults.py",
    "tests/lightdash/test_fence.py",
    "tests/lightdash/test_sql_fences.py",
    "tests/lightdash/test_ids.py",
    "tests/lightdash/test_keeping.py",
    "tests/lightdash/test_names.py",
    "tests/lightdash/test_pages.py",
    "tests/lightdash/test_proof.py",
    "tests/lightdash/test_recordings.py",
    "tests/lightdash/test_rendering.py",
    "tests/lightdash/test_resources.py",
    "tests/lightdash/test_sql.py",
    "tests/lightdash/test_surprises_wire.py",
    "tests/nextcloud/client/calendar/",
    "tests/nextcloud/client/contacts/",
    "tests/nextcloud/sandbox/test_replay.py",
    "tests/nextcloud/test_calendar_",
    "tests/nextcloud/test_contacts_tools.py",
    "tests/nextcloud/test_dav_contract.py",
    "tests/nextcloud/test_deck_",
    "tests/nextcloud/test_every_tool.py",
    "tests/nextcloud/test_faults.py",
    "tests/nextcloud/test_file_names.py",
    "tests/nextcloud/test_files_tools.py",
    "tests/nextcloud/test_groupware_requests.py",
    "tests/nextcloud/test_names.py",
    "tests/nextcloud/test_news_tools.py",
    "tests/nextcloud/test_proof.py",
    "tests/nextcloud/test_read_file.py",
    "tests/nextcloud/test_search_",
    "tests/nextcloud/test_tables_",
    "tests/nextcloud/test_updates.py",
    "tests/people/",
    "tests/search/",
    "tests/test_building.py",
    "tests/test_converters.py",
    "tests/test_deletions.py",
    "tests/test_snippets.py",
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


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--quick"):
        settings.load_profile("quick")
        # Who is stopped at starting a process leaves its pipes open.
        config.addinivalue_line("filterwarnings", "ignore::ResourceWarning")
        config.addinivalue_line("filterwarnings", "ignore::pytest.PytestUnraisableExceptionWarning")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    at = collection_path.relative_to(config.rootpath).as_posix()
    return True if config.getoption("--quick") and at.startswith(NOT_QUICK) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let every second worker begin with what waits, and the others with what takes longest; the rest comes last.

    A worker begins with its share of the list, and then takes over what is at the end of others' shares.
    """
    workers: int = getattr(config, "workerinput", {}).get("workercount", 1)
    files: dict[str, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.path.relative_to(config.rootpath).as_posix(), []).append(item)
    waiting = _dealt([[item] for path in WAITING for item in files.pop(path, [])], workers)
    longest = _dealt([files.pop(path) for path in LONGEST if path in files], workers)
    first = [longest[one] + waiting[one] if one % 2 else waiting[one] + longest[one] for one in range(workers)]
    rest = [item for those in files.values() for item in those]
    shares: list[pytest.Item] = []
    for one, share in enumerate(first):
        size = (len(items) - len(shares)) // (workers - one)
        shares += share + [rest.pop(0) for _ in range(min(size - len(share), len(rest)))]
    assert len(shares) == len(items)  # a test that is left out would fail nowhere
    items[:] = shares


def _dealt(groups: list[list[pytest.Item]], workers: int) -> list[list[pytest.Item]]:
    """Give each worker every so-manieth group."""
    return [list(chain.from_iterable(groups[one::workers])) for one in range(workers)]
