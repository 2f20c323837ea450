"""Spaces: the folders of a project, nested, open or private."""

import json
from collections.abc import Mapping
from sqlite3 import Row
from typing import cast

from aboveboard.lightdash.sandbox import access
from aboveboard.lightdash.sandbox.access import SpaceAccess
from aboveboard.lightdash.sandbox.charts import charts
from aboveboard.lightdash.sandbox.checks import Checks
from aboveboard.lightdash.sandbox.content import trash
from aboveboard.lightdash.sandbox.content.saved import pin_fields, slug_of
from aboveboard.lightdash.sandbox.dashboards import dashboards
from aboveboard.lightdash.sandbox.routes import DONE, Call, Routes, as_uuid, storable
from aboveboard.lightdash.sandbox.store import TIMES
from aboveboard.lightdash.sandbox.wire import forbidden, missing
from aboveboard.sandbox.table import Table

SPACES_TABLE = Table(
    "spaces",
    "uuid TEXT PRIMARY KEY, project TEXT REFERENCES projects ON DELETE CASCADE, parent TEXT REFERENCES spaces ON"
    " DELETE CASCADE, name TEXT, slug TEXT, path TEXT, inherits INTEGER, created_by TEXT, created_at TEXT",
    derived=TIMES,
    flags={"inherits"},
    indexes=("project",),
)

SPACE_ACCESS_TABLE = Table(
    "space_access",
    "space TEXT REFERENCES spaces ON DELETE CASCADE, user TEXT REFERENCES users ON DELETE CASCADE, role TEXT,"
    " PRIMARY KEY (space, user)",
    indexes=("user",),
)

routes = Routes()

_SPACES = "/api/v1/projects/{project}/spaces"
_COUNTS = (
    "SELECT spaces.uuid, (SELECT count(*) FROM charts WHERE space = spaces.uuid) AS charts,"
    " (SELECT count(*) FROM dashboards WHERE space = spaces.uuid) AS dashboards,"
    " (SELECT count(*) FROM spaces AS child WHERE child.parent = spaces.uuid) AS children,"
    " (SELECT json_group_array(user) FROM space_access WHERE space = spaces.uuid) AS people,"
    " pins.position AS pin, settings ->> '$.pinnedListUuid' AS pinned_list"
    " FROM spaces JOIN projects ON projects.uuid = spaces.project LEFT JOIN pins ON pins.item = spaces.uuid"
    " WHERE spaces.project = ? ORDER BY spaces.uuid"
)
_TREE = (
    "WITH RECURSIVE tree AS (SELECT * FROM spaces WHERE uuid = ?"
    " UNION ALL SELECT spaces.* FROM spaces JOIN tree ON spaces.parent = tree.uuid)"
)
_INSIDE = "SELECT uuid, name, space FROM {} WHERE space IN (SELECT uuid FROM tree) ORDER BY rowid"


@routes.get(_SPACES)
def list_spaces(call: Call) -> object:
    """The spaces of a project that the caller may see."""
    project = access.project(call)
    return _summaries(call, project["uuid"], project["organization"])


@routes.post(_SPACES)
def create_space(call: Call) -> object:
    """A new space, private unless it is asked to inherit."""
    checks = Checks(call.body, "body.")
    name = checks.needed_text("name")
    inherits = bool(checks.flag("inheritParentPermissions"))
    parent = checks.text("parentSpaceUuid")
    shares = _read_shares(call.body, checks)
    checks.done()
    project = access.project(call)
    if not access.role_in(call.store, call.user, project["uuid"]).may_make:
        raise forbidden()
    above = _parent(call, parent) if parent else None
    slug = call.store.unique_slug("spaces", project["uuid"], slug_of(call.store, storable(name, 255)))
    with call.store.change():
        uuid = add(call, project["uuid"], above, storable(name, 255), slug, inherits=inherits, shares=dict(shares))
    return full(call, uuid)


def add(
    call: Call,
    project: str,
    above: Row | None,
    name: str,
    slug: str,
    *,
    inherits: bool,
    shares: Mapping[str, str] | None = None,
) -> str:
    """Store a new space, which its maker administers; its UUID."""
    uuid, path = call.store.new_uuid(), slug.replace("-", "_")
    call.store.insert(
        "spaces",
        uuid=uuid,
        project=project,
        parent=above["uuid"] if above else None,
        name=name,
        slug=slug,
        path=f"{above['path']}.{path}" if above else path,
        inherits=inherits,
        created_by=call.user["uuid"],
        created_at=call.store.now(),
    )
    for user, role in {**(shares or {}), call.user["uuid"]: "admin"}.items():
        call.store.insert("space_access", space=uuid, user=user, role=role)
    return uuid


@routes.get(f"{_SPACES}/{{space}}")
def get_space(call: Call) -> object:
    uuid = call.uuid("space")
    project = call.uuid("project")
    row = call.store.one("SELECT project FROM spaces WHERE uuid = ?", uuid)
    if row is None:
        raise missing(f"space with spaceUuid {call.params['space']} does not exist")
    if not _allowed(call, uuid).role:
        raise forbidden()
    if row["project"] != project:
        raise missing(f"Space with uuid {call.params['space']} not found")
    return full(call, uuid)


# The real server looks at the space alone in the next three: any project in the path will do.


@routes.patch(f"{_SPACES}/{{space}}")
def update_space(call: Call) -> object:
    """A new name; the slug stays."""
    checks = Checks(call.body, "body.")
    name = checks.needed_text("name")
    inherits = checks.flag("inheritParentPermissions")
    checks.done()
    uuid = manageable(call)
    call.store.run(
        "UPDATE spaces SET name = ?, inherits = coalesce(?, inherits) WHERE uuid = ?",
        storable(name, 255),
        inherits,
        uuid,
    )
    return full(call, uuid)


@routes.delete(f"{_SPACES}/{{space}}")
def delete_space(call: Call) -> object:
    """Charts, dashboards and child spaces go with it."""
    uuid = manageable(call)
    trash.remove(call, "space", call.store.all("SELECT * FROM spaces WHERE uuid = ?", uuid)[0])
    return DONE


@routes.get(f"{_SPACES}/{{space}}/delete-impact")
def delete_impact(call: Call) -> object:
    """What deleting the space would take with it."""
    uuid = manageable(call)
    spaces = call.store.all(f"{_TREE} SELECT uuid, name, parent FROM tree", uuid)  # noqa: S608 - fixed text
    found = {table: call.store.all(f"{_TREE} {_INSIDE.format(table)}", uuid) for table in ("charts", "dashboards")}
    return {
        "spaces": [
            {
                "uuid": space["uuid"],
                "name": space["name"],
                "parentSpaceUuid": space["parent"],
                "chartCount": sum(row["space"] == space["uuid"] for row in found["charts"]),
                "dashboardCount": sum(row["space"] == space["uuid"] for row in found["dashboards"]),
                "appCount": 0,
            }
            for space in spaces
        ],
        "charts": [_affected(row) for row in found["charts"]],
        "dashboards": [_affected(row) for row in found["dashboards"]],
        "apps": [],
        "chartCount": len(found["charts"]),
        "dashboardCount": len(found["dashboards"]),
        "appCount": 0,
    }


def _read_shares(body: object, checks: Checks) -> list[tuple[str, str]]:
    found: object = cast("dict[str, object]", body).get("access") if isinstance(body, dict) else None
    entries = cast("list[dict[str, str]]", found) if isinstance(found, list) else []
    for place, entry in enumerate(entries):
        checks.choice("role", access.SPACE_ROLES, f"access.${place}.role", entry.get("role"))
    return [(entry.get("userUuid", ""), entry.get("role", "viewer")) for entry in entries]


def _parent(call: Call, wanted: str) -> Row:
    row = call.store.one("SELECT * FROM spaces WHERE uuid = ?", as_uuid(wanted))
    if row is None:
        raise missing(f"Space with spaceUuid {wanted} does not exist")
    if not _allowed(call, row["uuid"]).may_edit:
        raise forbidden()
    return row


def _allowed(call: Call, uuid: str) -> SpaceAccess:
    """The caller's access to a space; one that is missing or of another organisation is refused alike."""
    found = access.spaces_of(call.store, call.user).get(uuid)
    if found is None:
        raise forbidden()
    return found


def manageable(call: Call) -> str:
    """The UUID of the path's space, for those who may change or delete it."""
    uuid = call.uuid("space")
    if not _allowed(call, uuid).may_manage:
        raise forbidden()
    return uuid


def _affected(row: Row) -> dict[str, object]:
    return {"uuid": row["uuid"], "name": row["name"], "spaceUuid": row["space"]}


def _head(space: Row, organization: str) -> dict[str, object]:
    return {
        "organizationUuid": organization,
        "name": space["name"],
        "uuid": space["uuid"],
        "projectUuid": space["project"],
        "slug": space["slug"],
        "parentSpaceUuid": space["parent"],
        "path": space["path"],
        "inheritParentPermissions": bool(space["inherits"]),
        "projectMemberAccessRole": None,
    }


def _summaries(call: Call, project: str, organization: str, parent: str = "") -> list[dict[str, object]]:
    """Spaces with their counts, which are strings here because the real server forgets to turn them into numbers."""
    allowed = access.spaces_of(call.store, call.user)
    counts = [(row, allowed[row["uuid"]]) for row in call.store.all(_COUNTS, project)]
    return [
        {
            **_head(mine.space, organization),
            **pin_fields(row),
            "chartCount": str(row["charts"]),
            "dashboardCount": str(row["dashboards"]),
            "childSpaceCount": str(row["children"]),
            "appCount": "0",
            "inheritsFromOrgOrProject": mine.open,
            "access": people(row),
            "userAccess": mine.entry(),
        }
        for row, mine in counts
        if mine.role and (not parent or mine.space["parent"] == parent)
    ]


def people(row: Row) -> list[str]:
    """Whom a space is shared with, from a row of counts."""
    return cast("list[str]", json.loads(row["people"]))


def full(call: Call, uuid: str) -> dict[str, object]:
    """A space with all that is in it."""
    allowed = access.spaces_of(call.store, call.user)
    mine = allowed[uuid]
    organization = call.user["organization"]
    inside = "WHERE {0}.space = ? ORDER BY {0}.updated_at DESC, {0}.rowid"
    held = call.store.all(f"{charts.CHARTS} {inside.format('charts')}", uuid)
    boards = call.store.all(f"{dashboards.DASHBOARDS} {inside.format('dashboards')}", uuid)
    return {
        **_head(mine.space, organization),
        **pin_fields(next(row for row in call.store.all(_COUNTS, mine.space["project"]) if row["uuid"] == uuid)),
        "colorPaletteUuid": None,
        "inheritsFromOrgOrProject": mine.open,
        "queries": [charts.summary(call, row) for row in held],
        "dashboards": [dashboards.summary(call, row) for row in boards],
        "childSpaces": _summaries(call, mine.space["project"], organization, parent=uuid),
        "access": [mine.person_entry()],
        "groupsAccess": _groups(call, uuid),
        "breadcrumbs": _breadcrumbs(mine, allowed),
    }


def _groups(call: Call, uuid: str) -> list[dict[str, object]]:
    rows = call.store.all(
        "SELECT groups.uuid, name, role FROM space_group_access JOIN groups ON groups.uuid = group_uuid"
        " WHERE space = ?",
        uuid,
    )
    return [{"groupUuid": row["uuid"], "groupName": row["name"], "spaceRole": row["role"]} for row in rows]


def _breadcrumbs(mine: SpaceAccess, allowed: dict[str, SpaceAccess]) -> list[dict[str, object]]:
    trail: list[dict[str, object]] = []
    step: SpaceAccess | None = mine
    while step:
        trail.insert(0, {"name": step.space["name"], "uuid": step.space["uuid"], "hasAccess": bool(step.role)})
        step = allowed.get(step.space["parent"])
    return trail
