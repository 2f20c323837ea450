"""`aboveboard seed`: a service is filled over its API with what the plan expects."""

from collections import Counter
from collections.abc import Generator
from pathlib import Path
from typing import Any

import httpx2
import pytest
import yaml
from tests.cli.command import aboveboard, announced, running

from aboveboard.cli.sandbox import VARIABLE
from aboveboard.nextcloud.sandbox.calendar.seed import calendar_text
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


def _counted(url: str) -> Counter[str]:
    """How many records of each kind there are."""
    return Counter(kind for kind, _ in {tuple(path.split("/")[:2]) for path in _state(url) if "/" in path})


def _seed(url: str, folder: Path, *more: str, password: str = ADMIN[1]) -> Any:
    file = folder / "mine.yaml"
    file.write_text(MINE.format(url=url, password=password), encoding="utf-8")
    return aboveboard("seed", "nextcloud", "--backend", str(file), *more, settings=EVE)


def test_what_the_plan_expects_is_there_afterwards_and_a_second_time_adds_nothing(
    nextcloud: str, tmp_path: Path
) -> None:
    first = _seed(nextcloud, tmp_path)
    assert (first.returncode, first.stderr) == (0, "")
    assert "shares of eve, and one that bob made for eve" in first.stdout
    with httpx2.Client(base_url=nextcloud, auth=("eve", EVE["EVE"]), headers={"OCS-APIRequest": "true"}) as eve:
        for path, text in DOCUMENTS.items():
            assert eve.get(f"/remote.php/dav/files/eve/{path}").text == text
        assert eve.get("/remote.php/dav/files/eve/Holiday/packing list.txt").text == "Tent\nStove\n"
    counted = _counted(nextcloud)
    assert {"calendars", "contacts", "deck", "tables", "cookbook", "shares"} <= counted.keys()
    assert _seed(nextcloud, tmp_path).stdout == first.stdout
    assert _counted(nextcloud) == counted


def test_every_app_has_what_the_plan_looks_for_and_the_addresses_to_fetch_are_told(
    nextcloud: str, tmp_path: Path
) -> None:
    told = _seed(nextcloud, tmp_path).stdout.splitlines()
    values = yaml.safe_load(told[-1])["values"]
    assert values.keys() == {"recipe_page", "feed_url"}
    assert all(httpx2.get(url, follow_redirects=True).is_success for url in values.values())
    with httpx2.Client(base_url=nextcloud, auth=("eve", EVE["EVE"]), headers={"OCS-APIRequest": "true"}) as eve:
        planned = eve.get("/remote.php/dav/calendars/eve/personal?export").text
        assert "ORGANIZER;CN=Bob:mailto:bob@example.org" in planned, "the invitation"
        event = eve.put("/remote.php/dav/calendars/eve/tasks/new.ics", content=calendar_text("x", "VEVENT", ""))
        assert event.status_code == 403, "a calendar that takes no events"
        assert "Käthe" in eve.get("/remote.php/dav/addressbooks/users/eve/contacts/seed-1.vcf").text
        tables = eve.get("/index.php/apps/tables/api/1/tables").json()
        assert [view["title"] for one in tables if one["title"] == "Tools" for view in one["views"]] == ["All tools"]
        boards = eve.get("/index.php/apps/deck/api/v1.0/boards").json()
        assert [one["title"] for one in boards if one["owner"]["uid"] == "eve"] == ["Product"]
    assert [line for line in told if line.startswith("no feed: News does not get ")], "the sandbox fetches nothing"


def test_an_account_that_no_seed_made_keeps_its_password(nextcloud: str, tmp_path: Path) -> None:
    with httpx2.Client(base_url=nextcloud, auth=ADMIN, headers={"OCS-APIRequest": "true"}) as admin:
        admin.delete("/ocs/v2.php/cloud/groups/team").raise_for_status()
    before = _state(nextcloud)
    refused = _seed(nextcloud, tmp_path)
    assert refused.returncode == 2
    assert "There is an account bob that no seed made" in refused.stderr
    assert _state(nextcloud) == before


def test_a_wrong_password_and_a_place_elsewhere_are_said_in_a_sentence(nextcloud: str, tmp_path: Path) -> None:
    wrong = _seed(nextcloud, tmp_path, password="wrong")
    assert wrong.returncode == 1
    assert (
        wrong.stderr
        == "aboveboard: Nextcloud answered GET /ocs/v2.php/cloud/users/bob of admin with HTTP status 401.\n"
    )
    far = _seed("https://cloud.example.org", tmp_path)
    assert far.returncode == 2
    assert "is not on this machine" in far.stderr
    assert "--i-know-this-is-disposable" in far.stderr
