"""What roles in a project and shares of a space let people do, and what they no longer can when it is taken back."""

from collections.abc import AsyncIterator

import pytest
from tests.lightdash.sandbox.choices import (
    CUSTOMERS,
    EDITOR,
    FINANCE,
    MAIN,
    PREVIEW,
    PROJECT,
    SALES,
    VIEWER,
    facts,
    person,
)

from aboveboard.lightdash.sandbox import Sandbox

pytestmark = pytest.mark.anyio

ASSIGNMENTS = f"/api/v2/projects/{MAIN}/roles/assignments"
NIGHT_SHIFT = "0c000000-0000-4000-8000-000000000003"
SPACES = f"{PROJECT}/spaces"
TAG = {"name": "New", "color": "red"}


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    made = Sandbox()
    yield made
    made.close()


async def test_a_role_in_a_project_counts_there_and_nowhere_else(sandbox: Sandbox) -> None:
    before = facts(sandbox)
    async with person(sandbox) as admin, person(sandbox, "viewer") as viewer:
        assert (await viewer.refused("POST", f"{PROJECT}/tags", TAG))[0] == 403
        await admin.ask("POST", f"{ASSIGNMENTS}/user/{VIEWER}", {"roleId": "editor"})
        space = (await viewer.ask("GET", f"{SPACES}/{CUSTOMERS}"))["access"][0]
        made = await viewer.ask("POST", SPACES, {"name": "Mine"})
        assert (await viewer.refused("POST", f"/api/v1/projects/{PREVIEW}/tags", TAG))[0] == 403
        await viewer.ask("DELETE", f"{SPACES}/{made['uuid']}")
        await admin.ask("DELETE", f"{ASSIGNMENTS}/user/{VIEWER}")
        assert (await viewer.refused("POST", f"{PROJECT}/tags", TAG))[0] == 403
    assert (space["role"], space["inheritedFrom"], space["projectRole"]) == ("editor", "project", "editor")
    assert facts(sandbox) == before


async def test_a_group_passes_its_role_in_the_project_on_to_its_members(sandbox: Sandbox) -> None:
    async with person(sandbox) as admin, person(sandbox, "viewer") as viewer:
        await admin.ask("POST", f"{ASSIGNMENTS}/group/{NIGHT_SHIFT}", {"roleId": "editor"})
        assert (await viewer.refused("POST", f"{PROJECT}/tags", TAG))[0] == 403
        await admin.ask("PATCH", f"/api/v1/groups/{NIGHT_SHIFT}", {"members": [{"userUuid": VIEWER}]})
        await viewer.ask("POST", f"{PROJECT}/tags", TAG)
        await admin.ask("DELETE", f"/api/v1/groups/{NIGHT_SHIFT}")
        assert (await viewer.refused("POST", f"{PROJECT}/tags", TAG))[0] == 403


async def test_a_private_space_opens_for_whom_it_is_shared_with_alone_or_as_a_group(sandbox: Sandbox) -> None:
    space = f"{SPACES}/{FINANCE}"
    async with person(sandbox) as admin, person(sandbox, "viewer") as viewer, person(sandbox, "editor") as editor:
        await admin.ask("POST", f"{space}/share", {"userUuid": EDITOR, "spaceRole": "viewer"})
        assert (await editor.ask("GET", space))["access"][0]["role"] == "viewer"
        assert (await editor.refused("DELETE", "/api/v1/saved/refunds"))[0] == 403
        await admin.ask("PATCH", f"/api/v1/groups/{NIGHT_SHIFT}", {"members": [{"userUuid": VIEWER}]})
        await admin.ask("POST", f"{space}/group/share", {"groupUuid": NIGHT_SHIFT, "spaceRole": "editor"})
        found = await viewer.ask("GET", space)
        await viewer.ask("PATCH", "/api/v1/saved/3a000000-0000-4000-8000-000000000011", {"name": "Money back"})
        await admin.ask("DELETE", f"{space}/group/share/{NIGHT_SHIFT}")
        await admin.ask("DELETE", f"{space}/share/{EDITOR}")
        assert (await viewer.refused("GET", space))[0] == 403
        assert (await editor.refused("GET", space))[0] == 403
    assert found["groupsAccess"] == [
        {"groupUuid": NIGHT_SHIFT, "groupName": "Night shift", "spaceRole": "editor"},
    ]
    assert found["access"][0]["inheritedFrom"] == "space_group"


async def test_a_share_counts_in_place_of_a_stronger_role_in_the_project_in_the_spaces_below_too(
    sandbox: Sandbox,
) -> None:
    weekly = f"{SPACES}/2a000000-0000-4000-8000-000000000002"
    chart = "3a000000-0000-4000-8000-000000000001"
    async with person(sandbox) as admin, person(sandbox, "editor") as editor:
        await admin.ask("POST", f"{SPACES}/{SALES}/share", {"userUuid": EDITOR, "spaceRole": "viewer"})
        shown = [
            next(one for one in (await admin.ask("GET", f"{space}/access"))["data"] if one["userUuid"] == EDITOR)
            for space in (f"{SPACES}/{SALES}", weekly)
        ]
        assert (await editor.refused("PATCH", f"/api/v1/saved/{chart}", {"name": "Mine"}))[0] == 403
        await editor.ask("PATCH", f"{SPACES}/{SALES}", {"name": "Mine"})  # the space itself is still theirs to change
        await admin.ask("DELETE", f"{SPACES}/{SALES}/share/{EDITOR}")
        await editor.ask("PATCH", f"/api/v1/saved/{chart}", {"name": "Mine"})
    assert [(one["role"], one["hasDirectAccess"], one["inheritedRole"], one["inheritedFrom"]) for one in shown] == [
        ("viewer", True, "editor", "organization"),
        ("viewer", False, "editor", "parent_space"),
    ]


async def test_a_new_role_in_the_organisation_counts_at_once(sandbox: Sandbox) -> None:
    async with person(sandbox) as admin, person(sandbox, "viewer") as viewer:
        home = (await admin.ask("GET", "/api/v1/org"))["organizationUuid"]
        assign = f"/api/v2/orgs/{home}/roles/assignments/user/{VIEWER}"
        await admin.ask("POST", assign, {"roleId": "developer"})
        await viewer.ask("POST", f"{PROJECT}/validate", {})
        await admin.ask("POST", assign, {"roleId": "viewer"})
        assert (await viewer.refused("POST", f"{PROJECT}/validate", {}))[0] == 403


async def test_a_member_who_is_deleted_is_locked_out_and_leaves_what_they_made(sandbox: Sandbox) -> None:
    async with person(sandbox) as admin, person(sandbox, "editor") as editor:
        made = await editor.ask("POST", SPACES, {"name": "Kept", "inheritParentPermissions": True})
        await admin.ask("DELETE", f"/api/v1/org/user/{EDITOR}")
        assert (await editor.client.get("/api/v1/user")).status_code == 401
        assert (await admin.ask("GET", f"{SPACES}/{made['uuid']}"))["name"] == "Kept"
    assert not [key for key in facts(sandbox) if key.startswith("group_members/") and EDITOR in key]
