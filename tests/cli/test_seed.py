"""`aboveboard seed`: a service is filled over its API with what the plan expects."""

from collections.abc import Generator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.cli.command import aboveboard, announced, running

from aboveboard.cli.sandbox import VARIABLE
from aboveboard.nextcloud.sandbox.seed.seed_texts import DOCUMENTS

ADMIN = ("admin", "sandbox-admin-login")
MINE = """
url: {url}
env: {{NEXTCLOUD_USERNAME: eve, NEXTCLOUD_PASSWORD: "${{EVE}}"}}
reset: POST /_sandbox/reset
state: GET /_sandbox/state
seed: {{admin: admin, password: {password}}}
"""
EVE = {"EVE": "a-long-${password}-of-eve"}


@pytest.fixture(scope="module")
def nextcloud() -> Generator[str]:
    """Serve a sandbox with one more person, who has nothing."""
    with running("sandbox", "nextcloud", "--port", "0", settings={VARIABLE: "mine"}) as process:
        url = announced(process).partition(";")[0].split()[-1]
        body = {"userid": "eve", "password": EVE["EVE"]}
        made = httpx2.post(f"{url}/ocs/v2.php/cloud/users", json=body, auth=ADMIN, headers={"OCS-APIRequest": "true"})
        assert made.is_success, made.text
        yield url


def _state(url: str) -> dict[str, Any]:
    state = httpx2.get(f"{url}/_sandbox/state", headers={"X-Sandbox-Token": "mine"}).json()
    return {path: value for path, value in state.items() if not path.startswith(("derived/", "trash/"))}


def _seed(url: str, folder: Path, *more: str, password: str = ADMIN[1]) -> Any:
    file = folder / "mine.yaml"
    file.write_text(MINE.format(url=url, password=password), encoding="utf-8")
    return aboveboard("seed", "nextcloud", "--backend", str(file), *more, settings=EVE)


def test_what_the_plan_expects_is_there_afterwards_and_a_second_time_adds_no_share(
    nextcloud: str, tmp_path: Path
) -> None:
    first = _seed(nextcloud, tmp_path)
    assert (first.returncode, first.stderr) == (0, "")
    assert "shares of eve, and one that bob made for eve" in first.stdout
    with httpx2.Client(base_url=nextcloud, auth=("eve", EVE["EVE"]), headers={"OCS-APIRequest": "true"}) as eve:
        for path, text in DOCUMENTS.items():
            assert eve.get(f"/remote.php/dav/files/eve/{path}").text == text
        assert eve.get("/remote.php/dav/files/eve/Holiday/packing list.txt").text == "Tent\nStove\n"
    shares = [path for path in _state(nextcloud) if path.startswith("shares/")]
    assert _seed(nextcloud, tmp_path).returncode == 0
    assert [path for path in _state(nextcloud) if path.startswith("shares/")] == shares


def test_a_wrong_password_and_a_place_elsewhere_are_said_in_a_sentence(nextcloud: str, tmp_path: Path) -> None:
    wrong = _seed(nextcloud, tmp_path, password="wrong")
    assert wrong.returncode == 1
    assert (
        wrong.stderr == "aboveboard: Nextcloud answered POST /ocs/v2.php/cloud/groups of admin with HTTP status 401.\n"
    )
    far = _seed("https://cloud.example.org", tmp_path)
    assert far.returncode == 2
    assert "is not on this machine" in far.stderr
    assert "--i-know-this-is-disposable" in far.stderr
