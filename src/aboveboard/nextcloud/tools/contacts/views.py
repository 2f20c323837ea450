"""Contacts as tools show them: in lists by what tells them apart, alone with all that is understood of them."""

from typing import Self
from urllib.parse import quote

from pydantic import BaseModel

from aboveboard.kit.gone import Gone
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.contacts.books import AddressBook
from aboveboard.nextcloud.client.contacts.contacts import Stored
from aboveboard.nextcloud.client.contacts.description import describe_card
from aboveboard.nextcloud.client.contacts.fields import Address, Entry, Name, Photo


class AddressBooks(BaseModel):
    """The address books that the user sees."""

    items: list[AddressBook]


class MadeAddressBook(AddressBook):
    """An address book that was made; the Contacts app shows it at `url`."""

    url: str | None = None


class ContactInfo(BaseModel):
    """A contact in a list; what it does not have is left out."""

    addressbook: str
    uid: str
    fn: str
    kind: str | None = None
    email: list[str] | None = None
    tel: list[str] | None = None
    org: str | None = None
    title: str | None = None
    categories: list[str] | None = None
    etag: str | None = None

    @classmethod
    def of(cls, stored: Stored) -> Self:
        """Show a contact in short."""
        contact = describe_card(stored.card)
        return cls(
            addressbook=stored.book,
            uid=contact.uid,
            fn=contact.fn,
            kind=contact.kind or None,
            email=[one.value for one in contact.email] or None,
            tel=[one.value for one in contact.tel] or None,
            org=", ".join(contact.org) or None,
            title=contact.title,
            categories=contact.categories or None,
            etag=stored.etag,
        )


class ContactList(BaseModel):
    """Some contacts, and where the next ones begin."""

    items: list[ContactInfo]
    next_offset: int | None = None


class FoundContacts(BaseModel):
    """Contacts that were found, and how many more there are."""

    items: list[ContactInfo]
    more: int | None = None


class ContactDetails(BaseModel):
    """A contact; `other` names what else its card holds, which is kept as it is."""

    addressbook: str
    uid: str
    etag: str | None = None
    version: str
    kind: str | None = None
    fn: str
    n: Name | None = None
    nickname: list[str] | None = None
    email: list[Entry] | None = None
    tel: list[Entry] | None = None
    adr: list[Address] | None = None
    org: list[str] | None = None
    title: str | None = None
    role: str | None = None
    bday: str | None = None
    note: str | None = None
    url: list[Entry] | None = None
    categories: list[str] | None = None
    photo: Photo | None = None
    members: int | None = None
    other: list[str] | None = None

    @classmethod
    def of(cls, stored: Stored) -> Self:
        """Show a contact."""
        return cls.model_validate(_shown(stored))


class MadeContact(ContactDetails):
    """A contact that was made."""

    link: str | None = None
    """Where people open it in the Contacts app; url are web addresses of its own."""

    @classmethod
    def at(cls, nextcloud: NextcloudClient, stored: Stored) -> Self:
        """Show a contact, and where it is."""
        return cls.model_validate({**_shown(stored), "link": contact_url(nextcloud, stored)})


class ChangedContact(MadeContact):
    """A contact after a change, and which of its fields are not as they were; none where nothing was written."""

    changed: list[str]

    @classmethod
    def after(cls, nextcloud: NextcloudClient, stored: Stored, changed: list[str]) -> Self:
        """Show a contact, where it is, and what was changed."""
        return cls.model_validate({**_shown(stored), "link": contact_url(nextcloud, stored), "changed": changed})


def contact_url(nextcloud: NextcloudClient, stored: Stored) -> str:
    """Return where people open a contact; the Contacts app goes by its uid and its address book."""
    of = quote(f"{describe_card(stored.card).uid}~{stored.book}", safe="")
    return f"{nextcloud.app_url('contacts')}direct/contact/{of}"


class Group(BaseModel):
    """A group, which is a category that contacts are in."""

    name: str
    contacts: int


class Groups(BaseModel):
    """The groups that contacts are in."""

    items: list[Group]


class DeletedContact(Gone):
    """A contact that is gone."""

    addressbook: str
    uid: str


class DeletedAddressBook(Gone):
    """An address book that is gone."""

    name: str


def _shown(stored: Stored) -> dict[str, object]:
    found = describe_card(stored.card)
    fields = {name: getattr(found, name) or None for name in type(found).model_fields}
    return {**fields, "fn": found.fn, "addressbook": stored.book, "etag": stored.etag}
