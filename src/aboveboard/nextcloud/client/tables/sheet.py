"""The columns of one table together: which one is meant by a title or an id, and what a row says in their words."""

from collections.abc import Mapping, Sequence
from typing import Any

from aboveboard.errors import BadInput, explain_unknown
from aboveboard.nextcloud.client.tables.columns import Column
from aboveboard.nextcloud.client.tables.rows import Row
from aboveboard.nextcloud.client.tables.values import show_value, write_value


class Sheet:
    """Columns by title and id; a title that several have names none of them."""

    def __init__(self, columns: Sequence[Column], of: str) -> None:
        self.columns, self._of = columns, of
        self._by_id = {column.id: column for column in columns}
        self._keys = {column.id: self._key(column) for column in columns}

    def column(self, name: str) -> Column:
        """Find the column that is meant by its title, its id or its technical name."""
        meant = self._meant(name)
        if len(meant) == 1:
            return meant[0]
        if meant:
            which = ", ".join(f"{column.id} ({column.kind})" for column in meant)
            technical = " or its technical name, such as " + str(meant[0].technical_name) if name.isdecimal() else ""
            raise BadInput(
                f"{self._of} has several columns that {name!r} can mean: {which}.",
                next_step=f"Use the id of one of them{technical}.",
            )
        raise BadInput(explain_unknown("column", name, [column.title for column in self.columns], of=self._of))

    def _meant(self, name: str) -> list[Column]:
        """Every column that a name fits, in any of the three ways."""
        return [column for column in self.columns if name in (column.title, str(column.id), column.technical_name)]

    def _key(self, column: Column) -> str:
        """The shortest name that means this column and no other."""
        names = (column.title, str(column.id), column.technical_name or "")
        return next((name for name in names if self._meant(name) == [column]), str(column.id))

    def key(self, column: int) -> str:
        """Return the name under which a column's values are shown."""
        return self._keys.get(column, str(column))

    def cells(self, data: Mapping[str, object], *, whole: bool) -> dict[int, object]:
        """Check values against their columns, and put them as the app wants them; a whole row has all it must have."""
        cells: dict[int, object] = {}
        for name, value in data.items():
            column = self.column(str(name))
            if column.id in cells:
                raise BadInput(f"Column {column.title!r} is given twice.", next_step="Give it once.")
            cells[column.id] = write_value(column, value)
        missing = [repr(one.title) for one in self.columns if whole and one.mandatory and one.id not in cells]
        if missing:
            raise BadInput(f"Every row of {self._of} needs a value for {', '.join(missing)}.", next_step="Give it.")
        # What is left out of a new row is empty anyway.
        return {column: value for column, value in cells.items() if not whole or value not in (None, [])}

    def shown(self, row: Row) -> dict[str, Any]:
        """Return a row's values by title, without those that are empty."""
        values = ((self.key(key), self._shown(key, value)) for key, value in row.cells.items())
        return {key: value for key, value in values if value not in (None, [])}

    def _shown(self, column: int, value: Any) -> Any:
        known = self._by_id.get(column)
        return value if known is None else show_value(known, value)

    def not_kept(self, sent: Mapping[int, object], row: Row) -> list[str]:
        """Tell of which cells the app kept nothing, although it said that all is well."""
        kept = row.cells
        return [
            self.key(column)
            for column, value in sent.items()
            if value not in (None, []) and kept.get(column) in (None, "", [])
        ]
