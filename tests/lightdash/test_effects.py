"""What some tools change, fact by fact; that each does what its hints say is proven in test_proof."""

from typing import Any

import pytest
from tests.lightdash.sessions import connected, facts, serving

from aboveboard.kit.gone import FOR_GOOD
from aboveboard.lightdash.sandbox import Sandbox

pytestmark = pytest.mark.anyio

MAIN = "1a000000-0000-4000-8000-000000000001"
CONTENT = ("spaces/", "charts/", "dashboards/")
SALES, WEEKLY, ARCHIVE = (f"2a000000-0000-4000-8000-{number:012d}" for number in (1, 2, 3))


@pytest.mark.surprise(12)
async def test_creating_a_space_adds_its_facts_alone_and_the_same_call_adds_another_of_that_name(
    sandbox: Sandbox,
) -> None:
    before = facts(sandbox)
    async with connected(serving(sandbox)) as session:
        first = await session.ask("create_space", project_uuid=MAIN, name="Büro 📈")
        once = facts(sandbox)
        second = await session.ask("create_space", project_uuid=MAIN, name="Büro 📈")
    added = {key: value for key, value in facts(sandbox).items() if key not in before}
    assert before.items() <= once.items() <= facts(sandbox).items()
    assert first["uuid"] != second["uuid"]
    assert all(first["uuid"] in key or second["uuid"] in key for key in added)
    assert [added[f"spaces/{space['uuid']}/name"] for space in (first, second)] == ["Büro 📈"] * 2
    # Private unless said otherwise, as the description promises.
    assert added[f"spaces/{first['uuid']}/inherits"] is False
    assert not first["inherit_parent_permissions"]


@pytest.mark.parametrize(
    ("change", "changed"),
    [
        ({"name": "Sold"}, {"name": "Sold"}),
        ({"inherit_permissions": False}, {"inherits": False}),
        ({"name": "Sold", "inherit_permissions": False}, {"name": "Sold", "inherits": False}),
        ({"name": "Sales"}, {}),
    ],
)
async def test_updating_a_space_changes_what_was_asked_for_and_nothing_else(
    sandbox: Sandbox, change: dict[str, Any], changed: dict[str, Any]
) -> None:
    before = facts(sandbox)
    async with connected(serving(sandbox)) as session:
        answer = await session.ask("update_space", project_uuid=MAIN, space_uuid=SALES, **change)
        once = facts(sandbox)
        assert await session.ask("update_space", project_uuid=MAIN, space_uuid=SALES, **change) == answer
    assert once == before | {f"spaces/{SALES}/{field}": value for field, value in changed.items()}
    assert facts(sandbox) == once
    assert answer["uuid"] == SALES


@pytest.mark.surprise(43)
async def test_deleting_a_space_takes_along_all_that_is_in_it_and_a_second_call_is_an_error_that_changes_nothing(
    sandbox: Sandbox,
) -> None:
    before = facts(sandbox)
    inside = {SALES, WEEKLY, ARCHIVE}
    content = {
        key.split("/")[1]
        for key, value in before.items()
        if key.startswith(CONTENT) and key.endswith("/space") and value in inside
    }
    async with connected(serving(sandbox)) as session:
        answer = await session.ask("delete_space", project_uuid=MAIN, space_uuid=SALES)
        once = facts(sandbox)
        text = await session.refusal("delete_space", project_uuid=MAIN, space_uuid=SALES)
    assert (answer["uuid"], answer["gone"], answer["to_get_back"]) == (SALES, "Sales", FOR_GOOD)
    gone = before.keys() - once.keys()
    assert {key.split("/")[1] for key in gone if key.startswith(CONTENT)} == inside | content
    assert len(content) > 5
    assert once.keys() <= before.keys()
    # A dashboard elsewhere keeps its tile of a chart that is gone, and the tile no longer names it.
    emptied = {key: value for key, value in once.items() if before[key] != value}
    assert all(key.startswith("tiles/") and key.endswith("/chart") and value is None for key, value in emptied.items())
    assert SALES in text
    assert facts(sandbox) == once
