"""A team's server as an operator runs it: real processes, a balancer that knows no sessions, an operator's commands."""

import subprocess
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from anyio import to_thread
from tests.audit.verify.stores.services import redis
from tests.cli.command import in_process
from tests.people.processes import Deployment, alone, balanced, people_of
from tests.people.raw import VERIFIER, Raw, landed_on
from tests.people.team import Assistant, agree
from tests.people.web import plain
from tests.sessions import ERAS, Era, text_of

from aboveboard.cli.terminal import widest_line
from aboveboard.kit.people import grants
from aboveboard.kit.people.sealing import Keys, new_line
from aboveboard.kit.people.settings import PeopleSettings
from aboveboard.kit.people.sign_in_mode import SignInMode
from aboveboard.kit.people.store import Store

pytestmark = pytest.mark.anyio
TOKENS = ("access_token", "refresh_token")
NOTES: dict[str, Any] = {"name": "nc_notes_list_notes", "arguments": {}}


Operate = Callable[..., Awaitable[subprocess.CompletedProcess[str]]]


@pytest.fixture
def operate(capsys: pytest.CaptureFixture[str]) -> Operate:
    """Run an operator's command beside the server, on a thread of its own as it has a loop of its own."""

    async def command(deployment: Deployment, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
        run = partial(in_process, "people", *words, settings={**deployment.settings, **more}, capsys=capsys)
        return await to_thread.run_sync(run)

    return command


def passwords(deployment: Deployment, user: str) -> int:
    return len([key for key in deployment.state() if key.startswith(f"users/{user}/app_passwords/")]) - 1


async def test_an_operator_sees_rekeys_ends_and_forgets_people(tmp_path: Path, operate: Operate) -> None:
    with alone(tmp_path) as deployment:
        team = people_of(deployment)
        assert (await operate(deployment, "list", "nextcloud")).stdout == "Nobody has access now.\n"
        ada, bob = Assistant(team, "admin", name="Claude"), Assistant(team, "bob", name="Cursor")
        async with ada.connected() as hers, bob.connected() as his:
            assert "Presents" in text_of(await his.call_tool("nc_notes_list_notes", {}))
            assert "Presents" not in text_of(await hers.call_tool("nc_notes_list_notes", {}))
        listed = (await operate(deployment, "list", "nextcloud")).stdout
        assert "Claude" in listed
        assert "Cursor" in listed
        assert "read-only" in listed
        narrow = (await operate(deployment, "list", "nextcloud", COLUMNS="80")).stdout
        assert max(map(widest_line, narrow.splitlines())) <= 80 < widest_line(listed)
        typed = [line.split()[:2] for line in listed.splitlines()]
        assert [line.split()[:2] for line in narrow.splitlines()][: len(typed)] == typed, "what is typed is not cut"
        assert "no room for" in narrow

        keys = tmp_path / "people.keys"
        keys.write_text(f"{new_line()}\n{keys.read_text()}")
        assert "Sealed 2 credentials" in (await operate(deployment, "rekey", "nextcloud")).stdout
        keys.write_text(keys.read_text().splitlines()[0] + "\n")
        assert "Sealed 0 credentials" in (await operate(deployment, "rekey", "nextcloud")).stdout

        assert passwords(deployment, "bob") == 1
        assert (
            "Ended 1 grant of bob. Nothing of it is left at the service."
            in (await operate(deployment, "end", "nextcloud", "bob")).stdout
        )
        assert passwords(deployment, "bob") == 0
        wrong = await operate(deployment, "forget", "nextcloud", "nobody")
        assert wrong.returncode == 2
        assert "has no person 'nobody'" in wrong.stderr
        assert "Forgot admin" in (await operate(deployment, "forget", "nextcloud", "admin")).stdout
        assert passwords(deployment, "admin") == 0
        assert (await operate(deployment, "list", "nextcloud")).stdout == "Nobody has access now.\n"
        elsewhere = await operate(deployment, "list", "nextcloud", "--store", str(tmp_path / "typo.db"))
        assert elsewhere.returncode == 2
        assert "There is no file" in elsewhere.stderr
        assert not (tmp_path / "typo.db").exists()


@pytest.mark.parametrize("era", ERAS)
async def test_two_replicas_behind_a_balancer_without_sticky_sessions_serve_two_people(
    tmp_path: Path, era: Era, postgres_server: str
) -> None:
    settings = {"ABOVEBOARD_STORE": postgres_server, "MCP_STATELESS": "true"}
    with redis() as limits:
        async with balanced(tmp_path, 2, **settings, ABOVEBOARD_LIMITS=limits) as (deployment, balancer):
            team = people_of(deployment)
            ada, bob = Assistant(team, "admin"), Assistant(team, "bob")
            async with ada.connected(era) as hers, bob.connected(era) as his:
                for _ in range(3):
                    assert "Presents" not in text_of(await hers.call_tool("nc_notes_list_notes", {}))
                    assert "Presents" in text_of(await his.call_tool("nc_notes_list_notes", {}))
            assert (ada.sign_ins, bob.sign_ins) == (1, 1)
            assert min(balancer.sent) > 15, balancer.sent


async def test_limits_in_redis_count_for_all_replicas_together(tmp_path: Path) -> None:
    settings = {"MCP_STATELESS": "true", "ABOVEBOARD_CALLS_A_MINUTE": "4"}
    with redis() as limits:
        async with (
            balanced(tmp_path, 2, **settings, ABOVEBOARD_LIMITS=limits) as (deployment, _),
            Assistant(people_of(deployment), "bob").connected() as his,
        ):
            said = [text_of(await his.call_tool("nc_get_context", {})) for _ in range(6)]
    assert [("calls a minute" in one) for one in said][-1] is True
    assert "calls a minute" not in said[0]
    assert "Try again in" in said[-1]


async def test_no_line_of_the_log_holds_a_secret(tmp_path: Path) -> None:
    secrets = {"state": "a-state-of-the-client", "verifier": VERIFIER, "made up": "ab_at_made-up-by-nobody"}
    with alone(tmp_path, ABOVEBOARD_AUDIT_LOG="-") as deployment:
        async with plain() as http, people_of(deployment).browser() as browser:
            raw = Raw(people_of(deployment), http)
            await raw.register()
            landed = await agree(raw.team, browser, raw.authorize_url(state=secrets["state"]), "bob")
            secrets["code"] = landed_on(landed)["code"]
            secrets |= {f"cookie {cookie.name}": cookie.value or "" for cookie in browser.cookies.jar}
            await raw.exchange(secrets["code"], code_verifier="w" * 64)
            first = (await raw.exchange(secrets["code"])).json()
            second = (await raw.refresh(first["refresh_token"])).json()
            secrets |= {f"{name} {pair[name]}": pair[name] for pair in (first, second) for name in TOKENS}
            page = await browser.get(raw.authorize_url(), follow_redirects=True)
            secrets["sign-in"] = str(page.url).rpartition("/")[2]
            secrets |= password_of(deployment)
            called = [
                await raw.call(token, "tools/call", **NOTES) for token in (second["access_token"], "ab_at_made-up")
            ]
            assert [answer.status_code for answer in called] == [200, 401]
            await browser.delete(
                f"{deployment.backend}/ocs/v2.php/core/apppassword",
                headers={"OCS-APIRequest": "true"},
                auth=("bob", secrets["password"]),
            )
            dead = await raw.call(second["access_token"], "tools/call", **NOTES)
            assert "no longer accepts" in dead.text
            assert (await raw.call(second["access_token"], "tools/call", **NOTES)).status_code == 401
        (log,) = deployment.logs
        log.wait_for('"nc_notes_list_notes"')
        told = log.text
    assert len(secrets) > 10
    assert {name: value for name, value in secrets.items() if value in told} == {}


def password_of(deployment: Deployment) -> dict[str, str]:
    """Return the app password of the one grant that there is."""
    store, keys = Store(deployment.settings["ABOVEBOARD_STORE"]), deployment.settings["ABOVEBOARD_STORE_KEYS"]
    (grant,) = store.now_read(lambda db: grants.everyone(db, deployment.backend))
    store.close()
    return {"password": Keys.read(Path(keys)).open(grant.credential, grant.id)["password"]}


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"ABOVEBOARD_PUBLIC_URL": ""}, "ABOVEBOARD_PUBLIC_URL"),
        ({"ABOVEBOARD_PUBLIC_URL": "http://mcp.example.org"}, "https://"),
        ({"ABOVEBOARD_PUBLIC_URL": "https://mcp.example.org/path"}, "without a path"),
        ({"MCP_TRANSPORT": "stdio"}, "streamable-http"),
        ({"ABOVEBOARD_STORE": "mysql://x"}, "ABOVEBOARD_STORE"),
        ({"ABOVEBOARD_LIMITS": "memcached://x"}, "ABOVEBOARD_LIMITS"),
        ({"NEXTCLOUD_HOST": ""}, "NEXTCLOUD_HOST"),
    ],
)
def test_a_wrong_setting_stops_the_start_with_a_sentence(
    settings: dict[str, str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = {
        "NEXTCLOUD_HOST": "http://127.0.0.1:1",
        "ABOVEBOARD_SIGN_IN": "connect",
        "ABOVEBOARD_PUBLIC_URL": "https://mcp.example.org",
        "ABOVEBOARD_STORE": str(tmp_path / "db"),
        "ABOVEBOARD_STORE_KEYS": str(tmp_path / "keys"),
        "MCP_TRANSPORT": "streamable-http",
    }
    ended = in_process("serve", "nextcloud", "--port", "0", settings=good | settings, capsys=capsys)
    assert ended.returncode == 2, ended.stderr
    assert told in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_start_says_where_people_and_keys_are(tmp_path: Path) -> None:
    unsaid = {"ABOVEBOARD_STORE": "", "ABOVEBOARD_STORE_KEYS": "", "XDG_STATE_HOME": str(tmp_path)}
    with alone(tmp_path, **unsaid) as deployment:
        (log,) = deployment.logs
        log.wait_for(r"--store-keys\)\.\n")
    place = tmp_path / "aboveboard" / "nextcloud-people"
    assert f"People are kept in {place}.db (--store), and the keys in {place}.keys (--store-keys).\n" in log.text
    assert place.with_suffix(".db").exists()
    assert place.with_suffix(".keys").exists()


def test_the_address_of_a_database_is_not_told_since_it_may_hold_a_password() -> None:
    settings = PeopleSettings(mode=SignInMode.CONNECT, store="postgresql://me:hunter2@db/people", store_keys="/k")
    assert (
        settings.kept_at("nextcloud") == "People are kept in the database (--store), and the keys in /k (--store-keys)."
    )
