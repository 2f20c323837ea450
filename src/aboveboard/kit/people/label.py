"""What a login is called: the same on our page and at the service, so that a person can compare the two."""

import unicodedata
from datetime import UTC, datetime
from typing import Final

LONGEST: Final = 90
"""Signs of a client's name: Nextcloud cuts what is longer than 120 in all, and the time stands at the end."""


def label_of(client: str, seconds: float) -> str:
    """Name a login by its client and its time, in signs that can stand in a header."""
    name = _plain(client)
    return f"aboveboard{f' for {name}' if name else ''}, {datetime.fromtimestamp(seconds, UTC):%H:%M} UTC"


def _plain(name: str) -> str:
    """Return a name in ASCII, without accents; of one in other letters nothing, since a part would be another name."""
    bare = "".join(sign for sign in unicodedata.normalize("NFKD", name) if not unicodedata.combining(sign))
    return " ".join(bare.split())[:LONGEST].rstrip() if bare.isascii() and bare.isprintable() else ""
