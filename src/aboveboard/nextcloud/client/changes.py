"""What changed in a calendar or an address book between two states of it (sync-collection)."""

import re
from typing import Final

from aboveboard.errors import Conflict, Refused
from aboveboard.http import Path
from aboveboard.nextcloud.client.dav import Dav
from aboveboard.nextcloud.client.xml import Resource, element, multistatus, name, parse_xml, prop

_NUMBER: Final = re.compile(r"(\d+)$")


async def changes_between(
    dav: Dav, at: Path, known: str | None, current: str | None, *names: str
) -> list[Resource] | None:
    """Return what is new or changed, and with the status 404 what is gone; None where the server cannot tell."""
    if known is None or not _follows(current, known):
        return None
    asked = [element("d:sync-token", known), element("d:sync-level", "1"), prop(*names)]
    try:
        answer = await dav.send("REPORT", at, element("d:sync-collection", asked))
    except (Refused, Conflict):
        return None
    if parse_xml(answer.content).findtext(name("d:sync-token")) != current:
        return None
    return multistatus(answer.content)


def _follows(token: str | None, known: str) -> bool:
    """Tell whether a token can come after another: servers answer one of the future as if nothing had changed."""
    if token is None:
        return False
    numbers = [_NUMBER.search(one) for one in (token, known)]
    if numbers[0] is None or numbers[1] is None:
        return True
    return int(numbers[0][1]) >= int(numbers[1][1])
