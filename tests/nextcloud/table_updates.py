"""Every field of a table, a column and a row that a tool can change, changed alone, in the table of odd_tables.py."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from tests.nextcloud.update import Update

_TABLE: Final = "tables/admin/{table}"


def of_table(change: str, **arguments: Any) -> Update:
    return Update({"table_id": "{table}", **arguments}, [f"{_TABLE}/{change}"])


def of_column(name: str, *changes: str, **arguments: Any) -> Update:
    return Update(
        {"column_id": f"{{{name} column}}", **arguments},
        [f"{_TABLE}/columns/{{{name} column}}/{change}" for change in changes],
    )


def of_cell(name: str, value: Any) -> Update:
    column = f"{{{name} column}}"
    return Update({"row_id": "{row}", "data": {column: value}}, [f"{_TABLE}/rows/{{row}}/cells/{column}"])


UPDATES: Final[Mapping[str, Sequence[Update]]] = {
    "nc_tables_update_table": [
        of_table("title", title="Other"),
        of_table("emoji", emoji="🦄"),
        of_table("description", description=""),
        of_table("archived", archived=False),
    ],
    "nc_tables_update_column": [
        of_column("line", "title", title="Other"),
        of_column("line", "mandatory", mandatory=False),
        of_column("multi", "description", description="Other"),
        of_column("select", "selectionOptions", options=["grün", "röt", "5"]),
        of_column("multi", "selectionOptions", "selectionDefault", options=["5", "blau"]),
        of_column("number", "numberMin", minimum=1),
        of_column("number", "numberMax", maximum=50.5),
        of_column("number", "numberDecimals", decimals=3),
        of_column("number", "numberPrefix", prefix=""),
        of_column("number", "numberSuffix", suffix="gross"),
        of_column("line", "textMaxLength", max_length=60),
        of_column("line", "textDefault", default="Other"),
        of_column("rich", "textDefault", default="Other"),
        of_column("number", "numberDefault", default="2.5"),
        of_column("stars", "numberDefault", default="5"),
        of_column("progress", "numberDefault", default="0"),
        of_column("check", "selectionDefault", default="false"),
        of_column("select", "selectionDefault", default="blau"),
        of_column("usergroup", "description", clear=["description"]),
        of_column("link", "description", clear=["description"]),
        of_column("time", "datetimeDefault", clear=["default"]),
        of_column("date", "datetimeDefault", "description", clear=["default", "description"]),
        of_column("datetime", "datetimeDefault", clear=["default"]),
        of_column("number", "numberMin", "numberMax", "numberDefault", clear=["minimum", "maximum", "default"]),
        of_column("line", "textMaxLength", "textDefault", clear=["max_length", "default"]),
        of_column("select", "selectionDefault", clear=["default"]),
        of_column("number", mandatory=False),  # as it is already
    ],
    "nc_tables_update_row": [
        of_cell("line", "Other"),
        of_cell("long", "Other\nlines"),
        of_cell("rich", None),
        of_cell("link", "https://other.example/#a"),
        of_cell("number", 13.5),
        of_cell("stars", 5),
        of_cell("progress", 0),
        of_cell("check", "false"),
        of_cell("select", "blau"),
        of_cell("multi", ["röt"]),
        of_cell("datetime", "2027-02-28T23:59"),
        of_cell("date", None),
        of_cell("time", "00:00"),
        of_cell("usergroup", []),
    ],
}

_NEW: Final = "it makes something new and takes nothing that is there"
LEFT_OUT: Final = {
    "nc_tables_create_table": _NEW,
    "nc_tables_add_column": _NEW,
    "nc_tables_insert_row": _NEW,
    "nc_tables_import_csv": _NEW,
}
