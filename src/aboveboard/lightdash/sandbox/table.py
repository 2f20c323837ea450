"""A table of the sandbox's database, and what a dump of the state makes of its columns."""

from dataclasses import dataclass, field

TIMES = frozenset({"created_at", "updated_at"})
"""Columns that follow from when something happened, and so are no state of their own."""


@dataclass(frozen=True)
class Table:
    """A table as the dump shows it: what names a row, what is derived, stored as JSON or 0 and 1, or left out."""

    name: str
    columns: str
    key: tuple[str, ...] = ("uuid",)
    derived: frozenset[str] = frozenset()
    json: frozenset[str] = frozenset()
    flags: frozenset[str] = frozenset()
    bulk: frozenset[str] = frozenset()
    hidden: bool = False
    extra: str = ""
    facts: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        columns = tuple(column.split()[0] for column in self.columns.split(","))
        object.__setattr__(
            self, "facts", tuple(column for column in columns if column not in self.bulk.union(self.key))
        )
