"""Tags of a project, which metrics are sorted by. Those from the project's YAML are replaced as a whole."""

from sqlite3 import Row

from aboveboard.lightdash.sandbox import access, contracts
from aboveboard.lightdash.sandbox.contracts import TEXT, UNDEFINED, All, Maybe, Object, Union
from aboveboard.lightdash.sandbox.routes import DONE, Call, Created, Routes, storable
from aboveboard.lightdash.sandbox.store import TIMES
from aboveboard.lightdash.sandbox.wire import CrashError, forbidden, missing
from aboveboard.sandbox.table import Table

TAGS_TABLE = Table(
    "tags",
    "uuid TEXT PRIMARY KEY, project TEXT REFERENCES projects ON DELETE CASCADE, name TEXT, color TEXT,"
    " yaml_reference TEXT, created_by TEXT, created_at TEXT",
    derived=TIMES,
)

routes = Routes()

_TAGS = "/api/v1/projects/{project}/tags"
_NEW = Object(name=TEXT, color=TEXT)
_OPTIONAL = Maybe(Union(TEXT, UNDEFINED))
_CHANGED = Object(name=_OPTIONAL, color=_OPTIONAL)
_FROM_YAML = All(_NEW, Object(yamlReference=TEXT))


@routes.get(_TAGS)
def list_tags(call: Call) -> object:
    """The tags of a project."""
    rows = call.store.all(
        "SELECT tags.*, first_name, last_name FROM tags LEFT JOIN users ON users.uuid = created_by"
        " WHERE project = ? ORDER BY tags.rowid",
        access.project(call)["uuid"],
    )
    return [_tag(row) for row in rows]


@routes.post(_TAGS)
def create_tag(call: Call) -> object:
    """A new tag; any name and any colour will do, twice too."""
    body = contracts.read(call.body, _NEW)
    project = access.project(call)["uuid"]
    if not access.role_in(call.store, call.user, project).may_make:
        raise forbidden()
    return Created({"tagUuid": _add(call, project, body["name"], body["color"], None)})


@routes.patch(f"{_TAGS}/{{tag}}")
def update_tag(call: Call) -> object:
    """A new name or colour; the project of the path is not looked at, and a body without either crashes."""
    body = contracts.read(call.body, _CHANGED)
    row = _find(call)
    changes = {key: storable(body[key]) for key in ("name", "color") if body.get(key) is not None}
    if not changes:
        raise CrashError
    call.store.update("tags", row["uuid"], **changes)
    return DONE


@routes.delete(f"{_TAGS}/{{tag}}")
def delete_tag(call: Call) -> object:
    """Remove a tag."""
    call.store.run("DELETE FROM tags WHERE uuid = ?", _find(call)["uuid"])
    return DONE


@routes.put(f"{_TAGS}/yaml")
def replace_yaml_tags(call: Call) -> object:
    """The tags that the project's YAML declares; those it no longer does are gone."""
    wanted = contracts.read_list(call.body, _FROM_YAML)
    project = access.known_project(call)
    role = access.role(call, project)
    if role is None or not role.may_make:
        raise forbidden("User does not have permission to manage YAML tags in project")
    with call.store.change():
        call.store.run("DELETE FROM tags WHERE project = ? AND yaml_reference IS NOT NULL", project["uuid"])
        for tag in wanted:
            _add(call, project["uuid"], tag["name"], tag["color"], tag["yamlReference"])
    return DONE


def _find(call: Call) -> Row:
    row = call.store.one("SELECT * FROM tags WHERE uuid = ?", call.uuid("tag"))
    if row is None:
        raise missing("Tag not found")
    owner = call.store.all("SELECT * FROM projects WHERE uuid = ?", row["project"])[0]
    role = access.role(call, owner)
    if role is None or not role.may_make:
        raise forbidden()
    return row


def _add(call: Call, project: str, name: str, color: str, reference: str | None) -> str:
    uuid = call.store.new_uuid()
    author = {"created_by": call.user["uuid"], "created_at": call.store.now()}
    look = {"name": storable(name), "color": storable(color), "yaml_reference": reference}
    call.store.insert("tags", uuid=uuid, project=project, **look, **author)
    return uuid


def _tag(row: Row) -> dict[str, object]:
    return {
        "tagUuid": row["uuid"],
        "projectUuid": row["project"],
        "name": row["name"],
        "color": row["color"],
        "createdAt": row["created_at"],
        "yamlReference": row["yaml_reference"],
        "createdBy": {"userUuid": row["created_by"], "firstName": row["first_name"], "lastName": row["last_name"]},
    }
