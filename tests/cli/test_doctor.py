"""`aboveboard doctor`: everything that can be wrong on the way to a Lightdash, and what to do about it."""

from collections.abc import Callable

import pytest
from tests.cli.command import announced, in_process, installed, running
from tests.cli.web import Answer, answering, ok

from aboveboard.audit.verify.processes import free_port
from aboveboard.kit.checkup import State
from aboveboard.lightdash.doctor import checkup

TOKEN = "ldpat_hunter2"
HEALTH = {"healthy": True, "version": "1.2.3", "query": {"maxLimit": 5, "defaultLimit": 5, "maxPageSize": 5}}
ME = {"userUuid": "u", "firstName": "Ada", "lastName": "Okafor", "role": "admin"}
PROJECTS = [
    {"projectUuid": f"1a000000-0000-4000-8000-{number:012d}", "name": f"Shop {number}", "type": "DEFAULT"}
    for number in range(300)
]
Doctor = Callable[..., tuple[int, list[str]]]


def lightdash(path: str, authorization: str) -> Answer:
    if path == "/api/v1/health":
        return ok(HEALTH)
    if authorization != f"ApiKey {TOKEN}":
        return 401, "text/plain", "Unauthorized"
    return ok(ME if path == "/api/v1/user" else PROJECTS)


@pytest.fixture
def doctor(capsys: pytest.CaptureFixture[str]) -> Doctor:
    """Run the doctor; what it finds, line by line."""

    def run(url: str, token: str = TOKEN, allowed: str = "", **more: str) -> tuple[int, list[str]]:
        settings = {"LIGHTDASH_URL": url, "LIGHTDASH_API_KEY": token, "LIGHTDASH_ALLOWED_PROJECTS": allowed, **more}
        ran = in_process("doctor", "lightdash", settings=settings, capsys=capsys)
        assert "hunter2" not in ran.stdout
        assert ran.stderr == ""
        return ran.returncode, ran.stdout.splitlines()

    return run


def test_the_installed_command_finds_a_real_sandbox_well() -> None:
    with running("sandbox", "lightdash", "--port", "0") as process:
        exported = announced(process).split("; to use it: export ")[1].split()
        ran = installed("doctor", "lightdash", settings=dict(one.split("=", 1) for one in exported))
    assert ran.returncode == 0, ran.stdout
    lines = ran.stdout.splitlines()
    assert [line.split(":")[0] for line in lines] == [
        *("✓ settings", "✓ reachable", "✓ version", "✓ token", "✓ projects", "✓ safety", "✓ tools")
    ]
    assert lines[3] == "✓ token: It belongs to Ada Okafor (admin)."
    assert lines[4] == "✓ projects: The server may touch 2: Corner Shop, Corner Shop preview."
    assert lines[5] == "✓ safety: full, everything may be changed"
    assert lines[6].startswith("✓ tools: ")
    assert "Cursor 20" in lines[6]
    assert lines[6].endswith("; left out: agents 22 (--toolsets auto,agents)")


def test_what_the_settings_leave_out_is_named_with_how_to_get_it(doctor: Doctor) -> None:
    with answering(lightdash) as url:
        _, lines = doctor(url, ABOVEBOARD_TOOLSETS="charts,queries")
    assert "clients that take few" not in lines[-1]
    assert "left out: " in lines[-1]
    assert "people 1" in lines[-1]
    assert "(--toolsets charts,queries," in lines[-1]
    with answering(lightdash) as url:
        _, lines = doctor(url, ABOVEBOARD_TOOLSETS="all", ABOVEBOARD_EXCLUDE="people")
    assert "people 1" in lines[-1]
    assert lines[-1].endswith("(--exclude without people)")


def test_what_may_be_changed_is_said(doctor: Doctor) -> None:
    with answering(lightdash) as url:
        _, lines = doctor(url, ABOVEBOARD_SAFETY_MODE="read-only", ABOVEBOARD_DRY_RUN="true")
    assert lines[-2].startswith("✓ safety: read-only, only tools that read; dry run: ")


def test_all_is_well_however_many_projects_there_are(doctor: Doctor) -> None:
    every = " ".join(project["projectUuid"] for project in PROJECTS)
    with answering(lightdash) as url:
        assert doctor(url) == doctor(url, allowed=every)
        code, lines = doctor(url, allowed=every.upper())
    assert code == 0
    assert lines[-3] == "✓ projects: The server may touch 300: Shop 0, Shop 1, Shop 2, Shop 3, Shop 4."


def test_a_token_that_lightdash_does_not_know_is_named_with_what_to_do(doctor: Doctor) -> None:
    with answering(lightdash) as url:
        code, lines = doctor(url, token="ldpat_old_hunter2")
    assert code == 1
    assert lines[-1].startswith("✗ token: Lightdash does not accept the token. Create a personal access token")


def test_an_allowed_project_that_is_not_there_is_named(doctor: Doctor) -> None:
    missing = "ffffffff-0000-4000-8000-000000000000"
    with answering(lightdash) as url:
        code, lines = doctor(url, allowed=f"{PROJECTS[0]['projectUuid']},{missing}")
    assert (code, lines[-1]) == (1, f"✗ projects: LIGHTDASH_ALLOWED_PROJECTS names {missing}: not there.")


def test_a_default_project_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    def few(path: str, authorization: str) -> Answer:
        if path.startswith("/api/v1/projects/"):
            return 404, "application/json", '{"status": "error", "error": {"message": "no project"}}'
        return lightdash(path, authorization)

    missing = "ffffffff-0000-4000-8000-000000000000"
    with answering(few) as url:
        settings = {"LIGHTDASH_URL": url, "LIGHTDASH_API_KEY": TOKEN, "LIGHTDASH_PROJECT_UUID": missing}
        ran = in_process("doctor", "lightdash", settings=settings, capsys=capsys)
    assert ran.returncode == 1
    assert ran.stdout.splitlines()[-1] == f"✗ projects: LIGHTDASH_PROJECT_UUID names {missing}: not there."


def test_a_token_that_sees_no_project_is_a_warning(doctor: Doctor) -> None:
    def empty(path: str, authorization: str) -> Answer:
        return ok([]) if path == "/api/v1/org/projects" else lightdash(path, authorization)

    with answering(empty) as url:
        code, lines = doctor(url)
    assert (code, lines[-3]) == (0, "! projects: The token sees no project.")


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ((200, "text/html", "<!doctype html><html>Sign in</html>"), "a web page (is the address right"),
        ((404, "text/html", "<html>nginx</html>"), "Lightdash answered 404."),
        ((200, "application/json", '{"hello": "world"}'), "JSON that is not its own"),
        ((200, "application/json", ""), "an empty body"),
        ((200, "application/json", '{"status": "ok", "results": {}}'), "a form this client does not know (at healthy)"),
    ],
)
def test_something_else_at_the_address_is_named_for_what_it_is(doctor: Doctor, answer: Answer, found: str) -> None:
    with answering(lambda path, authorization: answer) as url:
        code, lines = doctor(url)
    assert code == 1
    assert len(lines) == 2
    assert lines[1].startswith("✗ reachable: ")
    assert found in lines[1]
    assert lines[1].endswith("Is this the address of a Lightdash?")


def test_an_address_where_nobody_answers_is_unreachable(doctor: Doctor) -> None:
    url = f"http://127.0.0.1:{free_port()}"
    code, lines = doctor(url)
    assert code == 1
    assert lines[1].startswith(f"✗ reachable: Lightdash at {url} cannot be reached: nothing listens there.")


def test_a_name_that_nobody_knows_and_https_where_there_is_none_are_told_apart(doctor: Doctor) -> None:
    with answering(lightdash) as url:
        code, lines = doctor(url.replace("http://", "https://"))
    assert code == 1
    assert "cannot be reached: it does not speak https there." in lines[1]
    assert "cannot be reached: no such host name is known." in doctor("https://nowhere.invalid")[1][1]


def test_an_address_within_the_api_is_not_the_start_page(doctor: Doctor) -> None:
    code, lines = doctor("https://lightdash.example/api/v1")
    assert (code, len(lines)) == (1, 1)
    assert "without /api" in lines[0]


def test_missing_settings_are_named(doctor: Doctor) -> None:
    code, lines = doctor("", token="")
    assert code == 1
    assert len(lines) == 1
    assert "LIGHTDASH_URL is not set" in lines[0]
    assert "LIGHTDASH_API_KEY is not set" in lines[0]


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("url", "state"),
    [
        ("https://lightdash.example", State.GOOD),
        ("HTTPS://lightdash.example", State.GOOD),
        ("http://localhost:8080", State.GOOD),
        ("http://127.0.0.1", State.GOOD),
        ("http://[::1]:8080", State.GOOD),
        ("http://lightdash.example", State.WARNING),
        ("http://localhost.example", State.WARNING),
        ("http://127.0.0.1.example", State.WARNING),
    ],
)
async def test_a_token_that_would_travel_unencrypted_is_a_warning(url: str, state: State) -> None:
    checks = checkup({"LIGHTDASH_URL": url, "LIGHTDASH_API_KEY": TOKEN})
    first = await anext(checks)
    assert (first.name, first.state) == ("settings", state)
    assert TOKEN not in first.found
