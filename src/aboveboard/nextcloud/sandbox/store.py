"""The state of the sandbox: its clock, which a writing request moves by a second, and what is given out only once."""

from collections.abc import Iterable
from datetime import UTC, datetime

from aboveboard.nextcloud.sandbox.wire import digest
from aboveboard.sandbox import store
from aboveboard.sandbox.table import Fact, Rows, Table

# Before any day on which this runs, so that "tomorrow" is never in the past here.
EPOCH = int(datetime(2026, 1, 5, 8, 0, tzinfo=UTC).timestamp())
COUNTERS = {"clock": EPOCH, "held": 0, "serial": 0, "maintenance": 0}

# Columns that many tables have: a number of its own, a file or folder, a person.
ID = "id INTEGER PRIMARY KEY AUTOINCREMENT"
NODE = "node INTEGER REFERENCES nodes ON DELETE CASCADE"
PERSON = "uid TEXT REFERENCES users ON DELETE CASCADE"


def _tell_meta(rows: Rows) -> Iterable[Fact]:
    for row in rows.all("SELECT * FROM meta"):
        yield f"{'server' if row['key'] == 'maintenance' else 'derived'}/{row['key']}", row["value"]


META = Table(store.META, store.META_COLUMNS, tell=_tell_meta)


class Store(store.Store):
    """The database and what every app asks of it."""

    def now(self) -> int:
        """What time it is, in seconds since 1970, without the clock moving."""
        return self.read_meta("clock")

    def tick(self) -> None:
        """A second goes by, unless the clock is held; this happens once before every request that may write."""
        if not self.held():
            self.pass_time(1)

    def held(self) -> bool:
        """Whether only `pass_time` moves the clock."""
        return self.read_meta("held") == 1

    def pass_time(self, seconds: int) -> None:
        """Let time go by."""
        self.run("UPDATE meta SET value = value + ? WHERE key = 'clock'", seconds)

    def serial(self) -> int:
        """The next number of a series that starts anew at each reset."""
        return self.count("serial")

    def secret(self, length: int = 32) -> str:
        """Hex digits that were never given out since the last reset."""
        return (digest(f"aboveboard {self.serial()}") * 3)[:length]

    def uniqid(self) -> str:
        """13 hex digits out of time and serial, the ETag of a folder."""
        return f"{self.now():08x}{self.serial() % 0x100000:05x}"
