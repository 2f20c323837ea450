"""Content carried over from somewhere else, by promotion or as code: what became of each thing, and how it looks."""

from sqlite3 import Row

from aboveboard.lightdash.sandbox.charts import charts
from aboveboard.lightdash.sandbox.dashboards import dashboards
from aboveboard.lightdash.sandbox.routes import Call
from aboveboard.lightdash.sandbox.spaces import spaces
from aboveboard.lightdash.sandbox.store import Store

_SPACE = (
    "SELECT spaces.*, organization, (SELECT count(*) FROM charts WHERE space = spaces.uuid) AS charts,"
    " (SELECT count(*) FROM dashboards WHERE space = spaces.uuid) AS boards,"
    " (SELECT count(*) FROM spaces AS child WHERE child.parent = spaces.uuid) AS children"
    " FROM spaces JOIN projects ON projects.uuid = spaces.project WHERE spaces.uuid = ?"
)


def code_slug(path: str) -> str:
    """The slug of a space as code: those of its parents before it."""
    return path.replace("_", "-").replace(".", "/")


def code_path(slug: str) -> str:
    """The path of a space from its slug as code."""
    return slug.replace("-", "_").replace("/", ".")


def entry(action: str, data: dict[str, object]) -> dict[str, object]:
    """What became of one thing."""
    return {"action": action, "data": data}


def chart(row: Row, *, slug_path: bool = False, old: str = "") -> dict[str, object]:
    """A chart that was carried over; a new one's path is written as a slug."""
    slug = code_slug(row["space_path"]).rpartition("/")[2]
    path = code_slug(row["space_path"]) if slug_path else row["space_path"]
    return charts.plain(row) | {"spaceSlug": slug, "spacePath": path, "oldUuid": old or row["uuid"]}


def dashboard(store: Store, row: Row, *, slug_path: bool = False) -> dict[str, object]:
    """A dashboard that was carried over."""
    slug = code_slug(row["space_path"]).rpartition("/")[2]
    path = code_slug(row["space_path"]) if slug_path else row["space_path"]
    plain = dashboards.plain(row, dashboards.tiles_of(store, row["uuid"]))
    return plain | {"spaceSlug": slug, "spacePath": path}


def space(store: Store, uuid: str, *, new: bool = False) -> dict[str, object]:
    """A space that something was carried into; the counts of one that was there before are texts."""
    row = store.all(_SPACE, uuid)[0]
    counts = {"chartCount": row["charts"], "dashboardCount": row["boards"], "childSpaceCount": row["children"]}
    counts["appCount"] = 0
    shown: dict[str, object] = {
        "projectUuid": row["project"],
        "uuid": row["uuid"],
        "name": row["name"],
        "pinnedListUuid": None,
        "pinnedListOrder": None,
        "slug": row["slug"],
        "parentSpaceUuid": row["parent"],
        "path": row["path"],
        "inheritParentPermissions": bool(row["inherits"]),
        "projectMemberAccessRole": None,
    }
    if new:
        return shown | {"colorPaletteUuid": None} | dict.fromkeys(counts, 0)
    return shown | {"organizationUuid": row["organization"]} | {name: str(count) for name, count in counts.items()}


def find_space(store: Store, project: str, slug: str) -> Row | None:
    """A space by its slug as code."""
    return store.one("SELECT * FROM spaces WHERE project = ? AND path = ?", project, code_path(slug))


def make_space(call: Call, project: str, slug: str, *, public: bool) -> tuple[str, list[str]]:
    """A space by its slug as code, made with its parents where it is not there; and the UUIDs of those made."""
    made: list[str] = []
    above: Row | None = None
    names = slug.split("/")
    for place, name in enumerate(names):
        found = find_space(call.store, project, "/".join(names[: place + 1]))
        if found is None:
            title = name.replace("-", " ").capitalize()
            uuid = spaces.add(call, project, above, title, name, inherits=public or above is not None)
            made.append(uuid)
            found = call.store.all("SELECT * FROM spaces WHERE uuid = ?", uuid)[0]
        above = found
    return above["uuid"] if above else "", made
