"""`aboveboard sandbox` on a socket: anyone's client can use it, reset it and look at its state."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx2
from tests.cli.command import announced, running

from aboveboard.lightdash.sandbox import Sandbox

SPACES = "/api/v1/projects/1a000000-0000-4000-8000-000000000001/spaces"


def client_at(line: str) -> httpx2.Client:
    """Connect to the announced address with the announced token."""
    address, token = line.split("; to use it: export ")[0], line.rpartition("LIGHTDASH_API_KEY=")[2].strip()
    return httpx2.Client(base_url=address.split()[-1], headers={"authorization": f"ApiKey {token}"})


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


def test_it_listens_on_this_machine_only_and_ends_quietly_when_asked() -> None:
    with running("sandbox", "lightdash", "--port", "0") as process:
        line = announced(process)
        assert " http://127.0.0.1:" in line
        process.terminate()
        out, err = process.communicate(timeout=30)
    assert (out, err) == ("", "")


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
        assert "does not know --enterprise and --soft-delete" in process.communicate(timeout=30)[1]
