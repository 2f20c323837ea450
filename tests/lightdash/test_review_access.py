"""Who can see what, in one call: every way in with where it comes from, and what was not seen said."""

import pytest
from tests.lightdash import places
from tests.lightdash.analyst import analyst
from tests.lightdash.sessions import serving, text_of

from aboveboard.lightdash.sandbox import Sandbox

pytestmark = pytest.mark.anyio

EDITH = "0b000000-0000-4000-8000-000000000002"
DANA = "0b000000-0000-4000-8000-000000000004"
EVERYBODY = "0c000000-0000-4000-8000-000000000001"
FINANCE = "2a000000-0000-4000-8000-000000000005"


async def test_every_way_in_is_told_with_where_it_comes_from(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        await session.ask("assign_role", role="developer", group_uuid=EVERYBODY)
        await session.ask("assign_role", role="editor", user_uuid=DANA)
        await session.ask("grant_group_space_access", space_uuid=FINANCE, group_uuid=EVERYBODY, role="viewer")
        await session.ask("grant_user_space_access", space_uuid=FINANCE, user_uuid=EDITH, role="editor")
        review = await session.ask("review_access")
    people = {one["user_uuid"]: one for one in review["people"]}
    assert review["private_spaces"] == ["Finance", "Audit"]
    assert {"Sales", "Weekly"} < set(review["open_spaces"])
    everybody = next(one for one in review["groups"] if one["name"] == "Everybody")
    assert (everybody["project_roles"], everybody["shared_spaces"]) == (["developer"], ["Finance: viewer"])
    assert "not_seen" not in review
    assert sorted((one["role"], one["source"]) for one in people[DANA]["project_roles"]) == [
        ("developer", "group Everybody"),
        ("editor", "direct"),
    ]
    edith = {one["space"]: (one["role"], one["source"]) for one in people[EDITH]["shared_spaces"]}
    assert edith["Finance"] == ("editor", "direct")
    vera = next(one for one in review["people"] if one["name"].startswith("Vera"))
    assert {one["space"]: one["source"] for one in vera["shared_spaces"]}["Finance"] == "group Everybody"


async def test_a_weaker_share_takes_nothing_from_an_admin(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        await session.ask("grant_group_space_access", space_uuid="Inbox", group_uuid=EVERYBODY, role="viewer")
        shown = await session.ask("get_space", space_uuid="Inbox")
        review = await session.ask("review_access", search="ada@")
    assert {one["role"] for one in shown["access"] if one["email"].startswith("ada@")} == {"viewer"}
    ada = review["people"][0]
    assert "Inbox" not in [one["space"] for one in ada["shared_spaces"]]
    assert [one["role"] for one in ada["open_spaces"] if "Inbox" in one.get("spaces", ["Inbox"])] == ["admin"]


async def test_a_share_that_takes_something_away_is_told_as_one_whoever_gave_it(sandbox: Sandbox) -> None:
    editors = {"group_uuid": "Editors", "role": "viewer"}
    async with analyst(sandbox) as session:
        await session.ask("grant_group_space_access", space_uuid=places.SALES, **editors)
        review = await session.ask("review_access", search="edith@")
    async with analyst(sandbox, person="editor") as edith:
        text = await edith.refusal("rename_chart", chart=places.MAIN_CHART, name="Mine")
    ways = [(one["space"], one["role"], one["source"]) for one in review["people"][0]["shared_spaces"]]
    assert ways[:2] == [("Sales", "viewer", "group Editors"), ("Weekly", "viewer", "parent space")]
    assert "403" in text


async def test_one_person_is_reviewed_by_their_address_in_words_a_person_can_read(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        result = await session.call("review_access", search="dana@")
    text = text_of(result)
    assert text.startswith(f"Corner Shop ({places.MAIN}): 1 person.\n")
    assert "Private: Finance, Audit." in text
    assert "- Group Editors, 1 person, gives: nothing here." in text
    assert (
        "- Dana Yılmaz <dana@corner-shop.example>: organisation developer; groups Everybody; Finance: editor (direct);"
        " Audit: editor (parent space); all open spaces: editor (organization)." in text
    )


async def test_one_who_sees_nothing_is_told_so_and_in_which_open_spaces_one_has_another_role_too(
    sandbox: Sandbox,
) -> None:
    async with analyst(sandbox) as session:
        text = text_of(await session.call("review_access"))
    assert "- new@corner-shop.example (invited): organisation member; sees nothing of this project." in text
    ada = next(line for line in text.splitlines() if line.startswith("- Ada"))
    assert "Finance: admin (direct)" in ada
    assert "Inbox: admin (organization)." in ada


async def test_what_a_token_may_not_see_is_said_and_not_taken_for_nothing(sandbox: Sandbox) -> None:
    async with analyst(sandbox, person="editor") as session:
        review = await session.ask("review_access")
    assert review["not_seen"] == [
        "groups and who is in them",
        "roles in the project",
        "private spaces that are not shared with you",
    ]


async def test_hundreds_of_people_come_page_by_page_and_cost_requests_by_space_and_group_only(sandbox: Sandbox) -> None:
    service = serving(sandbox)
    async with analyst(service) as session:
        first = await session.ask("review_access", limit=2)
        asked = len(service.arrived)
        second = await session.ask("review_access", limit=2, page=first["next_page"])
    assert len(first["people"]) == len(second["people"]) == 2
    assert first["people"] != second["people"]
    assert len(service.arrived) == 2 * asked
    assert {request.method for request in service.arrived} == {"GET"}
    assert first["project_uuid"] == places.MAIN
