"""The official conformance suite finds nothing wrong with a server built with our kit, in either revision."""

import os
from pathlib import Path
from typing import Final

import pytest
from tests.conformance.process import served
from tests.conformance.suite import Report, missing, run

# What the pinned suite runs, and how much of it passes: a run that silently shrinks must not pass.
SCENARIOS: Final = {"2025-11-25": 33, "2026-07-28": 50}
PASSED: Final = {"2025-11-25": 84, "2026-07-28": 152}

# The suite runs the tasks extension for its report and scores none of it. It is optional, the SDK does not have it, and
# no tool of ours runs long enough to want it. Everything else must pass, whether the suite scores it or not.
TASKS: Final = frozenset(
    f"tasks-{scenario}"
    for scenario in (
        "capability-negotiation",
        "dispatch-and-envelope",
        "lifecycle",
        "mrtr-composition",
        "mrtr-input",
        "request-headers",
        "request-state-removal",
        "required-task-error",
        "status-notifications",
        "wire-fields",
    )
)

# The scenarios that ask for nothing which only a fixture has, and how many of their checks pass.
ON_A_REAL_SERVER: Final = {
    ("2025-11-25", "server-initialize"): 3,
    ("2025-11-25", "server-session-lifecycle"): 3,
    ("2025-11-25", "ping"): 2,
    ("2025-11-25", "tools-list"): 3,
    ("2025-11-25", "server-sse-multiple-streams"): 2,
    ("2025-11-25", "dns-rebinding-protection"): 2,
    ("2026-07-28", "server-stateless"): 21,
    ("2026-07-28", "tools-list"): 4,
    ("2026-07-28", "server-sse-multiple-streams"): 1,
    ("2026-07-28", "dns-rebinding-protection"): 2,
    ("2026-07-28", "caching"): 4,
    ("2026-07-28", "http-header-validation"): 14,
    ("2026-07-28", "input-required-result-unsupported-methods"): 2,
}

# Checks of these scenarios that need a fixture after all: the suite's own diagnostic tools, prompts and resources, and
# lists that change while the server runs. The fixture server passes every one of them.
NEED_A_FIXTURE: Final = frozenset(
    {
        "sep-2575-server-rejects-undeclared-capability",
        "sep-2575-missing-capability-http-400",
        "sep-2575-http-server-no-independent-requests-on-stream",
        "sep-2575-server-no-log-without-loglevel",
        "sep-2575-server-sends-subscription-ack",
        "sep-2575-server-tags-subscription-id",
        "sep-2575-server-honors-notification-filter",
        "sep-2575-server-sends-prompts-list-changed-on-subscription",
        "sep-2575-server-sends-tools-list-changed-on-subscription",
        "sep-2549-resources-read-caching-hints",
    }
)


@pytest.fixture(scope="module", autouse=True)
def suite_is_installed() -> None:
    if why := missing():
        # On a developer's machine the suite may be absent; where the result counts it may not.
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(why)


@pytest.fixture(scope="module")
def lightdash(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Report]:
    """Run each revision's scenarios once on the real server; those that need a fixture fail, and are not looked at."""
    with served("tests.conformance.lightdash") as url:
        return {
            revision: run(url, "--requirements", revision, results=tmp_path_factory.mktemp(revision))
            for revision in SCENARIOS
        }


@pytest.mark.parametrize("revision", SCENARIOS)
def test_every_scenario_of_a_revision_passes_on_the_fixture_server(revision: str, tmp_path: Path) -> None:
    with served("tests.conformance.server") as url:
        report = run(url, "--requirements", revision, results=tmp_path)

    problems = report.problems(besides=TASKS)
    assert not problems, "\n".join(problems)
    assert report.exit_code == 0, report.output
    assert TASKS.intersection(report.scenarios) == report.extensions, "The suite scores what is left out here."
    assert len(report.scenarios) == SCENARIOS[revision], sorted(report.scenarios)
    assert report.passed(besides=TASKS) >= PASSED[revision]


@pytest.mark.parametrize(("revision", "scenario"), ON_A_REAL_SERVER)
def test_a_scenario_that_needs_no_fixture_passes_on_the_lightdash_server(
    lightdash: dict[str, Report], revision: str, scenario: str
) -> None:
    report = lightdash[revision].only(scenario)
    checks = report.scenarios[scenario]
    excused = NEED_A_FIXTURE & {check.id for check in checks}
    assert {check.id for check in checks if check.wanting} == excused, "\n".join(report.problems())
    assert report.passed() >= ON_A_REAL_SERVER[revision, scenario]
