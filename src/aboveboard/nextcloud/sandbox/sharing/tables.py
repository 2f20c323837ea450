"""What is shared with whom, and where it shows at theirs."""

from aboveboard.nextcloud.sandbox.store import ID, NODE, PERSON
from aboveboard.sandbox.table import Table

SHARES = Table(
    "shares",
    f"{ID}, type INTEGER, owner TEXT REFERENCES users ON DELETE CASCADE, initiator TEXT, {NODE}, share_with TEXT,"
    " permissions INTEGER, created INTEGER, expiration TEXT, token TEXT, password TEXT, note TEXT, label TEXT,"
    " hide_download INTEGER",
    derived={"created"},
    flags={"hide_download"},
    secret={"password"},
    indexes=("node", "token"),
)

TARGETS = Table(
    "share_targets",
    f"share INTEGER REFERENCES shares ON DELETE CASCADE, {PERSON}, target TEXT, declined INTEGER,"
    " PRIMARY KEY (share, uid)",
    at="shares/{share}/targets/{uid}",
    value="target",
    where="declined = 0",
)
