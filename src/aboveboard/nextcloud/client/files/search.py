"""Search over the user's files: by name, type, tag or star."""

from collections.abc import Sequence
from datetime import UTC, datetime
from unicodedata import normalize

from aboveboard.errors import BadInput
from aboveboard.nextcloud.client.dav import Dav
from aboveboard.nextcloud.client.files.entries import PROPERTIES, Entry, entry, plain
from aboveboard.nextcloud.client.model import Model
from aboveboard.nextcloud.client.spellings import spellings
from aboveboard.nextcloud.client.xml import Element, element, prop


class Found(Model):
    """A page of what a search found, and where the next one starts, if there is one."""

    items: list[Entry]
    next_offset: int | None = None


class Search:
    """Search over the files of one user."""

    def __init__(self, dav: Dav) -> None:
        self._dav = dav

    async def find(
        self,
        *,
        name: str | None = None,
        content_type: str | None = None,
        favorite: bool = False,
        modified_since: datetime | None = None,
        modified_before: datetime | None = None,
        folder: str = "",
        limit: int = 100,
        offset: int = 0,
    ) -> Found:
        """Find what meets all conditions; a name without `*` or `?` is looked for anywhere in names."""
        where = [*_conditions(name, content_type, favorite=favorite), *_times(modified_since, modified_before)]
        # A search without any condition is a 500.
        where = where or [_compare("d:like", "d:displayname", "%")]
        condition = where[0] if len(where) == 1 else element("d:and", where)
        found = await self._searched(condition, folder=folder, limit=limit + 1, offset=offset)
        more = len(found) > limit
        return Found(items=found[:limit], next_offset=offset + limit if more else None)

    async def place_of(self, file: int) -> str | None:
        """Return the path of a file that is known by its id, if the user has one."""
        found = await self._searched(_compare("d:eq", "oc:fileid", str(file)), limit=1)
        return found[0].path if found else None

    async def existing(self, files: Sequence[int]) -> list[int]:
        """Return which of these ids are of files that the user has."""
        where = [_compare("d:eq", "oc:fileid", str(file)) for file in files]
        condition = where[0] if len(where) == 1 else element("d:or", where)
        return [one.id for one in await self._searched(condition, limit=len(files)) if one.id is not None]

    async def named(self, name: str) -> list[Entry]:
        """Find what has just this name."""
        return await self._searched(_compare("d:eq", "d:displayname", normalize("NFC", name)), limit=20)

    async def tagged(self, tag: int) -> list[Entry]:
        """Find what carries a tag."""
        return await self._filtered(element("oc:systemtag", str(tag)))

    async def _searched(self, where: Element, *, folder: str = "", limit: int, offset: int = 0) -> list[Entry]:
        scope = "/".join(filter(None, ["/files", await self._dav.principal(), plain(folder)]))
        body = element("d:basicsearch", [
            element("d:select", [prop(*PROPERTIES)]),
            # The scope is taken as it is written, without percent-encoding.
            element("d:from", [element("d:scope", [element("d:href", scope), element("d:depth", "infinity")])]),
            element("d:where", [where]),
            element("d:orderby", [element("d:order", [prop("d:getlastmodified"), element("d:descending")])]),
            element("d:limit", [element("d:nresults", str(limit)), element("search:firstresult", str(offset))]),
        ])  # fmt: skip
        return [entry(one) for one in await self._dav.search(element("d:searchrequest", [body]))]

    async def _filtered(self, rule: Element) -> list[Entry]:
        at = await self._dav.at("files/{user}/")
        body = element("oc:filter-files", [prop(*PROPERTIES), element("oc:filter-rules", [rule])])
        return [entry(one) for one in await self._dav.report(at, body)]


def _conditions(name: str | None, content_type: str | None, *, favorite: bool) -> list[Element]:
    where: list[Element] = []
    if name:
        patterns = [_compare("d:like", "d:displayname", one) for one in _patterns(name)]
        where.append(patterns[0] if len(patterns) == 1 else element("d:or", patterns))
    if content_type:
        kind = content_type.replace("*", "").rstrip("/%")
        where.append(_compare("d:like", "d:getcontenttype", _escaped(kind) + ("" if "/" in kind else "/%")))
    if favorite:
        where.append(_compare("d:eq", "oc:favorite", "1"))
    return where


def _times(since: datetime | None, before: datetime | None) -> list[Element]:
    if since and before and since >= before:
        raise BadInput("Nothing was changed since a time and before an earlier one.", next_step="Swap the two times.")
    given = {"d:gte": since, "d:lt": before}
    return [_compare(operator, "d:getlastmodified", _utc(when)) for operator, when in given.items() if when]


def _utc(when: datetime) -> str:
    try:
        return when.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    except OverflowError:
        raise BadInput(f"{when.isoformat()} is out of the range of times.") from None


def _compare(operator: str, short: str, literal: str) -> Element:
    return element(operator, [prop(short), element("d:literal", literal)])


def _patterns(name: str) -> list[str]:
    """Return what to look for; Nextcloud stores composed characters, and may fold the case of ASCII letters only."""
    name = normalize("NFC", name)
    if len(name) > 2 and name[0] == name[-1] == "%":  # how databases say "anywhere in the name"
        name = name[1:-1]
    return [_pattern(one) for one in spellings(name)]


def _pattern(name: str) -> str:
    wild = "*" in name or "?" in name
    pattern = _escaped(name).replace("*", "%").replace("?", "_")
    return pattern if wild else f"%{pattern}%"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
