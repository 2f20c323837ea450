"""Titles in place of ids, wherever something has a title or a name."""

import re
from typing import Any, Final

import pytest
from tests.nextcloud.sessions import TOOLS, Session, connected, facts, serving, text_of
from tests.plans import good_cases, served

from aboveboard.nextcloud.client.candidates import Kind
from aboveboard.nextcloud.client.name_lookup import INSIDE, KINDS, OF_TOOLS, kinds_of
from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio

IS_AN_ID: Final = re.compile(r"(?:\b|_)u?ids?\b", re.IGNORECASE)
"""What a parameter is called, or what is said of it, where it takes ids."""
BY_THEMSELVES: Final = {
    "attendees": "whoever Nextcloud finds by a name, in find_availability",
    "content": "columns of a CSV by title",
    "data": "columns by title",
    "label": "a filter that takes titles",
    "tag": "names",
}
"""Parameters that take names, and whose tools see to it."""
NAMELESS: Final = {
    "comment_id": "comments have no titles",
    "parent_id": "comments have no titles",
    "row_id": "rows have no titles",
    "share_id": "shares have no titles",
    "kept_version": "versions have no titles",
    "occurrence": "occurrences have their series' title",
    "document_id": "a hit's, beside its source: each source's own tools take titles",
    "item_id": "articles: News tells headlines only with all texts, and thousands of them",
    "item_ids": "articles, as item_id",
    "participant": "whom to share with is not guessed from a name",
    "share_with": "whom to share with is not guessed from a name",
    "query": "words to look for",
    "include_users": "says what to show",
    "type": "says which of two of one id",
    "uid": "the uid that a new contact shall have",
}
"""Parameters that take ids alone, and why."""

# The tool that lists each kind, what is asked for beside the place, and what items call their ids and their names.
LISTS: Final[dict[Kind, tuple[str, dict[str, Any], str, str]]] = {
    "board": ("deck_get_boards", {}, "id", "title"),
    "deleted board": ("deck_get_boards", {}, "id", "title"),
    "stack": ("deck_get_stacks", {"include_cards": False}, "id", "title"),
    "card": ("deck_get_cards", {"status": "all"}, "id", "title"),
    "label": ("deck_get_labels", {}, "id", "title"),
    "attachment": ("deck_list_attachments", {}, "id", "name"),
    "table": ("nc_tables_list_tables", {}, "id", "title"),
    "view": ("nc_tables_list_views", {}, "id", "title"),
    "note": ("nc_notes_list_notes", {}, "id", "title"),
    "recipe": ("nc_cookbook_list_recipes", {}, "id", "name"),
    "feed": ("nc_news_list_feeds", {}, "id", "title"),
    "folder": ("nc_news_list_folders", {}, "id", "name"),
    "address book": ("nc_contacts_list_addressbooks", {}, "name", "display_name"),
    "contact": ("nc_contacts_list_contacts", {}, "uid", "fn"),
    "event": ("nc_calendar_list_events", {"start_date": "2031-01-01", "end_date": "2031-12-31"}, "uid", "title"),
    "task": ("nc_calendar_list_todos", {}, "uid", "summary"),
    "deleted event": ("nc_calendar_list_trash", {}, "id", "title"),
}
ALONE: Final = {"person", "column"}
"""Kinds of which no tool lists names, or whose place is told beside a title only; tests and the plan name them."""
# Ids of new things, times and etags differ from call to call.
VARYING: Final = re.compile(
    r"(?<=calendar/edit/)[\w=%+/-]+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{6,}|\d+"
)


def of(tool: str) -> str:
    """Return what a tool is called where titles are looked up."""
    return f"{TOOLS[tool].toolset.area}.{TOOLS[tool].name}"


def named(tool: str) -> dict[str, Kind]:
    """Return the parameters of a tool that take titles, and of what."""
    properties = TOOLS[tool].input_schema["properties"]
    return {name: kind for name, kind in kinds_of(of(tool)).items() if name in properties}


def place_of(parameter: str, arguments: dict[str, Any]) -> dict[str, Any] | None:
    """Return where a thing is listed; None where a call does not tell."""
    inside = INSIDE["card_id"] if KINDS.get(parameter) == "card" else INSIDE.get(parameter, ())
    groups = [next((name for name in names if name in arguments), "") for names in inside]
    return {re.sub("source_|target_", "", name): arguments[name] for name in groups} if all(groups) else None


async def by_title(session: Session, tool: str, arguments: dict[str, Any]) -> dict[str, str]:
    """Return the titles of what a call names by id."""
    made: dict[str, str] = {}
    for parameter, kind in named(tool).items():
        place = place_of(parameter, arguments)
        if arguments.get(parameter) and kind not in ALONE and place is not None:
            listing, more, number, name = LISTS[kind]
            answer = await session.ask(listing, **place, **more)
            for one in answer["items"]:
                if str(one[number]) == str(arguments[parameter]):
                    made[parameter] = one[name]
    return made


def test_every_parameter_that_takes_an_id_takes_a_title_unless_there_is_none() -> None:
    without: list[tuple[str, str]] = []
    excused: set[str] = set()
    for tool, about in TOOLS.items():
        for name, schema in about.input_schema["properties"].items():
            known = name in named(tool) and schema["type"] == "string"
            if known or name in BY_THEMSELVES or not IS_AN_ID.search(f"{name}: {schema['description']}"):
                continue
            excused.add(name)
            if name not in NAMELESS or (name in KINDS and name not in OF_TOOLS.get(of(tool), {})):
                without.append((tool, name))
    assert without == []
    assert excused == NAMELESS.keys()


def test_every_parameter_that_takes_a_title_says_so() -> None:
    says = re.compile(r"title|name|summary")
    silent = [
        (tool, name)
        for tool, about in TOOLS.items()
        for name in named(tool)
        if not says.search(about.input_schema["properties"][name]["description"])
    ]
    assert silent == [(tool, "addressbook") for tool in ("nc_contacts_search_contacts", "nc_contacts_list_groups")]


async def test_every_tool_answers_a_title_as_it_answers_the_id() -> None:
    told_apart: list[str] = []
    tried: set[tuple[str, str]] = set()
    cases = reversed(good_cases("nextcloud"))
    first = {(case.tool, *sorted(named(case.tool).keys() & case.arguments.keys())): case for case in cases}
    async with served("nextcloud") as nextcloud:
        for case in [case for (_, *names), case in first.items() if names]:
            answers: list[str] = []
            for with_titles in (False, True):
                arguments = await nextcloud.arrange(case)
                titles = await by_title(nextcloud.session, case.tool, arguments)
                given = arguments | titles if with_titles else arguments
                answers.append(VARYING.sub("#", text_of(await nextcloud.session.call(case.tool, **given))))
                tried |= {(name, named(case.tool)[name]) for name in titles}
                await nextcloud.reset()
            if answers[0] != answers[1]:
                told_apart.append(f"{case.tool} ({case.name}): {answers[1]}")
    assert told_apart == []
    every = {(name, kind) for tool in TOOLS for name, kind in named(tool).items()}
    assert {pair for pair in every - tried if pair[1] not in ALONE} == set()


async def test_an_id_costs_no_request_more_and_a_title_one(sandbox: Sandbox) -> None:
    service = serving(sandbox)
    async with connected(service) as session:
        board = (await session.ask("deck_get_boards"))["items"][0]
        sent: list[int] = []
        for given in (board["id"], str(board["id"]), board["title"]):
            service.arrived.clear()
            assert (await session.ask("deck_get_board", board_id=given))["id"] == board["id"]
            sent.append(len(service.arrived))
    assert sent == [1, 1, 2]


async def test_what_is_called_by_digits_alone_is_taken_for_an_id(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        made = await session.ask("deck_create_board", title="2031", color="31CC7C")
        assert "There is no board 2031" in await session.refusal("deck_get_board", board_id="2031")
        assert (await session.ask("deck_get_board", board_id=made["id"]))["title"] == "2031"


async def test_two_notes_of_one_title_are_told_apart_by_their_categories(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        notes = [
            await session.ask("nc_notes_create_note", title="Twins", content="", category=category)
            for category in ("Home", "Work")
        ]
        said = await session.refusal("nc_notes_delete_note", note_id="twins")
        assert "'twins' is the name of 2 notes" in said
        assert all(f"{note['id']} (Twins / {note['category']}/Twins)" in said for note in notes)
        gone = await session.ask("nc_notes_delete_note", note_id="Work/Twins")
    assert gone["id"] == notes[1]["id"]


async def test_a_deleted_board_is_not_meant_by_its_title(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        old = await session.ask("deck_create_board", title="Shed", color="31CC7C")
        await session.ask("deck_delete_board", board_id="Shed")
        assert "This account has no board 'Shed'" in await session.refusal("deck_delete_board", board_id="Shed")
        new = await session.ask("deck_create_board", title="Shed", color="31CC7C")
        assert (await session.ask("deck_get_board", board_id="Shed"))["id"] == new["id"]
        assert (await session.ask("deck_restore_board", board_id=old["id"]))["title"] == "Shed"
        assert "is the name of 2 boards" in await session.refusal("deck_get_board", board_id="Shed")


async def test_a_board_in_the_bin_is_restored_by_its_title_even_if_another_is_called_alike(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        old = await session.ask("deck_create_board", title="Shed", color="31CC7C")
        await session.ask("deck_delete_board", board_id=old["id"])
        new = await session.ask("deck_create_board", title="Shed", color="31CC7C")
        back = await session.ask("deck_restore_board", board_id="shed")
        assert (back["id"], "deleted" in back) == (old["id"], False)
        assert "The trash bin has no board 'Shed'" in await session.refusal("deck_restore_board", board_id="Shed")
        for board in (old, new):
            await session.ask("deck_delete_board", board_id=board["id"])
        said = await session.refusal("deck_restore_board", board_id="Shed")
    assert f"'Shed' is the name of 2 boards: {old['id']} (Shed), {new['id']} (Shed)" in said


async def test_a_card_is_found_by_its_title_on_the_board_of_the_call_in_any_stack(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        board = await session.ask("deck_create_board", title="Shed", color="31CC7C")
        here = {"board_id": "Shed"}
        stacks = [await session.ask("deck_create_stack", **here, title=one, order=0) for one in ("Now", "Later")]
        where = [{"board_id": board["id"], "stack_id": one["id"]} for one in stacks]
        cards = [await session.ask("deck_create_card", **place, title="Roof") for place in where]
        only = await session.ask("deck_create_card", **where[1], title="Door")
        await session.ask("nc_webdav_write_file", path="shed.md", content="Oak")
        await session.ask("nc_notes_create_note", title="Hinges", content="Two")

        attached = await session.ask("deck_attach_file", card_id="door", path="shed.md", **here)
        noted = await session.ask("deck_attach_note", card_id="Door", note_id="Hinges", **here)
        await session.ask("deck_create_card_comment", card_id="Door", message="Oak?", **here)
        [said] = (await session.ask("deck_get_card_comments", card_id="Door", **here))["items"]
        await session.ask("deck_update_card_comment", card_id="Door", comment_id=said["id"], message="Ash?", **here)
        gone = await session.ask("deck_delete_card_comment", card_id="Door", comment_id=said["id"], **here)
        assert {one["card_id"] for one in (attached, noted, gone)} == {only["id"]}

        depends = {**where[0], "card_id": "Roof", "dependent_card_id": "Door"}
        assert (await session.ask("deck_assign_dependent_card", **depends))["dependent_cards"] == [only["id"]]
        assert (await session.ask("deck_remove_dependent_card", **depends))["dependent_card_id"] == only["id"]

        before = facts(sandbox)
        for arguments in ({"card_id": "Roof", **here}, {"card_id": "Door"}, {"card_id": "Wall", **here}):
            said = await session.refusal("deck_attach_file", path="shed.md", **arguments)
            twins = f"'Roof' is the name of 2 cards: {cards[0]['id']} (Roof), {cards[1]['id']} (Roof)"
            assert any(why in said for why in (twins, "Give board_id too, or the id", "The board has no card 'Wall'"))
        assert facts(sandbox) == before


async def test_a_file_of_a_card_is_taken_off_by_its_name_unless_two_have_it(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        board = await session.ask("deck_create_board", title="Shed", color="31CC7C")
        stack = await session.ask("deck_create_stack", board_id=board["id"], title="Now", order=0)
        place = {"board_id": board["id"], "stack_id": stack["id"]}
        place["card_id"] = (await session.ask("deck_create_card", **place, title="Roof"))["id"]
        files = [("plan.md", "deck_file"), ("plan.md", "deck_file"), ("list.md", "deck_file")]
        for name, kind in files:
            await session.ask("deck_upload_attachment", **place, filename=name, content="x", type=kind)
        before = facts(sandbox)
        said = await session.refusal("deck_delete_attachment", **place, attachment_id="plan.md")
        assert "'plan.md' is the name of 2 attachments" in said
        assert facts(sandbox) == before
        assert (await session.ask("deck_delete_attachment", **place, attachment_id="list.md"))["gone"] == "list.md"
        assert len((await session.ask("deck_list_attachments", **place))["items"]) == 2


async def test_a_person_on_a_board_is_given_by_name_and_an_id_costs_no_request(sandbox: Sandbox) -> None:
    service = serving(sandbox)
    async with connected(service) as session:
        board = (await session.ask("deck_get_boards"))["items"][0]["id"]
        stack = (await session.ask("deck_get_stacks", board_id=board))["items"][0]
        place = {"board_id": board, "stack_id": stack["id"], "card_id": stack["cards"][0]["id"]}
        uid = next(one for one in (await session.ask("deck_get_board", board_id=board))["users"] if one != "admin")
        name = next(
            one["name"]
            for one in (await session.ask("nc_share_search_recipients", query=uid))["items"]
            if (one["type"], one["id"]) == ("user", uid)
        )
        assert name != uid
        sent: list[int] = []
        for given in (uid, name):
            service.arrived.clear()
            assert uid in (await session.ask("deck_assign_user_to_card", **place, user_id=given))["assigned_to"]
            sent.append(len(service.arrived))
            only = await session.ask("deck_get_cards", board_id=board, stack_id=stack["id"], assigned_to=given)
            assert place["card_id"] in [one["id"] for one in only["items"]]
            await session.ask("deck_unassign_user_from_card", **place, user_id=given)
        assert sent[1] == sent[0] + 1
        said = await session.refusal("deck_assign_user_to_card", **place, user_id="Nobody Known")
    assert "The board has no person 'Nobody Known'" in said


async def test_an_address_book_is_deleted_by_its_display_name_unless_two_have_it(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        for name in ("circle", "guild"):
            await session.ask("nc_contacts_create_addressbook", name=name, display_name="Old Friends")
        before = facts(sandbox)
        said = await session.refusal("nc_contacts_delete_addressbook", name="old friends")
        assert "is the name of 2 address books: circle (circle / Old Friends), guild (guild / Old Friends)" in said
        assert facts(sandbox) == before
        await session.ask("nc_contacts_delete_addressbook", name="circle")
        assert (await session.ask("nc_contacts_delete_addressbook", name="Old Friends"))["name"] == "guild"


async def test_a_contact_is_given_by_name_or_e_mail_address_unless_two_have_it(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        await session.ask("nc_contacts_create_addressbook", name="circle", display_name="Circle")
        book = {"addressbook": "circle"}
        for uid, fn, mail in (("mo", "Mo Möller", "mo@example.org"), ("jo", "Jo", "jo@example.org"), ("xy", "mo", "")):
            data = {"fn": fn, "email": [{"value": mail}] if mail else []}
            await session.ask("nc_contacts_create_contact", **book, uid=uid, contact_data=data)
        for given in ("MO MÖLLER", "mo@example.org", "mo"):
            assert (await session.ask("nc_contacts_get_contact", **book, uid=given))["uid"] == "mo"
        await session.ask("nc_contacts_create_contact", **book, uid="other", contact_data={"fn": "Jo"})
        before = facts(sandbox)
        assert "'Jo' is the name of 2 contacts" in await session.refusal("nc_contacts_delete_contact", **book, uid="Jo")
        assert "The address book has no contact 'Al'" in await session.refusal(
            "nc_contacts_delete_contact", **book, uid="Al"
        )
        assert facts(sandbox) == before


async def test_an_event_is_given_by_its_title_unless_two_have_it(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        calendar = {"calendar_name": "personal"}
        starts = ("2031-05-05T09:30", "2031-05-06T09:30")
        title = "Tee, süß; und Überraschung"
        made = [
            await session.ask("nc_calendar_create_event", **calendar, title=title, start_datetime=one) for one in starts
        ]
        before = facts(sandbox)
        said = await session.refusal("nc_calendar_delete_event", **calendar, event_uid=title.upper().replace("SS", "ß"))
        assert "is the name of 2 events" in said
        assert all(f"{one['uid']} ({title} / {start}:00" in said for one, start in zip(made, starts, strict=True))
        assert facts(sandbox) == before
        await session.ask("nc_calendar_delete_event", **calendar, event_uid=made[0]["uid"])
        assert (await session.ask("nc_calendar_get_event", **calendar, event_uid=title))["uid"] == made[1]["uid"]
        assert "has no event 'Tee'" in await session.refusal("nc_calendar_delete_event", **calendar, event_uid="Tee")
        back = await session.ask("nc_calendar_restore_from_trash", id=title)
        assert back["uid"] == made[0]["uid"]


async def test_a_uid_means_itself_even_if_something_else_is_called_so(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        calendar = {"calendar_name": "personal"}
        other = {"title": "seed-standup", "start_datetime": "2031-05-05T18:00"}
        made = await session.ask("nc_calendar_create_event", **calendar, **other)
        found = await session.ask("nc_calendar_get_event", **calendar, event_uid="seed-standup")
        assert found["uid"] == "seed-standup" != made["uid"]
        assert (await session.ask("nc_calendar_get_event", **calendar, event_uid="Seed-Standup"))["uid"] == made["uid"]


async def test_a_series_is_not_meant_by_what_one_of_its_occurrences_is_called(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        calendar = {"calendar_name": "personal"}
        made = await session.ask(
            "nc_calendar_create_event",
            **calendar,
            title="Yoga",
            start_datetime="2031-05-05T18:00",
            recurrence_rule="FREQ=DAILY;COUNT=3",
        )
        changed = {"event_uid": made["uid"], "occurrence": "2031-05-06", "title": "Pilates"}
        await session.ask("nc_calendar_update_event", **calendar, **changed)
        said = await session.refusal("nc_calendar_delete_event", **calendar, event_uid="Pilates")
        assert "has no event 'Pilates'" in said
        assert (await session.ask("nc_calendar_get_event", **calendar, event_uid="yoga"))["uid"] == made["uid"]


async def test_what_is_in_the_trash_bin_goes_for_good_by_its_name_unless_two_have_it(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        for folder in ("a", "b"):
            await session.ask("nc_webdav_write_file", path=f"{folder}/plan.md", content=folder, create_parents=True)
            await session.ask("nc_webdav_delete_resource", path=f"{folder}/plan.md")
        before = facts(sandbox)
        assert "may be any of these" in await session.refusal("nc_webdav_delete_from_trash", trash_key="plan.md")
        assert facts(sandbox) == before
        gone = await session.ask("nc_webdav_delete_from_trash", trash_key="a/plan.md")
        assert (gone["gone"], "trash_key" in gone) == ("plan.md", True)
        left = [one["original_path"] for one in (await session.ask("nc_webdav_list_trash"))["items"]]
        assert "b/plan.md" in left
        assert "a/plan.md" not in left
