"""Runs the tests in several processes at once: `--workers 5`.

They are collected once, and each worker is a fork of the process that did: what takes ten seconds is not done five
times. A worker is given a file, and asks for the next one when it comes to the last test of that file, so that a server
that the tests of a file share is started once. What is reported goes to the process that collected, as if it had run
all of them.
"""

import os
import signal
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, Pipe, wait
from tempfile import TemporaryFile
from traceback import format_exc
from typing import Any, Final, NoReturn, cast

import pytest

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
    "tests/nextcloud/test_file_names.py",
    "tests/lightdash/test_every_case.py",
    "tests/conformance/test_conformance.py",
    "tests/test_converters.py",
)
# What mostly waits: beside what takes longest it leaves no processor idle. Its tests share nothing, and go one by one.
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

Unit = list[int]
"""The numbers of tests that one worker runs, one after the other."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--workers", type=int, default=1, metavar="N", help="run the tests in N processes at once")


def pytest_configure() -> None:
    """Heed Ctrl-C, and let what is started heed it, also where a shell that runs this in the background ignores it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Take the place of pytest's own loop, where several workers are wanted."""
    workers = cast("int", session.config.getoption("--workers"))
    if workers < 2 or session.config.option.collectonly or session.testsfailed or not hasattr(os, "fork"):
        return None
    _Crew(session).run(workers)
    return True


def in_order(paths: Sequence[str]) -> tuple[list[Unit], list[Unit]]:
    """Part tests, given by their files, into what is run together: what waits, and what works, the longest first."""
    files: dict[str, Unit] = {}
    for number, path in enumerate(paths):
        files.setdefault(path, []).append(number)
    waiting = [[one] for path in WAITING for one in files.pop(path, [])]
    longest = [files.pop(path) for path in LONGEST if path in files]
    return waiting, [*longest, *files.values()]


@dataclass
class _Worker:
    number: int
    process: int
    given: deque[int] = field(default_factory=lambda: deque[int]())
    """The tests that it has not reported on; it runs the first of them."""
    last_words: str = ""


class _Crew:
    """The workers of a run, as the process that collected sees them."""

    def __init__(self, session: pytest.Session) -> None:
        self._session, self._config = session, session.config
        root = session.config.rootpath
        waiting, working = in_order([item.path.relative_to(root).as_posix() for item in session.items])
        self._waiting, self._working = deque(waiting), deque(working)
        self._workers: dict[Connection, _Worker] = {}
        self._started = 0

    def run(self, number: int) -> None:
        """Let so many workers run all tests; where one ends in the midst of a test, another takes its place."""
        try:
            for _ in range(number):
                self._start()
            while self._workers:
                for one in wait(list(self._workers)):
                    assert isinstance(one, Connection)
                    self._hear(one)
                if self._session.shouldfail:
                    raise self._session.Failed(self._session.shouldfail)
                if self._session.shouldstop:
                    raise self._session.Interrupted(self._session.shouldstop)
        finally:
            self._end()
        assert not self._waiting  # a test that is left out would fail nowhere
        assert not self._working

    def _start(self) -> None:
        ours, theirs = Pipe()
        self._started += 1
        process = os.fork()
        if process == 0:
            for one in (ours, *self._workers):
                one.close()
            _work(self._session, theirs, self._started)
        theirs.close()
        self._workers[ours] = _Worker(self._started, process)

    def _hear(self, connection: Connection) -> None:
        worker = self._workers[connection]
        try:
            told = connection.recv()
        except (EOFError, ConnectionResetError):
            self._part_with(connection)
        else:
            if told is None:
                self._give_more(connection, worker)
            elif isinstance(told, str):
                worker.last_words = told
            else:
                self._report(self._config.hook.pytest_report_from_serializable(config=self._config, data=told), worker)

    def _give_more(self, connection: Connection, worker: _Worker) -> None:
        """Let every second worker begin with what waits, and the others with what works: no processor is to be idle."""
        first, then = (self._waiting, self._working) if worker.number % 2 else (self._working, self._waiting)
        unit = (first or then).popleft() if first or then else []
        worker.given.extend(unit)
        connection.send(unit)

    def _report(self, report: pytest.TestReport, worker: _Worker) -> None:
        hook = self._config.hook
        hook.pytest_runtest_logreport(report=report)
        if report.when == "teardown":
            hook.pytest_runtest_logfinish(nodeid=report.nodeid, location=report.location)
            worker.given.popleft()

    def _part_with(self, connection: Connection) -> None:
        """A worker has ended: it has run all that it was given, or the test that it was at is to blame."""
        worker = self._workers.pop(connection)
        connection.close()
        _, status = os.waitpid(worker.process, 0)
        if not worker.given:
            assert not worker.last_words, worker.last_words
            return
        item = self._session.items[worker.given[0]]
        code = os.waitstatus_to_exitcode(status)
        why = worker.last_words or f"The process that ran this test ended with {code}; below 0 it is a signal."
        self._report(pytest.TestReport(item.nodeid, item.location, {}, "failed", why, "call"), worker)
        self._report(pytest.TestReport(item.nodeid, item.location, {}, "passed", None, "teardown"), worker)
        if worker.given:
            self._working.append(list(worker.given))
        self._start()

    def _end(self) -> None:
        """Tell those that are still there to leave their tests and end what they started."""
        for connection, worker in self._workers.items():
            os.kill(worker.process, signal.SIGINT)
            connection.close()  # who lost the signal, as in a loop that was being closed, ends as nobody is there
        for worker in self._workers.values():
            os.waitpid(worker.process, 0)


def _work(session: pytest.Session, parent: Connection, number: int) -> NoReturn:
    """Be a worker, to its end."""
    fixtures: Any = cast("Any", session)._setupstate
    code = 1
    try:
        _be_apart(session.config, number)
        session.config.pluginmanager.register(_Telling(session.config, parent))
        with suppress(KeyboardInterrupt):
            _run(session.items, _given(parent))
            code = 0
        fixtures.teardown_exact(None)
    except BaseException:  # noqa: BLE001 (the parent tells of it)
        parent.send(format_exc())
    finally:
        os._exit(code)  # what else is registered for the end is the parent's


def _be_apart(config: pytest.Config, number: int) -> None:
    """Write nothing to the terminal, and share no file with other workers.

    The streams stay the same, since modules that were imported hold them; what is captured goes to files of one's own.
    """
    private: Any = config
    capture: Any = config.pluginmanager.getplugin("capturemanager")
    terminal: Any = config.pluginmanager.getplugin("terminalreporter")
    capture.suspend_global_capture()
    for one in (capture._global_capturing.out, capture._global_capturing.err):
        if shared := getattr(one, "tmpfile", None):  # there is none where nothing is captured
            with TemporaryFile(buffering=0) as own:
                os.dup2(own.fileno(), shared.fileno())
    capture.resume_global_capture()
    terminal._tw._file = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 (until the process ends)
    folders: Any = private._tmp_path_factory
    folders._basetemp = folders.mktemp(f"worker{number}", numbered=False)


class _Telling:
    """Tells the parent what a test came to."""

    def __init__(self, config: pytest.Config, parent: Connection) -> None:
        self._config, self._parent = config, parent

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        told = self._config.hook.pytest_report_to_serializable(config=self._config, report=report)
        self._parent.send(told)


def _given(parent: Connection) -> Iterator[int]:
    """Ask for tests until there are no more."""
    while True:
        parent.send(None)
        unit: Unit = parent.recv()
        if not unit:
            return
        yield from unit


def _run(items: Sequence[pytest.Item], numbers: Iterator[int]) -> None:
    """Run tests; of each it must be known which comes next, so that what they share is kept between them."""
    one = next(numbers, None)
    while one is not None:
        following = next(numbers, None)
        item, after = items[one], None if following is None else items[following]
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
        one = following
