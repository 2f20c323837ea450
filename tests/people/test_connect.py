"""Signing in at one's own Nextcloud, with the SDK's OAuth client, in both eras of the protocol."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from tests.kit.serving.exchange import ACCEPT  # pyright: ignore[reportPrivateImportUsage]
from tests.notebook import Notebook
from tests.people.raw import Raw
from tests.people.stores import legacy_on_postgres, legacy_on_sqlite
from tests.people.team import Assistant, deployed
from tests.people.web import plain
from tests.sessions import Era, text_of

from aboveboard.kit.audit_log import AuditLog
from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio
FULL = (("mode", "full"),)


async def notes(client: Client) -> str:
    return text_of(await client.call_tool("nc_notes_list_notes", {}))


async def listed(client: Client) -> set[str]:
    return {tool.name for tool in (await client.list_tools()).tools}


@legacy_on_sqlite
async def test_two_people_sign_in_and_each_sees_their_own(
    sandbox: Sandbox, address: str, tmp_path: Path, era: Era
) -> None:
    async with deployed(sandbox, address, tmp_path) as team:
        ada, bob = Assistant(team, "admin"), Assistant(team, "bob")
        async with ada.connected(era) as hers, bob.connected(era) as his:
            for _ in range(2):
                assert "Presents" not in await notes(hers)
                assert "Presents" in await notes(his)
        assert (ada.sign_ins, bob.sign_ins) == (1, 1)
        async with bob.connected(era) as again:
            assert "Presents" in await notes(again)
        assert bob.sign_ins == 1


@legacy_on_postgres
async def test_what_was_granted_decides_what_is_listed(
    sandbox: Sandbox, address: str, tmp_path: Path, era: Era
) -> None:
    async with deployed(sandbox, address, tmp_path) as team:
        async with Assistant(team, "bob").connected(era) as reading:
            names = await listed(reading)
            assert {"check_logged_in", "nc_notes_get_note", "nc_webdav_read_file"} <= names
            assert not names & {"nc_notes_create_note", "nc_webdav_delete_resource", "revoke_nextcloud_access"}
        async with Assistant(team, "bob", FULL).connected(era) as writing:
            assert {"nc_notes_create_note", "revoke_nextcloud_access"} <= await listed(writing)
        async with Assistant(team, "bob", (("mode", "additive"), ("area", "notes"))).connected(era) as adding:
            names = await listed(adding)
            assert "nc_notes_create_note" in names
            assert not names & {"nc_notes_delete_note", "nc_webdav_read_file"}


async def test_the_audit_log_names_person_client_and_grant(sandbox: Sandbox, address: str, tmp_path: Path) -> None:
    log = tmp_path / "audit"
    async with (
        deployed(sandbox, address, tmp_path, observers=[AuditLog(str(log))]) as team,
        Assistant(team, "bob", name="Claude").connected() as client,
    ):
        await notes(client)
    (line,) = [json.loads(line) for line in log.read_text().splitlines()]
    assert (line["subject"], line["client"]) == ("bob", "Claude")
    assert line["grant"]


async def test_observers_are_told_of_every_request_to_nextcloud_whatever_it_is_sent_for(
    sandbox: Sandbox, address: str, tmp_path: Path
) -> None:
    notebook = Notebook()
    async with deployed(sandbox, address, tmp_path, observers=[notebook]) as team:
        async with Assistant(team, "bob").connected() as client:
            signing_in = len(team.arrived)
            await listed(client)
            await notes(client)
        assert 0 < signing_in < len(team.arrived)
        sent = [request.method for request in team.arrived]
    assert Counter(one.method for one in notebook.requests) == Counter(sent)


async def test_a_call_that_the_door_refuses_is_in_the_audit_log_too(
    sandbox: Sandbox, address: str, tmp_path: Path
) -> None:
    log = tmp_path / "audit"
    params: dict[str, Any] = {"name": "nc_webdav_list_directory", "arguments": {"path": "hunter2"}}
    async with deployed(sandbox, address, tmp_path, observers=[AuditLog(str(log))]) as team, plain() as http:
        raw = Raw(team, http)
        token = (await raw.signed_in("bob", ("mode", "full"), ("area", "notes")))["access_token"]
        old = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        headers = {**ACCEPT, "authorization": f"Bearer {token}"}
        legacy = await http.post(f"{team.url}/mcp", json=old, headers=headers)
        assert (legacy.status_code, (await raw.call(token, "tools/call", **params)).status_code) == (403, 403)
    told = [json.loads(line) for line in log.read_text().splitlines()]
    named = ("tool", "effect", "scope", "arguments", "outcome", "subject", "client")
    wanted = ["nc_webdav_list_directory", "READ", "files.read", ["path"], "refused", "bob", "Raw"]
    assert [[line[name] for name in named] for line in told] == [wanted] * 2
    assert all(line["grant"] for line in told)
    assert "hunter2" not in log.read_text()
