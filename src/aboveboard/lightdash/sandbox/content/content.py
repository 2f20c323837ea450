"""Search over everything in the caller's projects: charts, dashboards and spaces in one paginated list."""

import json
import re
from sqlite3 import Row

from aboveboard.lightdash.sandbox import access
from aboveboard.lightdash.sandbox.checks import Checks
from aboveboard.lightdash.sandbox.content.saved import verification
from aboveboard.lightdash.sandbox.paging import Page, read_page
from aboveboard.lightdash.sandbox.routes import Call, Routes, as_uuid, storable

routes = Routes()

_TYPES = ("chart", "dashboard", "space", "data_app")
_SORTS = ("name", "space_name", "last_updated_at", "views")
_STOP_WORDS = frozenset({"a", "an", "and", "at", "by", "for", "in", "is", "of", "on", "or", "the", "to", "with"})

# Dashboards stand before charts whatever the order within a kind.
_ITEMS = """
SELECT 1 AS rank, 'dashboard' AS type, d.uuid, d.slug, d.name, d.description, d.created_at, d.created_by,
  d.updated_at, d.updated_by, d.project, d.space, d.views, d.first_viewed_at, NULL AS kind, NULL AS dashboard,
  d.space AS holder, NULL AS source
FROM dashboards AS d
UNION ALL
SELECT 2, 'chart', c.uuid, c.slug, c.name, c.description, c.created_at, NULL,
  c.updated_at, c.updated_by, c.project, c.space, c.views, c.first_viewed_at, c.kind, c.dashboard, c.space,
  'dbt_explore'
FROM charts AS c
UNION ALL
SELECT 2, 'chart', q.uuid, q.slug, q.name, q.description, q.created_at, NULL,
  q.updated_at, q.updated_by, q.project, q.space, q.views, q.first_viewed_at, q.kind, NULL, q.space, 'sql'
FROM sql_charts AS q
UNION ALL
SELECT 0, 'space', s.uuid, s.slug, s.name, NULL, s.created_at, s.created_by,
  s.created_at, NULL, s.project, s.uuid, 0, NULL, NULL, NULL, s.parent, NULL
FROM spaces AS s
"""
_QUERY = f"""
SELECT item.*, space.name AS space_name, space.path, space.inherits, space.parent, project.name AS project_name,
  organization.uuid AS organization, organization.name AS organization_name, board.name AS dashboard_name,
  author.first_name AS author_first, author.last_name AS author_last,
  maker.first_name AS maker_first, maker.last_name AS maker_last, pins.position AS pin,
  project.settings ->> '$.pinnedListUuid' AS pinned_list, verified_by, verified_at,
  verifier.first_name AS verifier_first, verifier.last_name AS verifier_last
FROM ({_ITEMS}) AS item
JOIN spaces AS space ON space.uuid = item.space
JOIN projects AS project ON project.uuid = item.project
JOIN organizations AS organization ON organization.uuid = project.organization
LEFT JOIN dashboards AS board ON board.uuid = item.dashboard
LEFT JOIN users AS author ON author.uuid = item.updated_by
LEFT JOIN users AS maker ON maker.uuid = item.created_by
LEFT JOIN pins ON pins.item = item.uuid
LEFT JOIN verifications ON verifications.item = item.uuid
LEFT JOIN users AS verifier ON verifier.uuid = verified_by
WHERE item.space IN (SELECT value FROM json_each(?1)) AND item.type IN (SELECT value FROM json_each(?2))
  AND (?3 IS NULL OR item.project IN (SELECT value FROM json_each(?3)))
  AND (?4 IS NULL OR item.uuid IN (SELECT value FROM json_each(?4)))
  AND CASE WHEN ?5 IS NULL THEN item.type <> 'space' OR item.holder IS NULL
    ELSE item.holder IN (SELECT value FROM json_each(?5)) END
"""  # noqa: S608 - fixed text
_SPACE_COUNTS = (
    "SELECT (SELECT count(*) FROM dashboards WHERE space = ?1) AS dashboards,"
    " (SELECT count(*) FROM charts WHERE space = ?1) AS charts,"
    " (SELECT count(*) FROM spaces WHERE parent = ?1) AS children,"
    " (SELECT json_group_array(user) FROM space_access WHERE space = ?1) AS people"
)
_ORDER = {
    "name": "lower(item.name)",
    "space_name": "lower(space.name)",
    "last_updated_at": "item.updated_at",
    "views": "item.views",
}


@routes.get("/api/v2/content")
def find_content(call: Call) -> object:
    """One page of what the caller may see; a project nobody knows is no error."""
    checks = Checks(call.query)
    projects, spaces, uuids = (checks.texts(name) for name in ("projectUuids", "spaceUuids", "uuids"))
    types = checks.texts("contentTypes", _TYPES) or ["chart", "dashboard", "data_app"]
    number, size = read_page(checks)
    search = checks.text("search")
    sort = checks.choice("sortBy", _SORTS) or "last_updated_at"
    direction = checks.literal("sortDirection", ("asc", "desc")) or "desc"
    checks.done()
    page = Page(number or 1, size or 10)
    rows = call.store.all(
        f"{_QUERY} ORDER BY rank, {_ORDER[sort]} {direction}, item.uuid",
        json.dumps([space.space["uuid"] for space in access.visible(access.spaces_of(call.store, call.user).values())]),
        json.dumps(types),
        json.dumps(projects) if projects else None,
        json.dumps([as_uuid(uuid) for uuid in uuids]) if uuids else None,
        json.dumps([as_uuid(uuid) for uuid in spaces]) if spaces else None,
    )
    if search:
        wanted = words(storable(search))
        rows = [row for row in rows if matches(row, wanted)]
    shown = rows[page.offset : page.offset + page.limit]
    return {"pagination": page.summary(len(rows)), "data": [_item(call, row) for row in shown]}


def words(text: str) -> set[str]:
    """The words of a search, without those that stand everywhere."""
    return _all_words(text) - _STOP_WORDS


def matches(row: Row, wanted: set[str]) -> bool:
    """Every word must begin some word of the name or the description."""
    there = _all_words(f"{row['name']} {row['description'] or ''}")
    return all(any(word.startswith(part) for word in there) for part in wanted)


def _all_words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower().replace("_", " ")))


def _item(call: Call, row: Row) -> dict[str, object]:
    head: dict[str, object] = {
        "contentType": row["type"],
        "uuid": row["uuid"],
        "slug": row["slug"],
        "name": row["name"],
        "description": row["description"],
        "createdAt": row["created_at"],
        "createdBy": _person(row["created_by"], row["maker_first"], row["maker_last"]),
        "lastUpdatedAt": row["updated_at"],
        "lastUpdatedBy": _person(row["updated_by"], row["author_first"], row["author_last"]),
        "project": {"uuid": row["project"], "name": row["project_name"]},
        "organization": {"uuid": row["organization"], "name": row["organization_name"]},
    }
    space = {"space": {"uuid": row["space"], "name": row["space_name"]}}
    place = {"order": row["pin"]} if row["type"] == "space" else {}
    pin = None if row["pin"] is None else {"uuid": row["pinned_list"], **place}
    views: dict[str, object] = {"pinnedList": pin, "views": row["views"], "firstViewedAt": row["first_viewed_at"]}
    if row["type"] == "dashboard":
        return head | space | views | {"verification": verification(row)}
    if row["type"] == "chart":
        board = {"uuid": row["dashboard"], "name": row["dashboard_name"]} if row["dashboard"] else None
        kind: dict[str, object] = {"source": row["source"], "chartKind": row["kind"]}
        return head | kind | space | {"dashboard": board} | views | {"verification": verification(row)}
    return head | space | views | _space_part(call, row)


def _space_part(call: Call, row: Row) -> dict[str, object]:
    counts = call.store.all(_SPACE_COUNTS, row["uuid"])[0]
    return {
        "parentSpaceUuid": row["parent"],
        "path": row["path"],
        "inheritParentPermissions": bool(row["inherits"]),
        "dashboardCount": counts["dashboards"],
        "chartCount": counts["charts"],
        "childSpaceCount": counts["children"],
        "appCount": 0,
        "verification": None,
        "access": json.loads(counts["people"]),
    }


def _person(uuid: str | None, first: str, last: str) -> dict[str, object] | None:
    return {"uuid": uuid, "firstName": first, "lastName": last} if uuid else None
