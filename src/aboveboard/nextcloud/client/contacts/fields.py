"""What a contact holds, in plain words."""

from pydantic import Field

from aboveboard.nextcloud.client.model import Model


class Name(Model):
    """A name in its parts."""

    family: str = ""
    given: str = ""
    additional: str = ""
    prefix: str = ""
    suffix: str = ""


class Entry(Model):
    """An e-mail address, a number or a link, and what it is marked with."""

    value: str
    types: list[str] = Field(default_factory=list[str])
    label: str | None = None


class Address(Model):
    """Where somebody lives or works."""

    street: str = ""
    city: str = ""
    region: str = ""
    postal_code: str = ""
    country: str = ""
    po_box: str = ""
    extended: str = ""
    types: list[str] = Field(default_factory=list[str])
    label: str | None = None


class Photo(Model):
    """A picture: within the card with its type and size in bytes, or elsewhere."""

    media_type: str | None = None
    size: int | None = None
    uri: str | None = None
    data: str | None = None
    """The picture in Base64, where it was asked for."""


class Contact(Model):
    """All that a card says which we understand; the rest of the card stays as it is."""

    uid: str
    version: str
    kind: str = ""
    """What it is, where it is not a person: `group`, `org`."""
    fn: str
    n: Name | None = None
    nickname: list[str]
    email: list[Entry]
    tel: list[Entry]
    adr: list[Address]
    org: list[str]
    title: str | None = None
    role: str | None = None
    bday: str | None = None
    note: str | None = None
    url: list[Entry]
    categories: list[str]
    photo: Photo | None = None
    members: int | None = None
    other: list[str]
    """The names of what else the card holds."""
