"""Sharing of tables and views with people and groups; the same share again is another share."""

import sqlite3
from typing import Any

from aboveboard.nextcloud.sandbox.calls import Call, Routes
from aboveboard.nextcloud.sandbox.tables.access import NODES, RIGHTS, Access, api_refusal, moment, none_found
from aboveboard.nextcloud.sandbox.tables.table_facts import read_column
from aboveboard.nextcloud.sandbox.wire import bad_argument, json_response
from aboveboard.sandbox.wire import Response

V1 = "/apps/tables/api/1"

routes = Routes()


def _describe(access: Access, share: sqlite3.Row, *, named: bool = True) -> dict[str, Any]:
    rights = read_column(share["rights"])
    return {
        "id": share["id"],
        "nodeId": share["node_id"],
        "nodeType": share["node_type"],
        **{f"permission{right.title()}": right in rights for right in RIGHTS},
        "sender": share["sender"],
        "receiver": share["receiver"],
        "receiverDisplayName": access.name_of(share["receiver"]) if named else None,
        "receiverType": share["receiver_type"],
        "token": None,
        "password": None,
        "createdAt": moment(share["created_at"]),
        "lastEditAt": moment(share["edited_at"]),
    }


@routes.page("POST", f"{V1}/shares")
def create_share(call: Call) -> Response:
    """Share a table or a view; nobody looks whether there is such a person."""
    kind, receiver = call.text("nodeType"), call.text("receiver")
    if kind not in NODES or not receiver:
        raise bad_argument()
    access = Access(call)
    number = call.number("nodeId")
    table = number
    if kind == "view":
        view = call.store.one("SELECT table_id FROM data_views WHERE id = ?", number)
        table = view["table_id"] if view else 0
    access.table(table, "manage")
    made = call.store.insert(
        "data_shares",
        node_type=kind,
        node_id=number,
        sender=call.uid,
        receiver=receiver,
        receiver_type=call.text("receiverType"),
        rights=[right for right in RIGHTS if call.flag(f"permission{right.title()}")],
        **access.signed(),
    )
    return json_response(_describe(access, call.store.all("SELECT * FROM data_shares WHERE id = ?", made)[0]))


def _share(call: Call, where: str = "") -> tuple[Access, sqlite3.Row]:
    share = call.store.one("SELECT * FROM data_shares WHERE id = ?", call.number("shareId"))
    if share is None:
        raise none_found(404, "shares", where)
    if call.uid not in (share["sender"], share["receiver"]):
        raise api_refusal(403, "no permission")
    return Access(call), share


@routes.page("GET", f"{V1}/shares/{{shareId}}")
def get_share(call: Call) -> Response:
    """One share; here the receiver has no name."""
    access, share = _share(call)
    return json_response(_describe(access, share, named=False))


@routes.page("GET", f"{V1}/tables/{{tableId}}/shares")
def list_shares(call: Call) -> Response:
    """With whom a table is shared."""
    access = Access(call)
    table = access.table(call.arguments["tableId"])["id"]
    shares = call.store.all("SELECT * FROM data_shares WHERE node_type = 'table' AND node_id = ? ORDER BY id", table)
    return json_response([_describe(access, share) for share in shares])


@routes.page("PUT", f"{V1}/shares/{{shareId}}")
def update_share(call: Call) -> Response:
    """Give or take one right."""
    right, value = call.text("permissionType"), call.arguments.get("permissionValue")
    if right not in RIGHTS or value is None:
        raise bad_argument()
    access, share = _share(call)
    rights = [one for one in read_column(share["rights"]) if one != right] + ([right] if value else [])
    call.store.update("data_shares", share["id"], rights=rights, **access.edited())
    return json_response(_describe(access, call.store.all("SELECT * FROM data_shares WHERE id = ?", share["id"])[0]))


@routes.page("PUT", f"{V1}/shares/{{shareId}}/display-mode")
def set_display_mode(_: Call) -> Response:
    """Only a share of an application is shown in the navigation."""
    raise bad_argument()


@routes.page("DELETE", f"{V1}/shares/{{shareId}}")
def delete_share(call: Call) -> Response:
    """End a share."""
    access, share = _share(call, "OCA\\Tables\\Service\\ShareService - delete: ")
    call.store.run("DELETE FROM data_shares WHERE id = ?", share["id"])
    return json_response(_describe(access, share))
