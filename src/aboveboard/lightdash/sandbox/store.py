"""The state of the sandbox: UUIDs, times and the warehouse beside it, which never changes."""

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from aboveboard.lightdash.sandbox.warehouse import Warehouse
from aboveboard.sandbox import store
from aboveboard.sandbox.table import Table

EPOCH = datetime(2026, 11, 16, 9, 0, tzinfo=UTC)
COUNTERS = {"ids": 0, "ticks": 0, "events": 0}

TIMES = frozenset({"created_at", "updated_at"})
"""Columns that follow from when something happened, and so are no state of their own."""

META = Table(store.META, store.META_COLUMNS, hidden="How far the clock and the counters are follows from the calls.")


@dataclass(frozen=True)
class Options:
    """What an operator of a real instance may choose: a bin for what is deleted, a licence."""

    soft_delete: bool = False
    enterprise: bool = False


class Store(store.Store):
    """The database and what every area asks of it."""

    def __init__(
        self,
        schema: store.Schema,
        data: str | Path | None = None,
        first: "Store | None" = None,
        options: Options | None = None,
    ) -> None:
        """Open it as the operator of an instance would have it."""
        super().__init__(schema, data, first)
        self.options = options or Options()
        self.warehouse = Warehouse(self.clock)

    def close(self) -> None:
        """Let go of the databases."""
        self.warehouse.close()
        super().close()

    def new_uuid(self) -> str:
        """The next version 4 UUID of a series that starts anew at each reset."""
        digest = hashlib.sha256(f"aboveboard {self.count('ids')}".encode()).hexdigest()
        variant = "89ab"[int(digest[16], 16) % 4]
        return f"{digest[:8]}-{digest[8:12]}-4{digest[13:16]}-{variant}{digest[17:20]}-{digest[20:32]}"

    def now(self) -> str:
        """The time of a write: one second after the write before it."""
        moment = EPOCH + timedelta(seconds=self.count("ticks"))
        return moment.strftime("%Y-%m-%dT%H:%M:%S.000Z")

    def clock(self) -> datetime:
        """What time it is, without the clock moving."""
        return EPOCH + timedelta(seconds=self.read_meta("ticks"))

    def event(self, *, new: bool) -> str | None:
        """The id under which a crash is reported: a new one, or the last, if there was any."""
        number = self.count("events") if new else self.read_meta("events")
        return hashlib.sha256(f"event {number}".encode()).hexdigest()[:32] if number else None

    def unique_slug(self, table: str, project: str, wanted: str) -> str:
        """The slug, with -1, -2 ... behind it where the project already has it."""
        taken = {row["slug"] for row in self.all(f"SELECT slug FROM {table} WHERE project = ?", project)}  # noqa: S608
        slug, number = wanted, 0
        while slug in taken:
            number += 1
            slug = f"{wanted}-{number}"
        return slug
