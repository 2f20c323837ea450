"""What can be done to address books and cards."""

import re
from datetime import UTC, datetime

from aboveboard.nextcloud.sandbox.contacts import conversion, vcards
from aboveboard.nextcloud.sandbox.contacts.books import CARD_TYPE, Accounts, Book, Card, find, find_book, note_change
from aboveboard.nextcloud.sandbox.contacts.jcard import jcard
from aboveboard.nextcloud.sandbox.dav.dialect import (
    Branch,
    DavCall,
    DavError,
    Resource,
    bad_request,
    encode,
    failed_condition,
    forbidden,
    not_allowed,
    not_found,
)
from aboveboard.nextcloud.sandbox.dav.xml import Element, XmlError, clark, make, parse
from aboveboard.nextcloud.sandbox.files.files import SENTENCE
from aboveboard.nextcloud.sandbox.store import Store
from aboveboard.nextcloud.sandbox.wire import HTML_TYPE, XML_TYPE, digest, http_date
from aboveboard.sandbox.wire import Response, to_json

FEATURES = (
    "1, 3, extended-mkcol, access-control, calendarserver-principal-property-search, oc-resource-sharing, addressbook,"
    " nc-paginate, nextcloud-checksum-update, nc-calendar-search, nc-enable-birthday-calendar, 2"
)
LARGEST = 5_242_880
LONGEST_URI = 255
_CACHED = {"cache-control": "private, max-age=3600, must-revalidate"}

branch = Branch("addressbooks", find, features=FEATURES, prefixes=("card",))


@branch.on("MKCOL")
def make_book(dav: DavCall) -> Response:
    """A new book; a plain folder is none."""
    asked = _asked_properties(dav.call.body)
    if len(dav.path) != 3 or dav.path[:2] != ("users", dav.call.uid):
        raise not_found(f"Node with name '{dav.path[-2]}' could not be found")
    try:
        find_book(dav)
    except DavError:
        pass
    else:
        raise not_allowed("The resource you tried to create already exists")
    kinds = asked.get(clark("d:resourcetype"))
    if kinds is None or kinds.find(clark("card:addressbook")) is None:
        message = "Unknown resourceType for this collection"
        raise DavError(403, "InvalidResourceType", message, details=[make("d:valid-resourcetype")])
    if len(dav.path[2]) > LONGEST_URI:
        raise bad_request("URI too long. Address book not created")
    texts = {name: element.text for name, element in asked.items()}
    new_book(
        dav.call.store,
        dav.call.uid,
        dav.path[2],
        texts.get(clark("d:displayname")) or dav.path[2],
        texts.get(clark("card:addressbook-description")),
    )
    return Response(201)


def new_book(store: Store, uid: str, uri: str, name: str, description: str | None = None) -> int:
    """A book with nothing in it."""
    return store.insert("addressbooks", uid=uid, uri=uri, displayname=name, description=description, token=1)


def _asked_properties(body: bytes) -> dict[str, Element]:
    if not body.strip():
        return {}
    try:
        root = parse(body)
    except XmlError as error:
        raise bad_request(str(error)) from error
    return {str(child.tag): child for prop in root.iter(clark("d:prop")) for child in prop}


@branch.on("PUT")
def put(dav: DavCall) -> Response:
    """A card, new or over an older one; what the server has to mend comes back without an ETag."""
    book = _writable(dav)
    old = book.card(dav.path[3])
    if len(dav.call.body) > LARGEST:
        raise forbidden(f"VCard object exceeds {LARGEST} bytes")
    text, kept = _checked(dav)
    etag = {"etag": f'"{digest(text)}"', "oc-etag": f'"{digest(text)}"'} if kept else {}
    write_card(dav.call.store, book.row["id"], dav.path[3], text)
    return Response(204 if old else 201, etag)


def _checked(dav: DavCall) -> tuple[str, bool]:
    """The text to keep, and whether it is as it was sent."""
    try:
        text, kept = dav.call.body.decode(), True
    except UnicodeDecodeError:
        text, kept = dav.call.body.decode("latin-1"), False
    try:
        card = vcards.read(text)
        if vcards.mended(card, _new_uid(dav)):
            return card.serialized(), False
    except vcards.NotAVCard as error:
        raise DavError(415, "UnsupportedMediaType", str(error)) from error
    return text, kept


def _new_uid(dav: DavCall) -> str:
    return re.sub(r"(.{8})(.{4})(.{4})(.{4})(.{12})", r"\1-\2-\3-\4-\5", dav.call.store.secret(32))


def write_card(store: Store, book: int, uri: str, text: str) -> None:
    """Keep a card; its UID may be in the book only once."""
    uid = next((one.value for one in vcards.read(text).named("UID")), "")
    taken = store.one("SELECT 1 FROM cards WHERE book = ? AND card_uid = ? AND uri != ?", book, uid, uri)
    if taken:
        raise bad_request("VCard object with uid already exists in this addressbook collection.")
    values = {"data": text.encode(), "card_uid": uid, "modified": store.now()}
    old = store.one("SELECT id FROM cards WHERE book = ? AND uri = ?", book, uri)
    if old:
        store.update("cards", old["id"], **values)
    else:
        store.insert("cards", book=book, uri=uri, **values)
    note_change(store, book, uri, gone=False)


def _writable(dav: DavCall) -> Book:
    """The book, where the caller may write; otherwise it is as if it were not there."""
    if len(dav.path) != 4 or dav.path[:2] != ("users", dav.call.uid):
        raise forbidden()
    book = find_book(dav)
    if isinstance(book, Accounts):
        raise not_found(f"Node with name '{book.name}' could not be found")
    if not book.writable:
        raise not_found(f"Addressbook with name '{book.name}' could not be found")
    return book


@branch.on("DELETE")
def delete(dav: DavCall) -> Response:
    """A card or a book with all its cards, for good; of someone else's book one's share."""
    resource, store = dav.find(), dav.call.store
    if isinstance(resource, Card):
        _remove(store, _writable(dav), resource)
    elif isinstance(resource, Book) and not isinstance(resource, Accounts):
        if resource.shared:
            store.run("DELETE FROM addressbook_shares WHERE book = ? AND uid = ?", resource.row["id"], dav.call.uid)
        else:
            store.run("DELETE FROM addressbooks WHERE id = ?", resource.row["id"])
    else:
        raise forbidden()
    return Response(204)


def _remove(store: Store, book: Book, card: Card) -> None:
    store.run("DELETE FROM cards WHERE id = ?", card.number)
    note_change(store, book.row["id"], card.uri, gone=True)


@branch.on("GET")
def get(dav: DavCall) -> Response:
    """A card in the version that is asked for, or its picture, or a whole book."""
    resource = dav.find()
    if isinstance(resource, Card):
        return _photo(resource) if "photo" in dav.call.query else _card(dav, resource)
    if isinstance(resource, Book) and "export" in dav.call.query:
        return _export(dav, resource)
    return Response(200, {"content-type": HTML_TYPE}, SENTENCE)


def _card(dav: DavCall, card: Card) -> Response:
    if dav.call.wants("application/vcard+json"):
        headers = {**_headers(card), "content-type": "application/vcard+json; charset=utf-8"}
        return Response(200, headers, to_json(jcard(card.parsed())))
    version = "4.0" if re.search(r"version=\"?4\.0", dav.call.header("accept")) else "3.0"
    said = "text/vcard; version=4.0; charset=utf-8" if version == "4.0" else CARD_TYPE
    return Response(200, {**_headers(card), "content-type": said}, in_version(card, version).encode())


def in_version(card: Card, version: str) -> str:
    """What a card holds in a version; the very text where it is in that one."""
    parsed = card.parsed()
    return card.text if parsed.version == version else conversion.convert_card(parsed, version).serialized()


def _headers(card: Card) -> dict[str, str]:
    name = encode(card.uri)
    return {
        "last-modified": http_date(card.modified),
        **_etags(card),
        "content-disposition": f"attachment; filename*=UTF-8''{name}; filename=\"{card.uri}\"",
    }


def _etags(card: Resource) -> dict[str, str]:
    return {"etag": card.etag or "", "oc-etag": card.etag or ""}


def _photo(card: Card) -> Response:
    found = conversion.photo(card.parsed())
    if found is None:
        headers = {name: value for name, value in _headers(card).items() if name != "last-modified"}
        return Response(204, {**headers, **_CACHED})
    kind, content = found
    name = f"attachment; filename={card.uri}.{kind.rpartition('/')[2]}"
    return Response(200, {**_etags(card), "content-disposition": name, "content-type": kind, **_CACHED}, content)


def _export(dav: DavCall, book: Book) -> Response:
    day = datetime.fromtimestamp(dav.call.store.now(), UTC).strftime("%Y-%m-%d")
    headers = {
        "content-disposition": f'attachment; filename="{book.name}-{day}.vcf"',
        "content-type": "text/directory;charset=UTF-8",
    }
    return Response(200, headers, "".join(card.text for card in book.members()).encode())


@branch.on("HEAD")
def head(dav: DavCall) -> Response:
    """The real server fails here, with the headers of the card already written."""
    resource = dav.find()
    headers = {**_headers(resource), "content-type": XML_TYPE} if isinstance(resource, Card) else {}
    return Response(500 if headers else 200, headers)


@branch.on("MOVE", "COPY")
def transfer(dav: DavCall) -> Response:
    """A card into another book; what it replaces there is gone for good."""
    card, to = dav.find(), dav.destination()
    if not isinstance(card, Card) or to.branch is not branch:
        raise forbidden()
    book, source = _writable(to), _writable(dav)
    old = book.card(to.path[3])
    if old and dav.call.header("overwrite") == "F":
        raise failed_condition(
            "The destination node already exists, and the overwrite header is set to false", "Overwrite"
        )
    if dav.call.method == "MOVE" and book.name == source.name:
        raise forbidden("Permission denied to rename file")
    store = dav.call.store
    if old:
        _remove(store, book, old)
    write_card(store, book.row["id"], to.path[3], card.text)
    if dav.call.method == "MOVE":
        _remove(store, source, card)
    return Response(204 if old else 201)


@branch.on("POST")
def share(dav: DavCall) -> Response:
    """Let other people see a book, or no longer."""
    if "xml" not in dav.call.header("content-type"):
        raise DavError(
            501, "NotImplemented", "There was no plugin in the system that was willing to handle this POST method."
        )
    book, store = dav.find(), dav.call.store
    if not isinstance(book, Book) or isinstance(book, Accounts) or book.shared:
        raise forbidden()
    for action in parse(dav.call.body):
        uid = (action.findtext(clark("d:href")) or "").rpartition("/")[2]
        store.run("DELETE FROM addressbook_shares WHERE book = ? AND uid = ?", book.row["id"], uid)
        if action.tag == clark("oc:set"):
            writable = int(action.find(clark("oc:read-write")) is not None)
            store.insert("addressbook_shares", book=book.row["id"], uid=uid, writable=writable)
    return Response(200)
