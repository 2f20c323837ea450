"""The audit log: a line per call that tells what was done, and never what was said."""

import json
import stat
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import anyio
import pytest
from mcp import Client
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from pydantic import Field
from tests.kit.shop import TEAPOT, ShopClient, Thing, both_eras, call, doing, refusal, serving, toolset

from aboveboard.effects import ADD, DELETE, READ
from aboveboard.errors import BadInput, NotFound
from aboveboard.kit.audit_log import AuditLog
from aboveboard.kit.mode import Mode
from aboveboard.kit.policy import Policy

pytestmark = pytest.mark.anyio

ERRORS: dict[str, Exception] = {
    "fail": NotFound("No teapot named hunter2.", status=404),
    "break": KeyError("hunter2"),
    "protocol": MCPError(code=-32050, message="hunter2"),
}


def audited(log: Path, policy: Policy | None = None) -> Server[None]:
    tools = toolset()

    @tools.tool("Order Thing", ADD, example=TEAPOT)
    async def order_thing(
        shop: ShopClient,
        name: Annotated[str, Field(description="Its name.", max_length=10)],
        password: Annotated[str | None, Field(description="Your password.")] = None,
    ) -> Thing:
        """Order it."""
        if name in ERRORS:
            raise ERRORS[name]
        return await shop.send("POST", body={"name": name})

    return serving(tools, policy=policy, audit_log=AuditLog(str(log)))


def lines(log: Path) -> list[dict[str, Any]]:
    text = log.read_text(encoding="utf-8")
    assert text.endswith("\n")
    return [json.loads(line) for line in text.splitlines()]


@both_eras
@pytest.mark.parametrize(
    ("arguments", "policy", "outcome"),
    [
        ({"name": "Mug", "password": "hunter2"}, Policy(), "ok"),
        ({"name": "hunter2hunter2"}, Policy(), "bad-input"),
        ({"nmae": "hunter2"}, Policy(), "bad-input"),
        ({"name": "fail"}, Policy(), "failed: NotFound"),
        ({"name": "break"}, Policy(), "bug"),
        ({"name": "hunter2"}, Policy(mode=Mode.READ_ONLY), "refused"),
        ({"name": "hunter2"}, Policy(dry_run=True), "dry-run"),
        ({}, Policy(), "bad-input"),
    ],
    ids=str,
)
async def test_every_call_leaves_one_line_without_any_value(
    arguments: dict[str, Any], policy: Policy, outcome: str, mode: str, tmp_path: Path
) -> None:
    log = tmp_path / "audit.ndjson"
    await call(audited(log, policy), "shop_order_thing", arguments, mode=mode)
    [line] = lines(log)
    assert datetime.fromisoformat(line.pop("time")).tzinfo is not None
    assert line.pop("ms") >= 0
    assert line == {
        "tool": "shop_order_thing",
        "effect": "ADD",
        "scope": "things.write",
        "arguments": sorted(arguments),
        "outcome": outcome,
        "subject": "local",
        "client": "mcp",
    }
    assert "hunter2" not in log.read_text()


@both_eras
async def test_an_error_of_the_protocol_is_logged_as_a_failure(mode: str, tmp_path: Path) -> None:
    log = tmp_path / "audit.ndjson"
    await refusal(audited(log), "shop_order_thing", {"name": "protocol"}, mode=mode)
    assert [line["outcome"] for line in lines(log)] == ["failed: MCPError"]


@both_eras
async def test_a_call_that_the_client_gives_up_is_logged_as_cancelled(mode: str, tmp_path: Path) -> None:
    log = tmp_path / "audit.ndjson"
    begun = anyio.Event()

    async def wait_for_ever(_: ShopClient) -> None:
        begun.set()
        await anyio.sleep_forever()

    server = serving(doing(DELETE, wait_for_ever), audit_log=AuditLog(str(log)))
    async with Client(server, mode=mode) as client, anyio.create_task_group() as tasks:
        tasks.start_soon(client.call_tool, "shop_do_it")
        await begun.wait()
        tasks.cancel_scope.cancel()
    assert [(line["tool"], line["effect"], line["outcome"]) for line in lines(log)] == [
        ("shop_do_it", "DELETE", "cancelled")
    ]


async def test_parallel_calls_leave_a_whole_line_each(tmp_path: Path) -> None:
    log = tmp_path / "audit.ndjson"
    async with Client(audited(log)) as client, anyio.create_task_group() as tasks:
        for number in range(50):
            tasks.start_soon(client.call_tool, "shop_order_thing", {"name": f"n{number}"})
    assert [line["outcome"] for line in lines(log)] == ["ok"] * 50


async def test_a_line_is_there_as_soon_as_the_answer_is(tmp_path: Path) -> None:
    log = tmp_path / "audit.ndjson"
    async with Client(audited(log)) as client:
        await client.call_tool("shop_order_thing", {"name": "Mug"})
        assert len(lines(log)) == 1
        await client.call_tool("shop_order_thing", {"name": "Mug"})
        assert len(lines(log)) == 2


async def test_a_log_is_for_its_owner_only_and_grows(tmp_path: Path) -> None:
    log = tmp_path / "audit.ndjson"
    for count in (1, 2):
        await call(audited(log), "shop_order_thing", {"name": "Mug"})
        assert len(lines(log)) == count
    assert stat.S_IMODE(log.stat().st_mode) == 0o600


@pytest.mark.parametrize("at", ["", "missing/audit.ndjson"])
def test_a_log_that_cannot_be_written_stops_the_start_with_a_sentence(at: str, tmp_path: Path) -> None:
    target = str(tmp_path / at)
    with pytest.raises(BadInput) as told:
        AuditLog(target)
    assert str(told.value).startswith(f"The audit log {target!r} cannot be written: ")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
@both_eras
async def test_a_full_disk_does_not_take_the_answer_of_what_was_done(
    mode: str, caplog: pytest.LogCaptureFixture
) -> None:
    result = await call(audited(Path("/dev/full")), "shop_order_thing", {"name": "Mug"}, mode=mode)
    assert result.structured_content == {"name": "Teapot"}
    (told,) = caplog.records
    assert told.message == (
        "The audit log cannot be written: No space left on device; it lacks a call of shop_order_thing."
    )
    assert told.exc_info is None, "a sentence, and no traceback"


async def test_the_log_can_go_to_stderr_which_stays_open(capsys: pytest.CaptureFixture[str]) -> None:
    async def nothing(_: ShopClient) -> None: ...

    for _ in range(2):
        await call(serving(doing(READ, nothing), audit_log=AuditLog("-")))
    printed = capsys.readouterr()
    assert [json.loads(line)["scope"] for line in printed.err.splitlines()] == ["things.read"] * 2
    assert printed.out == ""
