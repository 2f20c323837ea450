"""Who may do what with which table: its owner everything, others what it is shared with them for."""

import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from aboveboard.nextcloud.sandbox.calls import Call, to_int
from aboveboard.nextcloud.sandbox.store import Store
from aboveboard.nextcloud.sandbox.tables.table_facts import read_column
from aboveboard.nextcloud.sandbox.wire import Halt, json_response
from aboveboard.sandbox.wire import Response

RIGHTS = ("read", "create", "update", "delete", "manage")
TABLE, VIEW = 0, 1
NODES = {"table": TABLE, "view": VIEW}


def nothing(status: int) -> Halt:
    """A refusal without a word, which is how this app says 400, 403 and 404."""
    return Halt(Response(status))


def api_refusal(status: int, message: str) -> Halt:
    """A refusal of the first API, in JSON."""
    return Halt(json_response({"message": message}, status))


def none_found(status: int, table: str, where: str = "") -> Halt:
    """What the database said, handed on."""
    query = f'query "SELECT * FROM `*PREFIX*tables_{table}` WHERE `id` = :dcValue1"; '  # noqa: S608 - no query
    return api_refusal(status, f"{where}Did expect one result but found none when executing: {query}")


def moment(seconds: int) -> str:
    """A time as this app writes it."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S")


def stamps(row: sqlite3.Row) -> dict[str, Any]:
    """Who made something, who changed it last, and when."""
    return {
        "createdBy": row["created_by"],
        "createdAt": moment(row["created_at"]),
        "lastEditBy": row["edited_by"],
        "lastEditAt": moment(row["edited_at"]),
    }


def new_uuid(store: Store) -> str:
    """An id that is never given out twice."""
    text = store.secret(32)
    return f"{text[:8]}-{text[8:12]}-7{text[13:16]}-8{text[17:20]}-{text[20:32]}"


class Access:
    """The tables as one person sees them."""

    def __init__(self, call: Call) -> None:
        self.call, self.store, self.uid = call, call.store, call.uid

    def tables(self) -> Iterator[sqlite3.Row]:
        """Every table that this person may see."""
        for table in self.store.all("SELECT * FROM data_tables ORDER BY id"):
            if self.rights(table):
                yield table

    def table(self, number: object, right: str = "read") -> sqlite3.Row:
        """One table, for someone who has a right to it; for others there is none."""
        found = self.store.one("SELECT * FROM data_tables WHERE id = ?", to_int(number))
        rights = self.rights(found) if found else set[str]()
        if found is None or not rights:
            raise nothing(404)
        if right not in rights:
            raise nothing(403)
        return found

    def rights(self, table: sqlite3.Row) -> set[str]:
        """What this person may do with a table."""
        if table["owner"] == self.uid:
            return set(RIGHTS)
        return self._shared("table", table["id"])

    def view_rights(self, view: sqlite3.Row, table: sqlite3.Row) -> set[str]:
        """What this person may do with a view."""
        return self.rights(table) | self._shared("view", view["id"])

    def _shared(self, kind: str, number: int) -> set[str]:
        shares = self.store.all("SELECT * FROM data_shares WHERE node_type = ? AND node_id = ?", kind, number)
        granted = {right for share in shares if self._meant(share) for right in read_column(share["rights"])}
        return set(RIGHTS) if "manage" in granted else granted

    def _meant(self, share: sqlite3.Row) -> bool:
        if share["receiver_type"] == "user":
            return share["receiver"] == self.uid
        mine = self.store.one("SELECT 1 FROM members WHERE gid = ? AND uid = ?", share["receiver"], self.uid)
        return mine is not None

    def has_shares(self, kind: str, number: int) -> bool:
        """Whether something is shared with anybody."""
        found = self.store.one("SELECT 1 FROM data_shares WHERE node_type = ? AND node_id = ?", kind, number)
        return found is not None

    def favorite(self, kind: int, number: int) -> bool:
        """Whether this person starred something."""
        sql = "SELECT 1 FROM data_favorites WHERE uid = ? AND node_type = ? AND node_id = ?"
        return self.store.one(sql, self.uid, kind, number) is not None

    def name_of(self, uid: str) -> str:
        """How someone is called."""
        user = self.store.one("SELECT displayname FROM users WHERE uid = ?", uid)
        return user["displayname"] if user else uid

    def count(self, kind: str, table: int) -> int:
        """How many rows or columns a table has."""
        return self.store.all(f"SELECT COUNT(*) FROM data_{kind} WHERE table_id = ?", table)[0][0]  # noqa: S608

    def signed(self) -> dict[str, object]:
        """What is noted with something new."""
        return {"created_by": self.uid, "created_at": self.store.now(), **self.edited()}

    def edited(self) -> dict[str, object]:
        """What is noted with a change."""
        return {"edited_by": self.uid, "edited_at": self.store.now()}
