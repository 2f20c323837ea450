"""What is kept outlives what happens to servers: one is killed in the middle of something, or gets other keys."""

import subprocess
import sys
from pathlib import Path

import anyio
import pytest
from tests.kit.serving.processes import deadline
from tests.people.raw import Raw
from tests.people.stores import NOW, every_row, some_grant
from tests.people.team import BACKEND, Clock, deployed, passwords_of
from tests.people.web import plain

from aboveboard.kit.people import housekeeping, tokens
from aboveboard.kit.people.housekeeping import Rekeyed
from aboveboard.kit.people.sealing import Keys, new_line
from aboveboard.kit.people.store import Store
from aboveboard.nextcloud.sandbox import Sandbox

# Exchanges a code, and hangs where everything is written and nothing is settled.
HANGING = """
import sys
from aboveboard.kit.people.store import Store
from aboveboard.kit.people.tokens import take_code

def work(db):
    assert take_code(db, sys.argv[2], float(sys.argv[3])) is not None
    print("exchanged", flush=True)
    sys.stdin.read()

Store(sys.argv[1]).now_write(work)
"""


def test_a_server_that_is_killed_while_it_exchanges_a_code_has_spent_nothing(address: str) -> None:
    store = Store(address)
    grant = some_grant(store)
    code = store.now_write(lambda db: tokens.new_code(db, grant.id, "c", "https://r", explicit=True, now=NOW))
    before = every_row(store)
    command = [sys.executable, "-c", HANGING, address, code, str(NOW)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == b"exchanged\n"
        assert every_row(store) == before, "nobody sees what is not settled"
        server.kill()
    assert every_row(store) == before
    assert store.now_write(lambda db: tokens.take_code(db, code, NOW)) is not None
    store.close()


async def notes(raw: Raw, token: str) -> str:
    return (await raw.call(token, "tools/call", name="nc_notes_list_notes", arguments={})).text


@pytest.mark.anyio
async def test_everyone_stays_signed_in_when_the_old_key_is_gone(
    sandbox: Sandbox, address: str, tmp_path: Path
) -> None:
    file = tmp_path / "keys"
    async with plain() as http:
        async with deployed(sandbox, address, tmp_path) as team:
            token = (await Raw(team, http).signed_in("bob"))["access_token"]
        old, new = file.read_text(), new_line() + "\n"
        store = Store(address)
        for lines, found, rekeyed in ((new + old, True, Rekeyed(1, 0)), (new, True, Rekeyed(0, 0)), (old, False, None)):
            file.write_text(lines)
            async with deployed(sandbox, address, tmp_path, public_url=team.url) as restarted:
                assert ("Presents" in await notes(Raw(restarted, http), token)) is found
            if rekeyed is not None:
                ring = Keys.read(file)
                assert store.now_write(lambda db, ring=ring: housekeeping.rekey(db, ring, BACKEND)) == rekeyed
        store.close()


@pytest.mark.anyio
async def test_what_nobody_used_for_a_month_ends_by_itself_here_and_at_the_service(
    sandbox: Sandbox, address: str, tmp_path: Path
) -> None:
    clock, first = Clock(), passwords_of(sandbox.dump(), "bob")
    async with deployed(sandbox, address, tmp_path, clock=clock) as team, plain() as http:
        await Raw(team, http).signed_in("bob")
    assert len(passwords_of(sandbox.dump(), "bob")) == len(first) + 1
    clock.now += housekeeping.IDLE
    async with deployed(sandbox, address, tmp_path, clock=clock):
        with anyio.fail_after(deadline()):
            while passwords_of(sandbox.dump(), "bob") != first:  # noqa: ASYNC110 (nobody is told)
                await anyio.sleep(0.01)
    store = Store(address)
    assert every_row(store)["grants"] == []
    store.close()
