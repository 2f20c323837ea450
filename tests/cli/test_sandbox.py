"""`aboveboard sandbox` on a socket: anyone's client can use it, reset it and look at its state."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.cli.command import announced, next_line, running
from tests.patience import patience

from aboveboard.cli.sandbox import VARIABLE
from aboveboard.lightdash.sandbox import Sandbox

SPACES = "/api/v1/projects/1a000000-0000-4000-8000-000000000001/spaces"


def client_at(line: str) -> httpx2.Client:
    """Connect to the announced address with the announced tokens."""
    address, _, exports = line.partition("; to use it: export ")
    told = dict(one.split("=", 1) for one in exports.split())
    headers = {"authorization": f"ApiKey {told['LIGHTDASH_API_KEY']}"}
    headers |= {"x-sandbox-token": told[VARIABLE]} if VARIABLE in told else {}
    return httpx2.Client(base_url=address.split()[-1], headers=headers, timeout=patience(5))


def create(client: httpx2.Client, name: str) -> str:
    answer: Mapping[str, Any] = client.post(SPACES, json={"name": name}).raise_for_status().json()
    return answer["results"]["uuid"]


def test_the_sandbox_can_be_used_reset_and_looked_at_over_http() -> None:
    with running("sandbox", "lightdash", "--port", "0") as process, client_at(announced(process)) as client:
        first = client.get("/_sandbox/state").json()
        uuid = create(client, "Büro 📈")
        changed = client.get("/_sandbox/state").json()
        assert client.post("/_sandbox/reset").status_code == 204
        again = client.get("/_sandbox/state").json()
    assert changed[f"spaces/{uuid}/name"] == "Büro 📈"
    assert again == first
    assert uuid not in str(first)
    sandbox = Sandbox()
    assert first == sandbox.dump()
    sandbox.close()


@pytest.mark.parametrize("service", ["lightdash", "nextcloud"])
def test_who_does_not_have_the_token_neither_resets_it_nor_sees_all_of_it(service: str) -> None:
    given = {VARIABLE: "a-token-of-mine"}
    with running("sandbox", service, "--port", "0", settings=given) as process:
        line = announced(process)
        assert "a-token-of-mine" not in line
        address = line.partition(";")[0].split()[-1]
        for token in ({}, {"x-sandbox-token": "a-token-of-yours"}, {"x-sandbox-token": ""}):
            with httpx2.Client(base_url=address, headers=token, timeout=patience(5)) as client:
                refused = client.get("/_sandbox/state")
                assert (refused.status_code, client.post("/_sandbox/reset").status_code) == (401, 401)
                assert "X-Sandbox-Token" in refused.text
        mine = {"x-sandbox-token": "a-token-of-mine"}
        with httpx2.Client(base_url=address, headers=mine, timeout=patience(5)) as client:
            assert client.get("/_sandbox/state").json()
            assert client.post("/_sandbox/reset").status_code == 204


def test_it_listens_on_this_machine_only_and_ends_quietly_when_asked() -> None:
    with running("sandbox", "lightdash", "--port", "0") as process:
        line = announced(process)
        assert " http://127.0.0.1:" in line
        assert "login page" in next_line(process)
        process.terminate()
        out, err = process.communicate(timeout=patience(30))
    assert (out, err) == ("", "")


@pytest.mark.parametrize(
    ("service", "told"),
    [
        ("nextcloud", "admin with sandbox-admin-login, bob with sandbox-bob-login\n"),
        ("lightdash", "ada@corner-shop.example with sandbox-lightdash-login, "),
    ],
)
def test_it_says_who_can_log_in_at_its_pages_and_how(service: str, told: str) -> None:
    with running("sandbox", service, "--port", "0") as process:
        announced(process)
        assert told in next_line(process)


def test_data_in_a_file_outlives_the_process(tmp_path: Path) -> None:
    arguments = ("sandbox", "lightdash", "--port", "0", "--data", str(tmp_path / "shop.sqlite"))
    with running(*arguments) as process, client_at(announced(process)) as client:
        uuid = create(client, "Kept")
    with running(*arguments) as process, client_at(announced(process)) as client:
        assert client.get(f"{SPACES}/{uuid}").json()["results"]["name"] == "Kept"


def test_a_licence_and_a_bin_can_be_chosen_where_the_service_has_such_a_choice() -> None:
    agents = "/api/v1/projects/1a000000-0000-4000-8000-000000000001/aiAgents"
    options = ("--enterprise", "--soft-delete", "--port", "0")
    with running("sandbox", "lightdash", *options) as process, client_at(announced(process)) as client:
        assert client.get(agents).status_code == 200
        client.delete(f"{SPACES}/2a000000-0000-4000-8000-000000000001").raise_for_status()
        assert "trash/2a000000-0000-4000-8000-000000000001/name" in client.get("/_sandbox/state").json()
    with running("sandbox", "nextcloud", *options) as process:
        assert "does not know --enterprise and --soft-delete" in process.communicate(timeout=patience(30))[1]
