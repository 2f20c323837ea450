"""`aboveboard doctor nextcloud`: the way, the login, what kind of password it is, the version and the apps."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import httpx2
import pytest
from tests.cli.command import aboveboard, announced, in_process, running
from tests.cli.web import Answer, answering
from tests.patience import patience

LOGIN = "hunter2"
APPS: Mapping[str, Any] = {
    "files": {"undelete": True, "versioning": True, "comments": True},
    "files_sharing": {},
    "systemtags": {},
}
Doctor = Callable[..., tuple[int, list[str]]]


def ocs(data: object, status: int = 200) -> Answer:
    meta = {"status": "ok", "statuscode": status, "message": "OK"}
    return status, "application/json", json.dumps({"ocs": {"meta": meta, "data": data}})


def nextcloud(path: str, authorization: str) -> Answer:
    if not authorization:
        return ocs([], 401)
    if path.startswith("/ocs/v2.php/cloud/user"):
        return ocs({"id": "ada", "displayname": "Ada Byron", "groups": [], "quota": {"used": 1}})
    if path.startswith("/ocs/v2.php/cloud/capabilities"):
        return ocs({"version": {"major": 34, "string": "34.0.1"}, "capabilities": APPS})
    return ocs([{"id": "files", "name": "Files"}])


@pytest.fixture
def doctor(capsys: pytest.CaptureFixture[str]) -> Doctor:
    """Run the doctor; what it finds, line by line."""

    def run(host: str, password: str = LOGIN) -> tuple[int, list[str]]:
        settings = {"NEXTCLOUD_HOST": host, "NEXTCLOUD_USERNAME": "ada", "NEXTCLOUD_PASSWORD": password}
        ran = in_process("doctor", "nextcloud", settings=settings, capsys=capsys)
        assert "hunter2" not in ran.stdout
        assert ran.stderr == ""
        return ran.returncode, ran.stdout.splitlines()

    return run


def test_the_command_finds_a_real_sandbox_well() -> None:
    with running("sandbox", "nextcloud", "--port", "0") as process:
        exported = announced(process).split("; to use it: export ")[1].split()
        settings = dict(one.split("=", 1) for one in exported)
        ran = aboveboard("doctor", "nextcloud", settings=settings)
    assert ran.returncode == 0, ran.stdout
    *lines, apps, safety, tools = ran.stdout.splitlines()
    assert lines == [
        f"✓ settings: Nextcloud is at {settings['NEXTCLOUD_HOST']}.",
        "✓ reachable: Nextcloud answers.",
        "✓ login: It belongs to admin (admin).",
        "✓ password: It is an app password, which can be withdrawn on its own.",
        "✓ version: It is Nextcloud 34.0.1.",
    ]
    assert {"files", "notes", "deck"} <= set(apps.removeprefix("✓ apps: Installed: ").split(".")[0].split(", "))
    assert apps.endswith(". Every tool can be used.")
    assert safety == "✓ safety: full, everything may be changed"
    assert tools.startswith("✓ tools: ")


def test_maintenance_is_called_by_its_name_and_nobody_is_asked_whether_this_is_a_nextcloud(doctor: Doctor) -> None:
    with running("sandbox", "nextcloud", "--port", "0") as process:
        exported = announced(process).split("; to use it: export ")[1].split()
        settings = dict(one.split("=", 1) for one in exported)
        host, token = settings["NEXTCLOUD_HOST"], {"x-sandbox-token": settings["ABOVEBOARD_SANDBOX_TOKEN"]}
        httpx2.post(f"{host}/_sandbox/maintenance/on", headers=token, timeout=patience(5)).raise_for_status()
        code, lines = doctor(host)
    assert code == 1
    assert lines[1].startswith("✗ reachable: Nextcloud answers, and is in maintenance mode.")
    assert len(lines) == 2


def test_a_login_password_and_a_missing_app_are_warnings_with_what_to_do(doctor: Doctor) -> None:
    with answering(nextcloud) as url:
        code, lines = doctor(url)
    assert code == 0
    assert lines[3].startswith("! password: It looks like the login password. Create an app password in Nextcloud")
    assert lines[5].startswith(
        "! apps: Installed: files. Some tools are not listed because these apps are not installed: notes, "
    )


@pytest.mark.parametrize("password", ["aB3dE-fG6hI-jK9lM-nO2pQ-rS5tU", "x" * 72])
def test_an_app_password_is_known_by_its_form(doctor: Doctor, password: str) -> None:
    with answering(nextcloud) as url:
        assert doctor(url, password)[1][3].startswith("✓ password: ")


def test_credentials_that_nextcloud_does_not_know_are_named_with_what_to_do(doctor: Doctor) -> None:
    with answering(lambda path, authorization: ocs([], 401)) as url:
        code, lines = doctor(url)
    assert code == 1
    assert lines[-1].startswith("✗ login: Nextcloud does not accept name and password. Create an app password")


def test_something_else_at_the_address_is_named_for_what_it_is(doctor: Doctor) -> None:
    with answering(lambda path, authorization: (200, "text/html", "<!doctype html><html>Hello</html>")) as url:
        code, lines = doctor(url)
    assert code == 1
    assert lines[-1].startswith("✗ reachable: ")


def test_an_instance_that_knows_the_user_and_breaks_afterwards_is_a_problem(doctor: Doctor) -> None:
    def broken(path: str, authorization: str) -> Answer:
        return nextcloud(path, authorization) if "/cloud/user" in path else ocs([], 503)

    with answering(broken) as url:
        code, lines = doctor(url)
    assert code == 1
    assert lines[-1].startswith("✗ version: ")


def test_missing_settings_are_named(doctor: Doctor) -> None:
    code, lines = doctor("", password="")
    assert code == 1
    assert len(lines) == 1
    assert "NEXTCLOUD_HOST is not set" in lines[0]
    assert "NEXTCLOUD_PASSWORD is not set" in lines[0]
