"""Short links to a page of the instance."""

from sqlite3 import Row

from aboveboard.lightdash.sandbox import contracts
from aboveboard.lightdash.sandbox.contracts import TEXT, Object
from aboveboard.lightdash.sandbox.routes import Call, Created, Routes, storable
from aboveboard.lightdash.sandbox.wire import forbidden, missing
from aboveboard.sandbox.table import Table

SHARE_LINKS_TABLE = Table(
    "share_links",
    "nanoid TEXT PRIMARY KEY, organization TEXT, path TEXT, params TEXT, created_by TEXT",
)

routes = Routes()

_HOST = "http://localhost"


@routes.post("/api/v1/share")
def create_link(call: Call) -> object:
    """A new link, also to a page that has one already."""
    body = contracts.read(call.body, Object(params=TEXT, path=TEXT))
    nanoid = call.store.new_uuid().replace("-", "")[:21]
    page = {"path": storable(body["path"]), "params": storable(body["params"])}
    author = {"organization": call.user["organization"], "created_by": call.user["uuid"]}
    call.store.insert("share_links", nanoid=nanoid, **page, **author)
    return Created(_link(call.store.all("SELECT * FROM share_links WHERE nanoid = ?", nanoid)[0]))


@routes.get("/api/v1/share/{link}")
def get_link(call: Call) -> object:
    """Where a link leads, for people of the organisation it was made in."""
    row = call.store.one("SELECT * FROM share_links WHERE nanoid = ?", storable(call.params["link"]))
    if row is None:
        raise missing("Shared link does not exist")
    if row["organization"] != call.user["organization"]:
        raise forbidden()
    return _link(row)


def _link(row: Row) -> dict[str, object]:
    return {
        "path": row["path"],
        "params": row["params"],
        "nanoid": row["nanoid"],
        "organizationUuid": row["organization"],
        "createdByUserUuid": row["created_by"],
        "host": _HOST,
        "shareUrl": f"{_HOST}/share/{row['nanoid']}",
        "url": row["path"] + row["params"],
    }
