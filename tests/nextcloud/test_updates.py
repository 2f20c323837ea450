"""Every tool that changes something: of a thing with all fields set, it changes the one it is asked to, and no other.

What is made anew or taken away is left out here, each with its reason; the proof of the plan watches those.
"""

import re
from base64 import b64encode
from collections.abc import Sequence
from typing import Any, Final, cast

import pytest
from tests.nextcloud import odd_deck as deck
from tests.nextcloud import table_updates as tables
from tests.nextcloud.odd_things import CARD, FILE, LATIN, NOTE, Odd, make_odd_things
from tests.nextcloud.sessions import TOOLS, connected, facts, serving
from tests.nextcloud.update import Update

from aboveboard.effects import DELETE
from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio

_FILE: Final = re.escape(f"files/admin/{FILE}")
_NOTE: Final = re.escape(f"files/admin/{NOTE}")
# A write keeps what was there as a version, and a checksum that a client gave for the old bytes is no longer true.
_WRITTEN: Final = ("content", r"versions/\d+/(content|label)", "checksum")


def of_file(*changes: str, **arguments: Any) -> Update:
    return Update({"path": FILE, **arguments}, [f"{_FILE}/{one}" for one in changes])


def of_note(*changes: str, **arguments: Any) -> Update:
    return Update({"note_id": "{note}", **arguments}, changes)


def of_share(number: str, change: str, **arguments: Any) -> Update:
    return Update({"share_id": f"{{{number}}}", **arguments}, [f"shares/{{{number}}}/{change}"])


def of_task(*changes: str, **arguments: Any) -> Update:
    """Change a task with everything set."""
    lines = [re.escape(f"calendars/admin/tasks/objects/odd.ics/VTODO/{one}") for one in changes]
    return Update({"calendar_name": "tasks", "todo_uid": "odd-task", **arguments}, lines)


def of_event(*changes: str, **arguments: Any) -> Update:
    """Change an event with everything set; the lines that may change are those of the series."""
    given = {"calendar_name": "personal", "event_uid": "odd-event", **arguments}
    at = "calendars/admin/personal/objects/odd.ics/"
    return Update(given, [re.escape(f"{at}{one}") for one in changes])


def of_contact(*changes: str, **fields: Any) -> Update:
    lines = [re.escape(f"contacts/admin/contacts/{CARD}/{one}") for one in changes]
    return Update({"addressbook": "contacts", "uid": "odd-card", "contact_data": fields}, lines)


def of_recipe(*changes: str, **arguments: Any) -> Update:
    """A change of a recipe, which is a file in the folder of its name."""
    file = "files/admin/Recipes/Ödd stew/recipe\\.json"
    written = ["content", r"versions/\d+/(content|label)"]
    fields = [f"cookbook/admin/recipes/{{recipe}}/{one}" for one in changes]
    files = [f"{file}/{one}" for one in written]
    # The app adds what it shows with every recipe when it is sent back.
    return Update(
        {"recipe_id": "{recipe}", **arguments}, [*fields, *files, "cookbook/admin/recipes/{recipe}/printImage"]
    )


def of_item(change: str, **arguments: Any) -> Update:
    return Update(arguments, [f"news/admin/items/{{item}}/{change}"])


_NOTE_WRITTEN: Final = ["notes/{note}/content", *(f"{_NOTE}/{one}" for one in _WRITTEN)]

UPDATES: Final[dict[str, Sequence[Update]]] = {
    **tables.UPDATES,
    "nc_webdav_write_file": [
        of_file(*_WRITTEN, content="new", overwrite=True),
        of_file(content=b64encode(LATIN).decode(), content_encoding="base64"),  # what it holds already
    ],
    "nc_webdav_append_to_file": [of_file(*_WRITTEN, content="new")],
    "nc_webdav_set_favorite": [of_file("favorite/admin", favorite=False)],
    "nc_webdav_restore_version": [of_file(*_WRITTEN, kept_version="{version}")],
    "nc_webdav_tag_file": [
        Update(
            {"path": FILE, "tag": "brand new", "create": True}, [r"tags/\d+/(name|visible|assignable|color|files/\d+)"]
        )
    ],
    "nc_webdav_untag_file": [Update({"path": FILE, "tag": 1}, [r"tags/1/files/\d+"])],
    "nc_webdav_move_resource": [Update({"source_path": FILE, "destination_path": f"{FILE}.moved"}, [])],
    "nc_notes_update_note": [
        of_note("notes/{note}/title", etag="{etag}", title="Other"),
        of_note(*_NOTE_WRITTEN, etag="{etag}", content="New."),
        # A category is a folder: the new one is made, and the old one stays, as what is attached to a .txt note does.
        of_note("notes/{note}/category", r"nodes/\d+", etag="{etag}", category="Ünï/Other"),
    ],
    "nc_notes_append_content": [of_note(*_NOTE_WRITTEN, content="Größer 🚀")],
    "nc_notes_set_favorite": [of_note(f"{_NOTE}/favorite/admin", favorite=False)],
    "nc_cookbook_update_recipe": [
        of_recipe("name", name="Other stew"),
        of_recipe("description", description="Other"),
        of_recipe("recipeIngredient", ingredients=["300 g flour"]),
        of_recipe("recipeInstructions", instructions=["mix", "fry"]),
        of_recipe("url", url=""),
        of_recipe("prepTime", prep_time="2 h"),
        of_recipe("cookTime", cook_time=""),
        of_recipe("totalTime", total_time="P1DT2H"),
        of_recipe("recipeYield", recipe_yield=5),
        of_recipe("recipeCategory", category="Other"),
        of_recipe("keywords", keywords="a"),
    ],
    "nc_cookbook_set_config": [
        Update({"update_interval": 30}, ["cookbook/admin/config/update_interval"]),
        Update({"print_image": False}, ["cookbook/admin/config/print_image"]),
    ],
    "nc_cookbook_reindex": [Update({}, [])],
    "nc_news_rename_feed": [Update({"feed_id": "{feed}", "title": "Other"}, ["news/admin/feeds/{feed}/title"])],
    "nc_news_move_feed": [Update({"feed_id": "{feed}"}, ["news/admin/feeds/{feed}/folder"])],
    "nc_news_mark_read": [Update({"item_ids": ["{item}"]}, [])],  # it is read already
    "nc_news_mark_unread": [of_item("read", item_ids=["{item}"])],
    "nc_news_star_item": [Update({"item_id": "{item}"}, [])],
    "nc_news_unstar_item": [of_item("starred", item_id="{item}")],
    "nc_share_update": [
        of_share("link", "permissions", permissions="view"),
        of_share("person", "permissions", permissions="edit"),
        of_share("link", "password", password="Another-Secret-2"),
        of_share("link", "expiration", expires="2032-01-31"),
        of_share("person", "expiration", expires=""),
        of_share("link", "label", label="Other"),
        of_share("person", "note", note="Other"),
    ],
    "nc_calendar_update_todo": [
        of_task("SUMMARY", summary="Other"),
        of_task("DESCRIPTION", description=""),
        of_task("STATUS", "PERCENT-COMPLETE", status="NEEDS-ACTION"),
        of_task("PRIORITY", priority=5),
        of_task("PERCENT-COMPLETE", percent_complete=60),
        of_task("DUE", due="2031-05-13"),
        of_task("DTSTART", "EXDATE", dtstart="2031-05-11"),  # what is left out moves along
        of_task("STATUS", "PERCENT-COMPLETE", "COMPLETED", completed="2031-05-09T12:00:00Z"),
        of_task("CATEGORIES", categories="Other"),
        of_task("RRULE", recurrence_rule="FREQ=DAILY"),
        of_task("RELATED-TO", "RELATED-TO.2", parent_uid="other-parent"),
        of_task("VALARM/TRIGGER", "VALARM/DESCRIPTION", "VALARM/ACTION", "VALARM/X-ALARM", reminders=[]),
        of_task(summary="Ödd, task", priority=1),  # as it is already
    ],
    "nc_calendar_complete_todo": [of_task("DTSTART", "DUE", "RRULE", "STATUS", "PERCENT-COMPLETE")],
    "nc_calendar_update_event": [
        of_event("VEVENT/SUMMARY", title="Other"),
        of_event("VEVENT/DESCRIPTION", description="Other"),
        of_event("VEVENT/LOCATION", location=""),
        of_event("VEVENT/CATEGORIES", "VEVENT/CATEGORIES.2", categories="Other"),
        of_event("VEVENT/STATUS", status="CONFIRMED"),
        of_event("VEVENT/PRIORITY", priority=0),
        of_event("VEVENT/CLASS", privacy="PRIVATE"),
        of_event("VEVENT/URL", url="https://example.org/"),
        of_event("VEVENT/COLOR", color="teal"),
        of_event("VEVENT/RRULE", recurrence_rule="FREQ=WEEKLY;COUNT=7"),
        of_event(
            "VEVENT/DTSTART",
            "VEVENT/EXDATE",
            "VEVENT.2/RECURRENCE-ID",
            start_datetime="2031-05-05T11:00",
            timezone="Europe/Berlin",
        ),
        of_event("VEVENT/DURATION", "VEVENT/DTEND", end_datetime="2031-05-05T10:30", timezone="Europe/Berlin"),
        of_event("VEVENT.2/SUMMARY", occurrence="2031-05-12T10:00:00+02:00", title="Other"),
        of_event("VEVENT/VALARM/TRIGGER", "VEVENT/VALARM/DESCRIPTION", "VEVENT/VALARM/X-ALARM", reminder_minutes=5),
        of_event(title="Ödd, with; signs"),  # what it is called already
    ],
    "nc_calendar_bulk_update_events": [
        Update(
            {"calendar_name": "personal", "title_contains": "Ödd", "new_location": "Bonn"},
            [re.escape("calendars/admin/personal/objects/odd.ics/VEVENT/LOCATION")],
        )
    ],
    "nc_calendar_update_calendar": [
        Update({"calendar_name": "team", "display_name": "Crew"}, ["calendars/admin/team/name"]),
        Update({"calendar_name": "team", "description": "Other"}, ["calendars/admin/team/description"]),
        Update({"calendar_name": "team", "color": "#AA3300"}, ["calendars/admin/team/color"]),
    ],
    "nc_calendar_share_calendar": [
        Update(
            {"calendar_name": "team", "share_with": "bob", "permissions": "write"},
            [r"calendar_shares/\d+/users/bob/access"],
        )
    ],
    "nc_calendar_bulk_move_events": [
        Update({"title_contains": "Ödd", "target_calendar": "team"}, [])  # all that it says stays
    ],
    "nc_calendar_respond_to_invitation": [
        Update(
            {"calendar_name": "personal", "event_uid": "seed-workshop", "response": "accepted"},
            [
                r"calendars/admin/personal/objects/sabredav-[^/]*/VEVENT/(ATTENDEE|ORGANIZER)",
                r"calendars/bob/personal/objects/seed-workshop.ics/VEVENT/ATTENDEE",
            ],
        )
    ],
}


UPDATES["nc_contacts_update_contact"] = [
    of_contact("FN/1", fn="Other"),
    of_contact("N/1", n={"given": "Other"}),
    of_contact("NICKNAME/1", nickname=["Other"]),
    of_contact("ITEM1.EMAIL/1", email={"other@example.org": "internet,work,pref", "home@example.org": ""}),
    of_contact("ITEM2.TEL/1", "ITEM2.X-ABLABEL/1", tel={"+49 30 5550100": ""}),
    of_contact("ITEM3.ADR/1", adr=[{"street": "Other", "city": "Other", "types": "home,pref"}]),
    of_contact("ORG/1", org=["Other"]),
    of_contact("TITLE/1", title=""),
    of_contact("ROLE/1", role="Other"),
    of_contact("BDAY/1", bday="1985-04-12"),
    of_contact("NOTE/1", note="Other"),
    of_contact("URL/2", url={"https://apple.example/~kaethe": "", "https://other.example": ""}),
    of_contact("CATEGORIES/1", categories=["Friends"]),
    of_contact("PHOTO/1", photo=""),
    of_contact(title="Head, of; Things", categories=["Friends", "Family, close"]),  # what it says already
]
UPDATES["nc_contacts_set_groups"] = [
    Update(
        {"addressbook": "contacts", "uid": "odd-card", "groups": ["Other"]},
        [re.escape(f"contacts/admin/contacts/{CARD}/CATEGORIES/1")],
    )
]

_NEW: Final = "it makes something new and takes nothing that is there"
LEFT_OUT: Final = {
    **tables.LEFT_OUT,
    "nc_update_search_index": "it writes this server's own index, and nothing in Nextcloud",
    "nc_webdav_create_directory": _NEW,
    "nc_webdav_copy_resource": "a copy is new, and what it is put over goes to the bin as a whole",
    "nc_webdav_create_comment": _NEW,
    "nc_notes_create_note": _NEW,
    "nc_notes_add_attachment": _NEW,
    "nc_share_create": _NEW,
    "nc_cookbook_import_recipe": _NEW,
    "nc_cookbook_create_recipe": _NEW,
    "nc_news_add_feed": _NEW,
    "nc_news_create_folder": _NEW,
    "nc_share_create_public_link": _NEW,
    "nc_calendar_create_todo": _NEW,
    "nc_contacts_create_addressbook": _NEW,
    "nc_contacts_create_contact": _NEW,
    "nc_calendar_create_calendar": _NEW,
    "nc_calendar_create_event": _NEW,
    "nc_calendar_create_meeting": _NEW,
    "nc_calendar_restore_from_trash": _NEW,
    "nc_webdav_restore_from_trash": "it is tried below, with a deletion before it",
}


def test_every_tool_that_writes_is_in_the_table_or_left_out_for_a_reason() -> None:
    writing = {name: tool.effect for name, tool in TOOLS.items() if not tool.effect.read_only}
    updates, left_out = {**UPDATES, **deck.UPDATES}, {**LEFT_OUT, **deck.LEFT_OUT}
    # What deletes is called so that all of it goes; some of these have more to keep, and are in the table.
    missing = {name for name, effect in writing.items() if effect is not DELETE} - updates.keys() - left_out.keys()
    assert missing == set(), "add a case to UPDATES, or the reason to LEFT_OUT"
    assert updates.keys() | left_out.keys() <= writing.keys()
    assert not updates.keys() & left_out.keys()


_OF_DECK: Final = ("deck_update_board", "deck_update_stack", "deck_update_label", "deck_update_card")
_OF_TABLES: Final = ("nc_tables_update_table", "nc_tables_update_column")


@pytest.mark.parametrize(
    "tool", ["nc_notes_update_note", "nc_share_update", "nc_cookbook_update_recipe", *_OF_DECK, *_OF_TABLES]
)
def test_every_field_that_can_be_left_out_is_changed_alone(tool: str) -> None:
    schema: dict[str, Any] = TOOLS[tool].input_schema
    optional = schema["properties"].keys() - set(schema["required"]) - {"table_id"}  # which says where a column is
    updates = UPDATES.get(tool) or deck.UPDATES[tool]
    assert optional == {next(iter(one.arguments.keys() & optional)) for one in updates}
    assert all(len(one.arguments.keys() & optional) == 1 for one in updates)


def test_every_field_of_a_contact_is_changed_alone() -> None:
    schema: dict[str, Any] = TOOLS["nc_contacts_update_contact"].input_schema
    fields = schema["properties"]["contact_data"]["properties"].keys()
    changes = [one.arguments["contact_data"] for one in UPDATES["nc_contacts_update_contact"]]
    assert {name for one in changes if len(one) == 1 for name in one} == fields


@pytest.fixture
async def odd(sandbox: Sandbox) -> Odd:
    """Bring a sandbox to where all odd things are."""
    return await make_odd_things(sandbox)


@pytest.mark.parametrize(("tool", "update"), [(tool, one) for tool, every in UPDATES.items() for one in every], ids=str)
async def test_what_is_changed_is_what_the_call_names_and_all_else_stays(
    sandbox: Sandbox, odd: Odd, tool: str, update: Update
) -> None:
    before = _placed(facts(sandbox))
    async with connected(serving(sandbox)) as session:
        await session.ask(tool, **{name: _filled(value, odd) for name, value in update.arguments.items()})
    _judge(before, _placed(facts(sandbox)), [str(_filled(one, odd)) for one in update.changes])


_DECK_UPDATES: Final = [(tool, one) for tool, every in deck.UPDATES.items() for one in every]


@pytest.mark.parametrize(("tool", "update"), _DECK_UPDATES, ids=str)
async def test_of_a_board_with_all_fields_set_only_what_is_named_changes(
    sandbox: Sandbox, tool: str, update: deck.DeckUpdate
) -> None:
    odd = await deck.make_odd_board(sandbox)
    before = facts(sandbox)
    async with connected(serving(sandbox)) as session:
        await session.ask(tool, **{name: deck.filled(value, odd) for name, value in update.arguments.items()})
    _judge(before, facts(sandbox), [str(deck.filled(one, odd)) for one in update.changes])


def _judge(before: dict[str, object], after: dict[str, object], patterns: Sequence[str]) -> None:
    """Hold what changed to what may change, all of which must have."""
    changed = {key for key in before.keys() | after.keys() if before.get(key) != after.get(key)}
    allowed = [re.compile(one) for one in patterns]
    assert [key for key in changed if not any(one.fullmatch(key) for one in allowed)] == []
    assert [one.pattern for one in allowed if not any(one.fullmatch(key) for key in changed)] == []


@pytest.mark.usefixtures("odd")
async def test_what_was_deleted_comes_back_with_all_that_it_had(sandbox: Sandbox) -> None:
    """But for the properties that some program made up for itself: Nextcloud keeps these for a path."""
    before = facts(sandbox)
    made_up = [key for key in before if key.startswith(f"files/admin/{FILE}/properties/")]
    assert made_up
    async with connected(serving(sandbox)) as session:
        await session.ask("nc_webdav_delete_resource", path=FILE)
        key = (await session.ask("nc_webdav_list_trash"))["items"][0]["key"]
        await session.ask("nc_webdav_restore_from_trash", trash_key=key)
    assert facts(sandbox) == {key: value for key, value in before.items() if key not in made_up}


@pytest.mark.usefixtures("odd")
@pytest.mark.parametrize("tool", ["nc_webdav_copy_resource", "nc_webdav_move_resource"])
async def test_what_gave_way_to_a_copy_or_move_comes_back_with_all_that_it_had(sandbox: Sandbox, tool: str) -> None:
    """Its shares, comments, tags and star go with it into the bin, and what came has none of them."""
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


def _filled(value: object, odd: Odd) -> object:
    """Put what was made in the place of its name; a pattern's own braces stay."""
    if isinstance(value, dict):
        given = cast("dict[str, object]", value)
        return {str(_filled(name, odd)): inner for name, inner in given.items()}
    if isinstance(value, list):
        return [_filled(one, odd) for one in cast("list[object]", value)]
    if not isinstance(value, str):
        return value
    made = "{" in value
    for name, found in odd.names.items():
        value = value.replace(f"{{{name}}}", str(found))
    return int(value) if made and value.isdecimal() and value != odd.version else value


def _placed(state: dict[str, object]) -> dict[str, object]:
    """Name a file by what it was called at first, wherever it is now: a new name changes no other fact of it."""
    moved = {
        f"files/admin/{FILE}.moved": f"files/admin/{FILE}",
        "files/admin/Recipes/Other stew": "files/admin/Recipes/Ödd stew",
        "files/admin/Notes/Ünï/Sub/Other.txt": f"files/admin/{NOTE}",
        "files/admin/Notes/Ünï/Other/Ödd.txt": f"files/admin/{NOTE}",
        "calendars/admin/team/objects/odd.ics": "calendars/admin/personal/objects/odd.ics",
        "files/admin/Notes/Ünï/Other/kind": "files/admin/Notes/Ünï/Sub/kind",
    }
    placed = dict(state)
    for key in [key for key in state if key.startswith(tuple(moved))]:
        start = next(one for one in moved if key.startswith(one))
        placed[moved[start] + key.removeprefix(start)] = placed.pop(key)
    return placed
