"""Comments on the tiles of a dashboard, and replies to them."""

import json
from html.parser import HTMLParser
from sqlite3 import Row
from typing import cast

from aboveboard.lightdash.sandbox import contracts
from aboveboard.lightdash.sandbox.checks import Checks
from aboveboard.lightdash.sandbox.contracts import ANYTHING, FLAG, TEXT, Maybe, Object
from aboveboard.lightdash.sandbox.dashboards import dashboards
from aboveboard.lightdash.sandbox.routes import DONE, Call, Routes, as_uuid, storable
from aboveboard.lightdash.sandbox.store import TIMES
from aboveboard.lightdash.sandbox.wire import CrashError, forbidden, missing
from aboveboard.sandbox.table import Table

COMMENTS_TABLE = Table(
    "comments",
    "uuid TEXT PRIMARY KEY, dashboard TEXT REFERENCES dashboards ON DELETE CASCADE, tile TEXT, text TEXT, html"
    " TEXT, reply_to TEXT REFERENCES comments ON DELETE CASCADE, mentions TEXT, user TEXT, resolved INTEGER,"
    " created_at TEXT",
    derived=TIMES,
    json={"mentions"},
    flags={"resolved"},
    indexes=("dashboard",),
)

routes = Routes()

_COMMENTS = "/api/v1/comments/dashboards/{dashboard}"
_NEW = Object(mentions=ANYTHING, textHtml=TEXT, text=TEXT, replyTo=Maybe(TEXT))
_COMMENT_ROLES = {"interactive_viewer", "editor", "developer", "admin"}
_ALLOWED_TAGS = frozenset(
    [
        "a",
        "b",
        "blockquote",
        "br",
        "code",
        "em",
        "h1",
        "h2",
        "h3",
        "i",
        "li",
        "ol",
        "p",
        "pre",
        "s",
        "span",
        "strong",
        "u",
        "ul",
    ]
)
_SILENT_TAGS = frozenset({"script", "style", "textarea", "option"})


@routes.get(_COMMENTS)
@routes.get("/api/v2/projects/{project}/dashboards/{dashboard}/comments")
def list_comments(call: Call) -> object:
    """Comments by tile, with their replies: the open ones, or the resolved ones if asked for."""
    checks = Checks(call.query)
    resolved = bool(checks.flag("resolved"))
    checks.done()
    board = dashboards.by_name(call)
    space = dashboards.readable(call, board, forbidden())
    rows = call.store.all(
        "SELECT comments.*, first_name, last_name FROM comments LEFT JOIN users ON users.uuid = user"
        " WHERE dashboard = ? AND resolved = ? ORDER BY comments.rowid",
        board["uuid"],
        resolved,
    )
    found: dict[str, list[object]] = {}
    for row in rows:
        if row["reply_to"] is None:
            found.setdefault(row["tile"], []).append(_comment(call, row, rows, any_author=space.project_role.may_make))
    return found


@routes.post(f"{_COMMENTS}/{{tile}}")
def create_comment(call: Call) -> object:
    """A new comment; the answer is its UUID and nothing else, and HTML that could do harm is taken out."""
    body = contracts.read(call.body, _NEW)
    board = dashboards.by_name(call)
    _may_comment(call, board)
    tile = call.uuid("tile")
    if call.store.one("SELECT 1 FROM tiles WHERE dashboard = ? AND uuid = ?", board["uuid"], tile) is None:
        raise missing("Dashboard tile not found for dashboard")
    mentions = body["mentions"]
    if not isinstance(mentions, list):
        raise CrashError
    uuid = call.store.new_uuid()
    call.store.insert(
        "comments",
        uuid=uuid,
        dashboard=board["uuid"],
        tile=tile,
        text=storable(body["text"]),
        html=_clean(storable(body["textHtml"])),
        reply_to=as_uuid(body["replyTo"]) if body.get("replyTo") else None,
        mentions=contracts.as_list(cast("object", mentions)),
        user=call.user["uuid"],
        resolved=False,
        created_at=call.store.now(),
    )
    return uuid


@routes.patch(f"{_COMMENTS}/{{comment}}")
def resolve_comment(call: Call) -> object:
    """Mark a comment and its replies as resolved, or open them again."""
    body = contracts.read(call.body, Object(resolved=FLAG))
    board = dashboards.by_name(call)
    _may_comment(call, board)
    uuid = _find(call, board)["uuid"]
    resolved = body["resolved"] in {True, "true"}
    call.store.run("UPDATE comments SET resolved = ? WHERE uuid = ? OR reply_to = ?", resolved, uuid, uuid)
    return DONE


@routes.delete(f"{_COMMENTS}/{{comment}}")
def delete_comment(call: Call) -> object:
    """Remove a comment with its replies: one's own, or anybody's for those who may edit."""
    board = dashboards.by_name(call)
    space = dashboards.readable(call, board)
    row = _find(call, board)
    if row["user"] != call.user["uuid"] and not space.project_role.may_make:
        raise forbidden()
    call.store.run("DELETE FROM comments WHERE uuid = ?", row["uuid"])
    return DONE


def _may_comment(call: Call, board: Row) -> None:
    space = dashboards.readable(call, board, forbidden())
    if space.project_role.name not in _COMMENT_ROLES:
        raise forbidden()


def _find(call: Call, board: Row) -> Row:
    query = "SELECT * FROM comments WHERE uuid = ? AND dashboard = ?"
    row = call.store.one(query, call.uuid("comment"), board["uuid"])
    if row is None:
        raise missing("Comment not found")
    return row


def _comment(call: Call, row: Row, rows: list[Row], *, any_author: bool) -> dict[str, object]:
    replies = [one for one in rows if one["reply_to"] == row["uuid"]]
    name = f"{row['first_name']} {row['last_name']}"
    return {
        "commentId": row["uuid"],
        "text": row["text"],
        "textHtml": row["html"],
        **({"replyTo": row["reply_to"]} if row["reply_to"] else {}),
        "user": {"name": name, "userUuid": row["user"], "avatarUrl": None, "avatarGradient": None},
        "createdAt": row["created_at"],
        "resolved": bool(row["resolved"]),
        "replies": [_comment(call, one, rows, any_author=any_author) for one in replies],
        "canRemove": any_author or row["user"] == call.user["uuid"],
        "mentions": json.loads(row["mentions"]),
    }


class _Cleaner(HTMLParser):
    """Keeps harmless tags without their attributes, and text that is no script."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.parts: list[str] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._silent += tag in _SILENT_TAGS
        if tag in _ALLOWED_TAGS and not self._silent:
            links = [f' href="{value}"' for name, value in attrs if (tag, name) == ("a", "href") and _is_link(value)]
            self.parts.append(f"<{tag}{''.join(links)}>")

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in _SILENT_TAGS and self._silent > 0
        if tag in _ALLOWED_TAGS and tag != "br" and not self._silent:
            self.parts.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.parts.append(data)

    def handle_entityref(self, name: str) -> None:
        self.handle_data(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self.handle_data(f"&#{name};")


def _is_link(value: str | None) -> bool:
    return bool(value) and str(value).startswith(("https://", "http://", "mailto:")) and '"' not in str(value)


def _clean(html: str) -> str:
    cleaner = _Cleaner()
    cleaner.feed(html)
    cleaner.close()
    return "".join(cleaner.parts)
