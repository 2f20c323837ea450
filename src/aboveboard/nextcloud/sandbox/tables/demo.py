"""The first state: what explains the app, for both people, and a table of expenses with a column of every type."""

from aboveboard.nextcloud.sandbox.calls import Call, Caller
from aboveboard.nextcloud.sandbox.store import Store
from aboveboard.nextcloud.sandbox.tables.access import Access
from aboveboard.nextcloud.sandbox.tables.row_store import RowStore
from aboveboard.nextcloud.sandbox.tables.templates import Column, add_columns, greet
from aboveboard.nextcloud.sandbox.tables.view_routes import add_view
from aboveboard.sandbox.store import Seed

_KINDS = '[{"id":0,"label":"Travel"},{"id":1,"label":"Büro"},{"id":2,"label":"Meals"}]'
_TAGS = '[{"id":0,"label":"refundable"},{"id":1,"label":"tax"},{"id":2,"label":"abroad"}]'
_PEOPLE = {"usergroupMultipleItems": True, "usergroupSelectUsers": True, "usergroupSelectGroups": True}
_COLUMNS: tuple[Column, ...] = (
    ("What", "text", {"subtype": "line", "mandatory": True, "textMaxLength": 60, "description": "In a few words"}),
    ("Notes", "text", {"subtype": "rich"}),
    ("Story", "text", {"subtype": "long"}),
    ("Receipt", "text", {"subtype": "link", "textAllowedPattern": "url,files"}),
    ("Amount", "number", {"numberPrefix": "€", "numberMin": 0, "numberMax": 10000, "numberDecimals": 2}),
    ("Worth it", "number", {"subtype": "stars", "numberDefault": 3}),
    ("Refunded", "number", {"subtype": "progress"}),
    ("Kind", "selection", {"selectionOptions": _KINDS, "selectionDefault": "1"}),
    ("Tags", "selection", {"subtype": "multi", "selectionOptions": _TAGS}),
    ("Paid", "selection", {"subtype": "check", "selectionDefault": "false"}),
    ("Booked", "datetime", {"datetimeDefault": "now"}),
    ("Day", "datetime", {"subtype": "date", "datetimeDefault": "today"}),
    ("At", "datetime", {"subtype": "time"}),
    ("Who", "usergroup", _PEOPLE),
)
_BOB, _TEAM = {"id": "bob", "type": 0}, {"id": "team", "type": 1}
_ROWS: tuple[tuple[object, ...], ...] = (
    (
        *("Train to Köln", "**Second** class", "There and back,\nwith a change in Hamm."),
        '{"title":"Ticket","value":"https://example.org/ticket","providerId":"url"}',
        *(89.9, 4, 100, 0, [0, 2], "true", "2026-01-03 18:20", "2026-01-02", "07:45", [_BOB]),
    ),
    ("Paper and pens", None, None, None, 23.5, 3, 0, 1, [1], "false", "2026-01-04 09:00", "2026-01-04", None, None),
    ("Dinner with customers", None, None, None, 142, 5, 50, 2, [0, 1], "true", None, "2026-01-05", "19:30", [_TEAM]),
    ("Taxi", *[None] * 13),
)


def _access(store: Store, uid: str) -> Access:
    call = Call(store, "POST", "/", {}, {}, b"", "")
    call.caller = Caller(uid, uid, admin=False, token=None)
    return Access(call)


def fill(store: Store) -> None:
    """Write the first tables."""
    for uid in ("admin", "bob"):
        store.tick()
        greet(_access(store, uid))
    access = _access(store, "admin")
    store.tick()
    table = store.insert(
        "data_tables",
        title="Expenses",
        emoji="💶",
        description="What we spent, and what came back.",
        archived=0,
        owner="admin",
        **access.signed(),
    )
    columns = add_columns(access, table, _COLUMNS)
    rows = RowStore(access, table)
    for values in _ROWS:
        store.tick()
        given = zip(columns, values, strict=True)
        rows.add({str(column): value for column, value in given if value is not None})
    chosen = [
        {"columnId": columns[place], "order": order, "readonly": False, "mandatory": False}
        for order, place in enumerate((0, 4, 9))
    ]
    paid = [[{"columnId": columns[4], "operator": "is-greater-than", "value": "50"}]]
    by_amount = [{"columnId": columns[4], "mode": "DESC"}]
    add_view(access, table, "Large ones", {"emoji": "🔭", "columnSettings": chosen, "filter": paid, "sort": by_amount})
    store.insert(
        "data_shares",
        node_type="table",
        node_id=table,
        sender="admin",
        receiver="team",
        receiver_type="group",
        rights=["read"],
        **access.signed(),
    )


seed = Seed(fill)
