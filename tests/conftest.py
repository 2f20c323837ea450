import gc
import sys
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, settings

# A busy machine is no failure, and what was once found is written down as a test, not kept in a file.
settings.register_profile("house", deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("quick", settings.get_profile("house"), max_examples=20)
settings.load_profile("house")


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

# What starts processes, or a browser, and so is left out of `make quick`: how the ids of such tests begin.
PROCESSES: Final = tuple(
    f"tests/{start}"
    for start in (
        "audit/test_audit_command.py",
        "audit/test_corpus.py",
        "audit/test_page_in_a_browser.py",
        "audit/test_stdio.py",
        "audit/test_targets.py",
        "audit/test_web.py",
        "audit/verify/test_check.py",
        "audit/verify/test_commands.py",
        "audit/verify/test_in_process.py",
        "audit/verify/test_pytest_plugin.py",
        "audit/verify/test_saved_evidence.py",
        "audit/verify/test_verify.py",
        "cli/test_call.py::test_the_installed_command",
        "cli/test_demo.py",
        "cli/test_doctor.py::test_the_installed_command",
        "cli/test_doctor_nextcloud.py::test_maintenance_is_called",
        "cli/test_doctor_nextcloud.py::test_the_command_finds",
        "cli/test_exit_codes.py",
        "cli/test_help.py::test_the_version",
        "cli/test_sandbox.py",
        "cli/test_serve.py",
        "cli/test_terminal.py::test_a_server",
        "cli/test_terminal.py::test_a_short_key",
        "cli/test_terminal.py::test_the_width_of_a_real_terminal",
        "cli/test_tools.py::test_the_json",
        "conformance/",
        "kit/serving/",
        "kit/test_catalogue_file.py::test_our_services_start",
        "lightdash/test_proof.py",
        "nextcloud/client/test_real_servers.py",
        "nextcloud/test_file_names.py",
        "nextcloud/test_proof.py",
        "sandbox/test_registration.py",
        "test_building.py",
        "test_face.py",
        "test_generated.py",
        "test_snippets.py",
    )
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="leave out the tests that start processes")


def refuse_processes(event: str, _: tuple[Any, ...]) -> None:
    """Fail a test that starts a process all the same, so that the list above stays true."""
    if event == "subprocess.Popen":
        raise RuntimeError("This starts a process: name the test's file in PROCESSES (tests/conftest.py).")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the longest tests first; the others keep their order."""
    if config.getoption("--quick"):
        settings.load_profile("quick")
        items[:] = [item for item in items if not item.nodeid.startswith(PROCESSES)]
    items.sort(key=lambda item: item.path.name not in LONGEST)
