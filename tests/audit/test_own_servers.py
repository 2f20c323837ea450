"""Our own servers have nothing said against them that is not justified here, whoever reads them."""

from typing import Any

import pytest
from tests.patience import patience

from aboveboard.audit.evidence import Fleet, Server, Tool
from aboveboard.audit.judge import evidence_pieces, judge
from aboveboard.audit.probe import OWN, Conversation, Era
from aboveboard.audit.rule import Profile, Severity
from aboveboard.audit.verify.in_process import MemoryWire
from aboveboard.cli.options import Choice
from aboveboard.cli.services import NAMES, server_module
from aboveboard.kit.caller import Caller
from aboveboard.kit.mode import Mode
from aboveboard.kit.policy import Policy
from aboveboard.kit.provider import OneClient
from aboveboard.kit.server import build_server
from aboveboard.kit.service import Catalogue

JUSTIFIED = {
    **dict.fromkeys(((profile, "SIZ01") for profile in Profile), "the whole product in one server; --toolsets chooses"),
    **dict.fromkeys(((profile, "SIZ02") for profile in Profile), "--toolsets auto: clients that take few get the core"),
}
NOTED = {
    "ANN05": "all four hints are stated on every tool, as strict and OpenAI want",
    "ANN11": "creating is additive by the specification, and destructive for Anthropic",
    "DSC03": "an example answer in the description is worth more than a cap that is only reported",
    "SIZ02": "--toolsets core is for clients that load fewer tools",
}


async def surveyed(name: str) -> Server:
    """Read one of our servers as `aboveboard serve --sandbox` builds it."""
    choice = Choice(service=name, sandbox=True)
    wire = MemoryWire(build_server(choice.catalogue(), OneClient(choice.client())))
    try:
        talk = Conversation(wire, name)
        await talk.begin(Era.AUTO, patience(10))
        return await talk.survey(listings=2)
    finally:
        await wire.aclose()


def test_the_auditor_knows_the_servers_that_the_commands_know() -> None:
    assert OWN == NAMES


@pytest.mark.anyio
async def test_nothing_is_said_against_our_servers_that_is_not_justified_or_known() -> None:
    against: list[str] = []
    for server in [await surveyed(name) for name in OWN]:
        for profile in Profile:
            found = judge(evidence_pieces(Fleet([server])), [profile])
            heavy = [one for one in found if one.severity is not Severity.INFO and (profile, one.rule) not in JUSTIFIED]
            light = [one for one in found if one.severity is Severity.INFO and one.rule not in NOTED]
            against += [f"{server.name} {profile} {one.rule} {one.tool}: {one.message}" for one in (*heavy, *light)]
    assert against == []


def read(name: str, policy: Policy, client: str | None = None) -> Server:
    """Take what one of our servers lists to a client, as it stands on the wire."""
    catalogue = Catalogue[Any](server_module(name).SERVICE, policy)
    listed = catalogue.definitions(Caller(client=client))
    tools = [Tool(one.model_dump(by_alias=True, mode="json", exclude_none=True), name) for one in listed]
    return Server(name, tools)


def heavy(servers: list[Server], profiles: list[Profile]) -> set[str]:
    found = judge(evidence_pieces(Fleet(servers)), profiles)
    return {f"{one.profile} {one.rule} {one.tool}: {one.message}" for one in found if one.severity is Severity.ERROR}


def test_no_platform_refuses_any_tool_in_any_mode_whichever_areas_are_on() -> None:
    refused: set[str] = set()
    for name in OWN:
        areas = [toolset.area for toolset in server_module(name).SERVICE.toolsets]
        everyone = [one for one in Profile if one is not Profile.CURSOR]
        for policy in (Policy(toolsets=areas), Policy(toolsets=areas, dry_run=True), Policy(mode=Mode.READ_ONLY)):
            refused |= heavy([read(name, policy)], everyone)
    assert refused == set()


def test_both_servers_together_fit_into_cursor_in_every_mode() -> None:
    for mode in Mode:
        servers = [read(name, Policy(mode=mode), client="cursor-vscode") for name in OWN]
        assert sum(len(one.tools) for one in servers) in range(20, 41)
        assert heavy(servers, [Profile.CURSOR]) == set()
