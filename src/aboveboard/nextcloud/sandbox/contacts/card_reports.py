"""REPORT on an address book: searching it, reading some of its cards, and what changed since a moment."""

import re
from collections.abc import Iterable, Sequence

from aboveboard.nextcloud.sandbox.contacts import conversion
from aboveboard.nextcloud.sandbox.contacts.books import Accounts, Book, Card
from aboveboard.nextcloud.sandbox.contacts.contacts import branch, in_version
from aboveboard.nextcloud.sandbox.contacts.filters import Filter
from aboveboard.nextcloud.sandbox.dav.dialect import DavCall, DavError, Resource, split_path
from aboveboard.nextcloud.sandbox.dav.propfind import describe, multistatus, read_names
from aboveboard.nextcloud.sandbox.dav.reports import read_report
from aboveboard.nextcloud.sandbox.dav.xml import Element, Value, clark, make
from aboveboard.nextcloud.sandbox.wire import XML_TYPE
from aboveboard.sandbox.wire import Response

_DATA = clark("card:address-data")
_QUERY, _MULTIGET, _SYNC = "card:addressbook-query", "card:addressbook-multiget", "d:sync-collection"
_TOKEN = "http://sabre.io/ns/sync/"  # noqa: S105 - the number of a change


class _Shown(Resource):
    """A card with its text in the version, and of the properties, that are asked for."""

    collection = False

    def __init__(self, card: Card, wanted: Element | None, *, partial: bool) -> None:
        super().__init__(card.path)
        self._card, self._wanted, self._partial = card, wanted, partial

    def value(self, name: str) -> Value | None:
        if name != _DATA or self._wanted is None:
            return self._card.value(name)
        version = "4.0" if self._wanted.get("version") == "4.0" else "3.0"
        names = {one.get("name", "").upper() for one in self._wanted.iterfind(clark("card:prop"))}
        if not names or not self._partial:
            return in_version(self._card, version)
        card = self._card.parsed()
        card.properties = [one for one in card.properties if one.name in {"UID", "VERSION", "FN", *names}]
        return conversion.convert_card(card, version).serialized()


@branch.on("REPORT")
def report(dav: DavCall) -> Response:
    """One of the three reports."""
    root = _any_report(dav)
    book = dav.find()
    if not isinstance(book, Book):
        raise _unsupported()
    if root.tag == clark(_SYNC):
        return _sync(dav, book, root)
    if root.tag == clark(_QUERY) and dav.call.header("depth") in {"", "0"}:
        raise _unsupported("The addressbook-query report is not supported on this url with Depth: 0")
    prop = root.find(clark("d:prop"))
    cards = _searched(book, root) if root.tag == clark(_QUERY) else _named(book, root)
    wanted = prop.find(_DATA) if prop is not None else None
    shown = [_Shown(card, wanted, partial=root.tag == clark(_QUERY)) for card in cards]
    responses = [describe(dav, one, read_names(prop)) for one in shown]
    return Response(207, {"content-type": XML_TYPE}, multistatus(responses, extra=branch.prefixes))


def _any_report(dav: DavCall) -> Element:
    for name in (_QUERY, _MULTIGET):
        try:
            return read_report(dav, name)
        except DavError as error:
            if error.status != 415:
                raise
    return read_report(dav, _SYNC)


def _unsupported(message: str = "") -> DavError:
    return DavError(415, "ReportNotSupported", message, details=[make("d:supported-report")])


def _searched(book: Book, root: Element) -> Sequence[Card]:
    condition = Filter(root.find(clark("card:filter")))
    limit = root.findtext(f"{clark('card:limit')}/{clark('card:nresults')}") or ""
    found = [card for card in book.members() if condition.holds(card.parsed())]
    return found[: (int(limit) if limit.isdecimal() else 0) or None]


def _named(book: Book, root: Element) -> Iterable[Card]:
    for href in root.iterfind(clark("d:href")):
        card = book.card(split_path(href.text or "")[-1])
        if card is not None:
            yield card


def _sync(dav: DavCall, book: Book, root: Element) -> Response:
    """What is there, or what changed since; of more than a limit, a part and a sign that there is more."""
    given = root.findtext(clark("d:sync-token")) or ""
    limit = root.findtext(f"{clark('d:limit')}/{clark('d:nresults')}") or ""
    names = read_names(root.find(clark("d:prop")))
    if given and not re.fullmatch(rf"{re.escape(_TOKEN)}(init_\d+_)?\d+", given):
        raise DavError(403, "InvalidSyncToken", "Invalid or unknown sync token", details=[make("d:valid-sync-token")])
    since = given.removeprefix(_TOKEN)
    token = f"{_TOKEN}{book.token()}"
    gone: list[str] = []
    if not since or since.startswith("init_"):
        cards, more = _initial(book, since, int(limit or 0))
        if more:
            token = f"{_TOKEN}init_{cards[-1].number}_{book.token()}"
    else:
        cards, gone = _since(book, int(since))
        more = False
    responses = [describe(dav, card, names) for card in cards]
    responses += [_status(f"{book.href}{uri}", "404 Not Found") for uri in gone]
    responses += [_status(book.href, "507 Insufficient Storage")] if more else []
    body = multistatus([*responses, make("d:sync-token", token)], extra=branch.prefixes)
    return Response(207, {"content-type": XML_TYPE}, body)


def _initial(book: Book, since: str, limit: int) -> tuple[list[Card], bool]:
    after = int(since.split("_")[1]) if since else 0
    cards = list(book.members())
    if not limit and not after:
        return cards, False
    rest = sorted((card for card in cards if card.number > after), key=lambda card: card.number)
    return rest[: limit or None], bool(limit) and len(rest) > limit


def _since(book: Book, token: int) -> tuple[list[Card], list[str]]:
    if isinstance(book, Accounts):
        return [], []
    sql = "SELECT uri FROM card_changes WHERE book = ? AND token > ? ORDER BY token"
    changed = list(dict.fromkeys(row["uri"] for row in book.store.all(sql, book.row["id"], token)))
    cards = {uri: book.card(uri) for uri in changed}
    return [card for _, card in sorted(cards.items()) if card], [uri for uri, card in cards.items() if card is None]


def _status(href: str, line: str) -> Element:
    return make("d:response", [make("d:href", href), make("d:status", f"HTTP/1.1 {line}")])
