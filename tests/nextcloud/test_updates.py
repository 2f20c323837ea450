"""What the plan says of updates, and what it cannot: that a thing is the same at another place, or when it comes back.

That of a thing with all fields set a call changes the one it is asked to, and no other, is proven by test_proof.py.
"""

from typing import Any, Final

import pytest
from tests.nextcloud.calls import VALUES
from tests.nextcloud.odd_things import ODD_FILE, bring
from tests.nextcloud.sessions import TOOLS, connected, facts, serving
from tests.plans import case_of, good_cases

from aboveboard.audit.verify.plan import Case
from aboveboard.audit.verify.values import fill_values
from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio

FILE: Final[str] = VALUES["odd_file"]
_NOTES: Final = "files/admin/Notes/Ünï"
_RECIPES: Final = "files/admin/Recipes"
MOVES: Final = {
    ODD_FILE: (f"files/admin/{FILE}/", f"files/admin/{FILE}.moved/"),
    ("nc_notes_update_note", "the title of an odd one"): (f"{_NOTES}/Sub/Ödd.txt/", f"{_NOTES}/Sub/Other.txt/"),
    ("nc_notes_update_note", "the category of an odd one"): (f"{_NOTES}/Sub/Ödd.txt/", f"{_NOTES}/Other/Ödd.txt/"),
    ("nc_cookbook_update_recipe", "the name of an odd one"): (f"{_RECIPES}/Ödd stew/", f"{_RECIPES}/Other stew/"),
    ("nc_calendar_bulk_move_events", "an odd one"): (
        "calendars/admin/personal/objects/odd.ics/",
        "calendars/admin/team/objects/odd.ics/",
    ),
}
"""Cases that move something: where its facts are before, and after."""


def _telling(tool: str) -> list[Case]:
    """Return the cases that say all that they change."""
    return [case for case in good_cases("nextcloud", tool) if case.changes is not None]


_OF_DECK: Final = ("deck_update_board", "deck_update_stack", "deck_update_label", "deck_update_card")
_OF_TABLES: Final = ("nc_tables_update_table", "nc_tables_update_column")


@pytest.mark.parametrize(
    "tool", ["nc_notes_update_note", "nc_share_update", "nc_cookbook_update_recipe", *_OF_DECK, *_OF_TABLES]
)
def test_every_field_that_can_be_left_out_is_changed_alone(tool: str) -> None:
    schema: dict[str, Any] = TOOLS[tool].input_schema
    optional = schema["properties"].keys() - set(schema["required"]) - {"table_id"}  # which says where a column is
    changed = [case.arguments.keys() & optional for case in _telling(tool)]
    assert {name for names in changed for name in names} == optional
    assert all(len(names) == 1 for names in changed)


def test_every_field_of_a_contact_is_changed_alone() -> None:
    schema: dict[str, Any] = TOOLS["nc_contacts_update_contact"].input_schema
    fields = schema["properties"]["contact_data"]["properties"].keys()
    changes = [case.arguments["contact_data"] for case in _telling("nc_contacts_update_contact")]
    assert {name for one in changes if len(one) == 1 for name in one} == fields


@pytest.mark.parametrize("case", MOVES, ids=" ".join)
async def test_what_is_moved_is_all_there_at_its_new_place(sandbox: Sandbox, case: tuple[str, str]) -> None:
    """In the plan, the old place and the new one change as a whole.

    But for the properties that some program made up for itself: of what an app moves, Nextcloud keeps these for a path.
    """
    old, new = MOVES[case]
    known = await bring(sandbox, *case)
    before = _below(facts(sandbox), old)
    if case[0] in ("nc_notes_update_note", "nc_cookbook_update_recipe"):
        before = {key: value for key, value in before.items() if "properties/" not in key}
    async with connected(serving(sandbox)) as session:
        await session.ask(case[0], **fill_values(dict(case_of("nextcloud", *case).arguments), known))
    assert before
    assert _below(facts(sandbox), old) == {}
    assert _below(facts(sandbox), new) == before


def _below(state: dict[str, object], place: str) -> dict[str, object]:
    """Pick what is below a place; the text of a recipe has its name in it, and is another one."""
    found = {key.removeprefix(place): value for key, value in state.items() if key.startswith(place)}
    return {key: value for key, value in found.items() if not key.startswith("recipe.json/")}


async def test_what_was_deleted_comes_back_with_all_that_it_had(sandbox: Sandbox) -> None:
    """But for the properties that some program made up for itself: Nextcloud keeps these for a path."""
    await bring(sandbox, *ODD_FILE)
    before = facts(sandbox)
    made_up = [key for key in before if key.startswith(f"files/admin/{FILE}/properties/")]
    assert made_up
    async with connected(serving(sandbox)) as session:
        await session.ask("nc_webdav_delete_resource", path=FILE)
        key = (await session.ask("nc_webdav_list_trash"))["items"][0]["key"]
        await session.ask("nc_webdav_restore_from_trash", trash_key=key)
    assert facts(sandbox) == {key: value for key, value in before.items() if key not in made_up}


@pytest.mark.parametrize("tool", ["nc_webdav_copy_resource", "nc_webdav_move_resource"])
async def test_what_gave_way_to_a_copy_or_move_comes_back_with_all_that_it_had(sandbox: Sandbox, tool: str) -> None:
    """Its shares, comments, tags and star go with it into the bin, and what came has none of them."""
    await bring(sandbox, *ODD_FILE)
    before = _of_the_file(facts(sandbox))
    async with connected(serving(sandbox)) as session:
        await session.ask("nc_webdav_write_file", path="plain.txt", content="plain")
        places = {"source_path": "plain.txt", "destination_path": FILE}
        done = await session.ask(tool, **places, overwrite=True)
        now = _of_the_file(facts(sandbox))
        assert (now[f"files/admin/{FILE}/content"], now.get(f"files/admin/{FILE}/favorite/admin")) == ("plain", None)
        assert (await session.ask("nc_share_list", path=FILE))["items"] == []
        await session.ask("nc_webdav_delete_resource", path=FILE)
        await session.ask("nc_webdav_restore_from_trash", trash_key=done["trash_key"])
        assert len((await session.ask("nc_share_list", path=FILE))["items"]) == 2
    assert _of_the_file(facts(sandbox)) == before


def _of_the_file(state: dict[str, object]) -> dict[str, object]:
    """Pick what is known of the file, but for what some program made up for itself."""
    mine = (f"files/admin/{FILE}/", "shares/", "tags/", "comments/")
    return {key: value for key, value in state.items() if key.startswith(mine) and "/properties/" not in key}
