"""Address books: which there are, making and deleting them."""

import builtins
from typing import Any, Final

from aboveboard.errors import ApiError, Conflict, NotFound, Refused
from aboveboard.http import Path
from aboveboard.nextcloud.client.dav import Dav
from aboveboard.nextcloud.client.memory import Memory
from aboveboard.nextcloud.client.model import Model
from aboveboard.nextcloud.client.xml import Resource, element, name

_PROPERTIES: Final = (
    *("d:displayname", "d:resourcetype", "d:current-user-privilege-set"),
    *("card:addressbook-description", "oc:owner-principal", "oc:read-only", "d:sync-token"),
)
_HOME: Final = "addressbooks/users/{user}"
BOOK: Final = "addressbooks/users/{user}/{addressbook}"
_SHOWN: Final = "list_addressbooks shows which there are."


class AddressBook(Model):
    """An address book as this user sees it."""

    name: str
    """What it is called in addresses, which tools take."""
    display_name: str
    description: str | None = None
    read_only: bool = False
    owner: str | None = None
    """Whose it is, where it is somebody else's."""


class Books:
    """The address books that one user sees."""

    def __init__(self, dav: Dav, memory: Memory[Any]) -> None:
        self._dav, self._memory = dav, memory

    async def list(self) -> list[AddressBook]:
        return [book for book, _ in await self.with_tokens()]

    async def with_tokens(self) -> builtins.list[tuple[AddressBook, str | None]]:
        """List the books, each with the token by which the server tells what changed since, if it does."""
        found = await self._dav.propfind(await self._dav.at(_HOME), *_PROPERTIES, depth=1)
        return [(_book(one), one.text("d:sync-token")) for one in found if _is_book(one)]

    async def at(self, book: str) -> Path:
        """Return where a book is."""
        return await self._dav.at(BOOK, addressbook=book)

    async def check(self, book: str) -> AddressBook:
        """Return a book, or say that there is none."""
        try:
            return _book(await self._dav.stat(await self.at(book), *_PROPERTIES))
        except NotFound:
            raise no_book(book) from None

    async def create(self, book: str, display_name: str, description: str | None = None) -> AddressBook:
        """Make an empty book, unless there is one of that name."""
        self._memory.forget()
        kind = element("d:resourcetype", [element("d:collection"), element("card:addressbook")])
        said = [element("d:displayname", display_name)]
        said += [element("card:addressbook-description", description)] if description else []
        body = element("d:mkcol", [element("d:set", [element("d:prop", [kind, *said])])])
        try:
            await self._dav.send("MKCOL", await self.at(book), body)
        except ApiError as error:
            if error.status == 405:
                raise Conflict(f"There is an address book {book!r} already.", status=405, next_step=_SHOWN) from None
            raise
        return AddressBook(name=book, display_name=display_name, description=description)

    async def delete(self, book: str) -> None:
        """Delete a book with all its contacts; of somebody else's, the share."""
        self._memory.forget()
        answer = await self._dav.delete(await self.at(book))
        if answer.status == 404:
            raise no_book(book)
        if answer.status == 403:
            raise Refused(
                f"The address book {book!r} is Nextcloud's own.", status=403, next_step="It cannot be deleted."
            )
        self._dav.good(answer)


def no_book(book: str) -> NotFound:
    """Say that there is no such book."""
    return NotFound(f"There is no address book {book!r}.", status=404, next_step=_SHOWN)


def read_only(book: str) -> Refused:
    """Say that a book is not the user's to write."""
    return Refused(
        f"The address book {book!r} is read-only for this user.", status=403, next_step="Nothing was written."
    )


def _is_book(resource: Resource) -> bool:
    kind = resource.found.get(name("d:resourcetype"))
    return kind is not None and kind.find(name("card:addressbook")) is not None


def _book(resource: Resource) -> AddressBook:
    owner = resource.text("oc:owner-principal")
    rights = resource.found.get(name("d:current-user-privilege-set"))
    may: builtins.list[str] = [] if rights is None else [str(one.tag) for one in rights.iter()]
    return AddressBook(
        name=resource.place.rpartition("/")[2],
        display_name=resource.text("d:displayname") or resource.place.rpartition("/")[2],
        description=resource.text("card:addressbook-description"),
        read_only=resource.truth("oc:read-only") or (bool(may) and not {name("d:write"), name("d:all")} & set(may)),
        owner=owner.rpartition("/")[2] if owner else None,
    )
