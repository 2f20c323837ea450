"""Contacts: address books, and the people in them."""

from typing import Annotated

from pydantic import Field

from aboveboard.effects import ADD, DELETE, ENSURE, READ, REPLACE
from aboveboard.errors import BadInput
from aboveboard.kit.gone import FOR_GOOD
from aboveboard.kit.toolset import Toolset
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.contacts.books import AddressBook
from aboveboard.nextcloud.client.contacts.cards import Card
from aboveboard.nextcloud.client.contacts.changes import ContactData
from aboveboard.nextcloud.client.contacts.contacts import new_card
from aboveboard.nextcloud.client.contacts.description import describe_card, photo_data
from aboveboard.nextcloud.client.contacts.edits import apply, set_categories
from aboveboard.nextcloud.client.contacts.fields import Entry
from aboveboard.nextcloud.tools.contacts.views import (
    AddressBooks,
    ChangedContact,
    ContactDetails,
    ContactInfo,
    ContactList,
    DeletedAddressBook,
    DeletedContact,
    FoundContacts,
    Group,
    Groups,
    MadeAddressBook,
    MadeContact,
)

tools = Toolset[NextcloudClient](
    "contacts",
    title="Contacts",
    icon="M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zm0 2c-4 0-8 2-8 6h16c0-4-4-6-8-6z",
    prefix="nc_contacts_",
)

BOOK = AddressBook(name="contacts", display_name="Contacts")
MADE_BOOK = MadeAddressBook.model_validate(BOOK.model_dump())
INFO = ContactInfo(addressbook="contacts", uid="9d0f...", fn="Mo", email=["mo@example.org"])
MADE = MadeContact(addressbook="contacts", uid="9d0f...", etag="53d2...", version="3.0", fn="Mo")
DETAILS = ContactDetails.model_validate(MADE.model_dump()).model_copy(
    update={"email": [Entry(value="mo@example.org", types=["work"])], "other": ["X-JABBER"]}
)
CHANGED = ChangedContact.model_validate({**MADE.model_dump(), "changed": ["email"]})
REGROUPED = CHANGED.model_copy(update={"changed": ["categories"]})

GONE = DeletedContact(gone="Mo", to_get_back=FOR_GOOD, addressbook="contacts", uid="9d0f...")
GONE_BOOK = DeletedAddressBook(gone="Club", to_get_back=FOR_GOOD, name="club")

Book = Annotated[str, Field(description="Name or display name.")]
AnyBook = Annotated[str | None, Field(description="Left out: all.")]
Uid = Annotated[str, Field(description="Its uid, name or e-mail.")]


@tools.tool("List Address Books", READ, example=AddressBooks(items=[BOOK]))
async def list_addressbooks(nextcloud: NextcloudClient) -> AddressBooks:
    """List the address books that the user sees, with those that others share and Nextcloud's own."""
    return AddressBooks(items=await nextcloud.contacts.books.list())


@tools.tool("List Contacts", READ, example=ContactList(items=[INFO]))
async def list_contacts(
    nextcloud: NextcloudClient,
    addressbook: Book,
    limit: Annotated[int, Field(description="At most.", ge=1, le=500)] = 100,
    offset: Annotated[int, Field(description="next_offset of the page before.", ge=0)] = 0,
) -> ContactList:
    """List the contacts of an address book in short, in the server's order."""
    found, more = await nextcloud.contacts.list(addressbook, limit=limit, offset=offset)
    return ContactList(items=[ContactInfo.of(one) for one in found], next_offset=offset + limit if more else None)


@tools.tool("Search Contacts", READ, example=FoundContacts(items=[INFO]), core=True)
async def search_contacts(
    nextcloud: NextcloudClient,
    query: Annotated[
        str, Field(description="Words that must all occur, in any case; or a phone number.", min_length=1)
    ],
    addressbook: AnyBook = None,
    limit: Annotated[int, Field(description="At most.", ge=1, le=200)] = 20,
) -> FoundContacts:
    """Find contacts by name, e-mail, number, organisation, address, note or group; the server searches."""
    found = await nextcloud.contact_search.search(query, book=addressbook)
    return FoundContacts(
        items=[ContactInfo.of(one) for one in found[:limit]], more=len(found) - limit if len(found) > limit else None
    )


@tools.tool("Get Contact", READ, example=DETAILS)
async def get_contact(
    nextcloud: NextcloudClient,
    addressbook: Book,
    uid: Uid,
    include_photo: Annotated[bool, Field(description="With the photo, in Base64.")] = False,
) -> ContactDetails:
    """Read a contact: all fields that can be changed, its etag, and the names of what else its card holds."""
    found = await nextcloud.contacts.get(addressbook, uid)
    shown = ContactDetails.of(found)
    if include_photo and shown.photo is not None:
        shown.photo = shown.photo.model_copy(update={"data": photo_data(found.card)})
    return shown


# A name that is taken is refused, so the same call again changes nothing.
@tools.tool("Create Address Book", ENSURE, example=MADE_BOOK)
async def create_addressbook(
    nextcloud: NextcloudClient,
    name: Annotated[str, Field(description="In addresses, such as club.", min_length=1, max_length=200)],
    display_name: Annotated[str, Field(description="What people see.", min_length=1)],
    description: Annotated[str | None, Field(description="What it is for.")] = None,
) -> MadeAddressBook:
    """Create an empty address book, unless there is one of that name."""
    made = await nextcloud.contacts.books.create(name, display_name, description)
    return MadeAddressBook.model_validate({**made.model_dump(), "url": nextcloud.app_url("contacts")})


@tools.tool("Delete Address Book", DELETE, example=GONE_BOOK)
async def delete_addressbook(
    nextcloud: NextcloudClient, name: Annotated[str, Field(description="Name or display name.")]
) -> DeletedAddressBook:
    """Delete an address book with all its contacts, for good: there is no trash bin.

    One that somebody shares with the user goes for them alone.
    """
    book = await nextcloud.contacts.books.check(name)
    await nextcloud.contacts.books.delete(name)
    back = f"Only {book.owner}, whose it is, can share it again." if book.owner else FOR_GOOD
    return DeletedAddressBook(gone=book.display_name, to_get_back=back, name=name)


@tools.tool("Create Contact", ADD, example=MADE)
async def create_contact(
    nextcloud: NextcloudClient,
    addressbook: Book,
    contact_data: Annotated[ContactData, Field(description="The fields; fn is needed.")],
    uid: Annotated[str | None, Field(description="Left out: one is made.", min_length=1, max_length=200)] = None,
) -> MadeContact:
    """Create a contact, in vCard 3.0. Without n, the last word of fn is the family name."""
    if contact_data.fn is None:
        raise BadInput("A contact needs a name.", next_step="Give fn in contact_data.")
    card = new_card(uid, contact_data.fn)
    apply(card, contact_data)
    return MadeContact.at(nextcloud, await nextcloud.contacts.create(addressbook, card))


@tools.tool("Update Contact", REPLACE, example=CHANGED)
async def update_contact(
    nextcloud: NextcloudClient,
    addressbook: Book,
    uid: Uid,
    contact_data: Annotated[
        ContactData, Field(description="Left out stays, empty clears, a list is the whole new list.")
    ],
    etag: Annotated[str | None, Field(description="Only if it is still this state of it.")] = None,
) -> ChangedContact:
    """Replace fields of a contact; what is replaced is gone, and everything else in its card stays, to the byte.

    An entry of a list whose value stays keeps its label and marks.
    """
    changed: list[str] = []

    def change(card: Card) -> None:
        changed[:] = apply(card, contact_data)

    return ChangedContact.after(
        nextcloud, await nextcloud.contacts.update(addressbook, uid, change, etag=etag), changed
    )


@tools.tool("Delete Contact", DELETE, example=GONE)
async def delete_contact(nextcloud: NextcloudClient, addressbook: Book, uid: Uid) -> DeletedContact:
    """Delete a contact for good: there is no trash bin."""
    name = describe_card((await nextcloud.contacts.delete(addressbook, uid)).card).fn
    return DeletedContact(gone=name or uid, to_get_back=FOR_GOOD, addressbook=addressbook, uid=uid)


@tools.tool("List Contact Groups", READ, example=Groups(items=[Group(name="Friends", contacts=2)]))
async def list_groups(nextcloud: NextcloudClient, addressbook: AnyBook = None) -> Groups:
    """List the groups that contacts are in, which are their categories, and how many contacts each has."""
    counts = await nextcloud.contact_search.groups(addressbook)
    return Groups(items=[Group(name=name, contacts=count) for name, count in sorted(counts.items())])


@tools.tool("Set Contact Groups", REPLACE, example=REGROUPED)
async def set_groups(
    nextcloud: NextcloudClient,
    addressbook: Book,
    uid: Uid,
    groups: Annotated[list[str], Field(description="All groups it shall be in; empty: none.")],
) -> ChangedContact:
    """Put a contact into these groups and out of all others; a group is there as long as a contact is in it."""
    changed: list[str] = []

    def change(card: Card) -> None:
        before = card.lines
        set_categories(card, groups)
        changed[:] = ["categories"] if card.lines != before else []

    return ChangedContact.after(nextcloud, await nextcloud.contacts.update(addressbook, uid, change), changed)
