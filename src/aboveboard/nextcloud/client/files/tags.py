"""System tags: labels for files that everyone on the instance sees."""

import builtins

from aboveboard.errors import BadInput, Failure, NotFound, Refused, explain_unknown
from aboveboard.http import Nature, Path, path
from aboveboard.nextcloud.client import xml
from aboveboard.nextcloud.client.dav import Dav, created_id
from aboveboard.nextcloud.client.files.entries import Entry, plain
from aboveboard.nextcloud.client.files.search import Search
from aboveboard.nextcloud.client.model import Model
from aboveboard.nextcloud.client.xml import Resource

_PROPERTIES = ("oc:id", "oc:display-name", "oc:user-visible", "oc:user-assignable", "oc:can-assign")


class Tag(Model):
    """A tag of the whole server, which everybody sees."""

    id: int
    name: str
    assignable: bool
    """Whether this user may put it on files."""


class Tags:
    """The tags of one instance, and the files of one user that carry them; a tag is given by its id or its name."""

    def __init__(self, dav: Dav) -> None:
        self._dav = dav

    async def list(self) -> list[Tag]:
        return _tags(await self._dav.propfind(path(f"{xml.ROOT}systemtags"), *_PROPERTIES, depth=1))

    async def of(self, file: str | int) -> builtins.list[Tag]:
        """List the tags that a file carries."""
        number = await self._dav.file_id(file)
        at = await self._dav.at("systemtags-relations/files/{file}", file=str(number))
        return _tags(await self._dav.propfind(at, *_PROPERTIES, depth=1))

    async def create(self, name: str) -> int:
        """Make a tag that everyone sees and may use, and return its id."""
        if not name.strip() or not any(char.isprintable() and not char.isspace() for char in name):
            raise BadInput("A tag without a name would be made for everyone.", next_step="Give it a name.")
        body = {"name": name, "userVisible": True, "userAssignable": True}
        answer = await self._dav.post(path(f"{xml.ROOT}systemtags"), body)
        return created_id(answer)

    async def assign(self, file: str | int, tag: str | int, *, create: bool = False) -> bool:
        """Put a tag on a file, and tell whether it is new there; with `create`, a missing one is made."""
        number, new = await self.taggable(file), ""
        if create and isinstance(tag, str):
            found = _named(await self.list(), tag)
            new = tag if found is None else ""
            tag = await self.create(tag) if found is None else found
        answer = await self._dav.put(await self._at(number, tag), b"", {}, nature=Nature.ADDS)
        if answer.status == 409:
            return False
        if answer.status == 412:
            raise NotFound(f"There is no tag {tag!r}.", status=404)
        if answer.status == 403:
            made = f" The tag {new!r} was made for everyone, and stays." if new else ""
            raise Refused(
                f"This user may not put that tag on that file.{made}",
                status=403,
                next_step="The file must be theirs to change, and the tag assignable: list_tags shows which are.",
            )
        self._dav.good(answer)
        return True

    async def taggable(self, file: str | int) -> int:
        """Return the id of a file that can carry tags."""
        if isinstance(file, str) and not plain(file):
            raise BadInput("The top of all files carries no tags.", next_step="Name a file or folder.")
        return await self._dav.file_id(file)

    async def unassign(self, file: str | int, tag: str | int) -> bool:
        """Take a tag off a file, and tell whether it was there."""
        answer = await self._dav.delete(await self._at(await self._dav.file_id(file), tag))
        if answer.status == 404:
            return False
        self._dav.good(answer)
        return True

    async def files(self, tag: str | int) -> builtins.list[Entry]:
        """List what carries a tag."""
        number = await self._id(tag)
        try:
            return await Search(self._dav).tagged(number)
        except Failure as failure:
            if getattr(failure, "status", 0) == 412:
                raise NotFound(f"There is no tag {tag!r}.", status=404) from None
            raise

    async def _at(self, file: str | int, tag: str | int) -> Path:
        number, of = await self._id(tag), await self._dav.file_id(file)
        return await self._dav.at("systemtags-relations/files/{file}/{tag}", file=str(of), tag=str(number))

    async def _id(self, tag: str | int) -> int:
        if isinstance(tag, int):
            return tag
        known = await self.list()
        number = _named(known, tag) or next((one.id for one in known if str(one.id) == tag), None)
        if number is None:
            raise NotFound(
                explain_unknown("tag", tag, [one.name for one in known], of="This Nextcloud"), status=404, next_step=""
            )
        return number


def _named(tags: list[Tag], name: str) -> int | None:
    """Find a tag by its name; Nextcloud has no two that differ only in their capitals."""
    exact = [one.id for one in tags if one.name == name]
    alike = exact or [one.id for one in tags if one.name.casefold() == name.casefold()]
    return alike[0] if alike else None


def _tags(resources: list[Resource]) -> list[Tag]:
    """Read tags; the folder that they are in has no id."""
    return [
        Tag(id=number, name=one.text("oc:display-name") or "", assignable=one.truth("oc:can-assign"))
        for one in resources
        if (number := one.number("oc:id")) is not None
    ]
