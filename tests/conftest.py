import gc
import os
import sys
from collections.abc import Generator
from importlib import import_module
from pathlib import Path
from typing import Any, Final, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.forked import prepare_services, start_warm_process, warm_interpreter

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
gc.set_threshold(1_000_000, 20, 20)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Let the process that is forked for others import what it needs while this one collects; all workers share it."""
    if _starts_processes(session.config):
        start_warm_process()


def _starts_processes(config: pytest.Config) -> bool:
    return config.getoption("--workers") != 1 and not config.getoption("--quick")


def prepare_for_all() -> None:
    """Import and do what nearly every worker would come to import and do by itself."""
    prepare_services()
    for name in ("matplotlib.backends.backend_agg", "playwright.async_api", "sqlglot.dialects"):
        import_module(name)
    draw_once()


@given(st.integers())
def draw_once(_: int) -> None:
    """Let Hypothesis read all our modules for telling values, as it does before it draws the first time."""


def pytest_collection_finish(session: pytest.Session) -> None:
    """Take what is there now for granted; a test's own garbage is still looked for."""
    if session.config.getoption("--quick"):
        sys.addaudithook(refuse_processes)
    elif _starts_processes(session.config):
        sys.executable = warm_interpreter()  # before there are workers: only one of them would be told of it
        prepare_for_all()
    gc.freeze()


# For each request in this process httpx2 looks whether trio is there, which is not remembered where it is not: a tenth
# of what such a request takes.
sys.modules.setdefault("sniffio", cast("Any", None))

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
    "tests/lightdash/test_every_case.py",
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
