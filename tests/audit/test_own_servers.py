"""Our own servers have nothing said against them that is not justified here, whoever reads them."""

import pytest

from aboveboard.audit.evidence import Fleet, Server
from aboveboard.audit.judge import judge, pieces
from aboveboard.audit.probe import OWN, Options, read, targets
from aboveboard.audit.rule import Profile, Severity

JUSTIFIED = {
    (Profile.STRICT, "SIZ01"): "the whole product in one server; --toolsets switches groups of tools off",
}
NOTED = {
    "ANN05": "all four hints are stated on every tool, as strict and OpenAI want",
    "ANN11": "creating is additive by the specification, and destructive for Anthropic",
    "DSC03": "an example answer in the description is worth more than a cap that is only reported",
    "SIZ02": "--toolsets core is for clients that load fewer tools",
}


@pytest.fixture(scope="module", params=OWN)
def server(request: pytest.FixtureRequest) -> Server:
    (read_server,) = read(targets(request.param, Options()), Options())
    assert isinstance(read_server, Server), read_server
    return read_server


@pytest.mark.parametrize("profile", list(Profile))
def test_our_servers_have_no_warning_that_is_not_justified(server: Server, profile: Profile) -> None:
    found = judge(pieces(Fleet([server])), [profile])
    heavy = [one for one in found if one.severity is not Severity.INFO and (profile, one.rule) not in JUSTIFIED]
    assert [f"{one.rule} {one.tool}: {one.message}" for one in heavy] == []


def test_what_is_noted_of_our_servers_is_known_and_meant(server: Server) -> None:
    found = judge(pieces(Fleet([server])), list(Profile))
    assert {one.rule for one in found if one.severity is Severity.INFO} <= NOTED.keys()
