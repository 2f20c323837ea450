"""What our own servers for many people tell strangers: the auditor has nothing against it."""

from pathlib import Path

import pytest
from tests.people import lightdash
from tests.people.team import deployed

from aboveboard.audit.judge import applied_rules, judge
from aboveboard.audit.probe.sign_in import as_a_stranger
from aboveboard.audit.rule import Profile
from aboveboard.audit.rules import RULES
from aboveboard.nextcloud.sandbox import Sandbox


@pytest.mark.anyio
@pytest.mark.parametrize("make", [Sandbox, lightdash.Sandbox], ids=["nextcloud", "lightdash"])
async def test_no_rule_about_authorization_finds_anything(
    make: type[Sandbox] | type[lightdash.Sandbox], tmp_path: Path
) -> None:
    sandbox = make()
    async with deployed(sandbox, f"sqlite:///{tmp_path / 'team.db'}", tmp_path) as team:
        told = await as_a_stranger(f"{team.url}/mcp")
    sandbox.close()
    assert {rule for _, rule in applied_rules(told)} == {rule.id for rule in RULES if rule.id.startswith("AUT")}
    assert judge(told, list(Profile)) == []
