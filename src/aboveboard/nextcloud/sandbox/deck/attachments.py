"""The routes of attachments: files that Deck keeps, and files of people that are shared with a card."""

import sqlite3
from typing import Any

from aboveboard.nextcloud.sandbox.calls import Call, Routes
from aboveboard.nextcloud.sandbox.deck.access import EDIT, READ, card_for, touch_card
from aboveboard.nextcloud.sandbox.deck.attached import (
    DECK,
    card_shares,
    deck_files,
    file_of_deck,
    shared_file,
    shared_files,
    whole_file,
)
from aboveboard.nextcloud.sandbox.deck.boards import API
from aboveboard.nextcloud.sandbox.deck.cards import CARD
from aboveboard.nextcloud.sandbox.deck.refusals import access_denied, number_of, refuse
from aboveboard.nextcloud.sandbox.files.mime import sent_type
from aboveboard.nextcloud.sandbox.ocs import OcsError
from aboveboard.nextcloud.sandbox.wire import Halt, Upload, bad_argument, json_response, parts
from aboveboard.sandbox.wire import Response

ATTACHMENTS = f"{CARD}/attachments"
FOLDER = "Deck"

routes = Routes()


def _card(call: Call, right: str = EDIT) -> sqlite3.Row:
    return card_for(call, number_of(call, "cardId"), right)


@routes.page("GET", ATTACHMENTS)
def list_attachments(call: Call) -> Response:
    """The attachments of a card; version 1.0 knows only the files that Deck keeps."""
    card = _card(call, READ)["id"]
    shares = [] if call.text("version") == "v1.0" else shared_files(call.store, card)
    return json_response(deck_files(call.store, card) + shares)


@routes.ocs("GET", f"{API}/cards/{{cardId}}/attachments")
def list_attachments_ocs(call: Call) -> list[dict[str, Any]]:
    """All attachments of a card."""
    card = _card(call, READ)["id"]
    return deck_files(call.store, card) + shared_files(call.store, card)


@routes.page("POST", ATTACHMENTS)
def attach(call: Call) -> Response:
    """A new attachment, by a form that has a type, data and a file; of an unknown type it is none."""
    form = {part.fields.get("name", ""): part for part in parts(call.body, call.header("content-type"))}
    if not form.keys() >= {"type", "data"}:
        raise bad_argument()
    card, kind, upload = _card(call), form["type"].content.decode(), call.content.upload("file")
    if kind not in {"deck_file", "file"}:
        return json_response(_nothing(call, card["id"], kind))
    if upload is None:
        raise refuse(500, "No file uploaded or file size exceeds maximum of 512 MB")
    touch_card(call.store, card)
    keep = _keep if kind == "deck_file" else _share
    return json_response(keep(call, card["id"], upload))


def _nothing(call: Call, card: int, kind: str) -> dict[str, Any]:
    now = call.store.now()
    times = {"lastModified": now, "createdAt": now, "createdBy": call.uid, "deletedAt": 0}
    return {"id": None, "cardId": card, "type": kind, "data": "", **times, "extendedData": []}


def _keep(call: Call, card: int, upload: Upload) -> dict[str, Any]:
    values = {"name": upload.filename, "content": upload.content, "creator": call.uid, "created": call.store.now()}
    return whole_file(call.store, _kept(call, call.store.insert("deck_attachments", card=card, **values)))


def _share(call: Call, card: int, upload: Upload) -> dict[str, Any]:
    """A file in the caller's folder for that, under a name that is free, shared with the card."""
    view = call.files()
    home = view.root.node
    folder = view.tree.child(home, FOLDER) or view.tree.make_folder(home, FOLDER)
    stem, dot, ending = upload.filename.rpartition(".")
    name, number = upload.filename, 2
    while view.tree.child(folder, name):
        name, number = (f"{stem} ({number}){dot}{ending}" if dot else f"{upload.filename} ({number})"), number + 1
    node = view.tree.make_file(folder, name, upload.content)
    return shared_file(call.store, share_with_card(call, node.id, card))


def share_with_card(call: Call, node: int, card: int) -> sqlite3.Row:
    """Share a file with a card, for reading."""
    values = {"type": DECK, "owner": call.uid, "initiator": call.uid, "node": node, "share_with": str(card)}
    more = {"permissions": 1, "created": call.store.now(), "note": "", "label": "", "hide_download": 0}
    share = call.store.insert("shares", **values, **more)
    return next(row for row in card_shares(call.store, card) if row["id"] == share)


def attach_by_share(call: Call, node: int) -> sqlite3.Row:
    """Share a file with a card through the routes of sharing, whose refusals have other words."""
    receiver = call.text("shareWith")
    try:
        card = card_for(call, int(receiver) if receiver.isdecimal() else 0, EDIT)["id"]
    except Halt as halt:
        raise OcsError(404, "Card not found") from halt
    if any(row["node"] == node for row in card_shares(call.store, card)):
        raise OcsError(403, "Path is already shared with this card")
    return share_with_card(call, node, card)


def _kept(call: Call, attachment: int) -> sqlite3.Row:
    row = call.store.one("SELECT * FROM deck_attachments WHERE id = ?", attachment)
    if row is None:
        raise access_denied()
    return row


def _shared(call: Call) -> sqlite3.Row:
    wanted = number_of(call, "attachmentId")
    for row in card_shares(call.store, _card(call)["id"]):
        if row["id"] == wanted:
            return row
    raise refuse(403, "No permission to access the attachment from the card")


def _download(name: str, content: bytes) -> Response:
    headers = {"content-disposition": f'attachment; filename="{name}"', "content-type": sent_type(name)}
    return Response(200, headers, content)


@routes.page("GET", f"{ATTACHMENTS}/{{attachmentId}}")
def get_attachment(call: Call) -> Response:
    """The content of a file that Deck keeps."""
    _card(call, READ)
    row = _kept(call, number_of(call, "attachmentId"))
    return _download(row["name"], row["content"])


@routes.page("GET", f"{ATTACHMENTS}/file/{{attachmentId}}")
def get_shared(call: Call) -> Response:
    """The content of a file that is shared with the card."""
    row = _shared(call)
    tree = call.files().tree
    node = tree.get(row["node"])
    if node is None:
        raise access_denied()
    return _download(node.name, tree.content(node))


@routes.page("PUT", f"{ATTACHMENTS}/{{attachmentId}}")
def replace(call: Call) -> Response:
    """Another content, which only a form can bring."""
    _card(call)
    raise refuse(500, "No file uploaded or file size exceeds maximum of 2 GB")


@routes.page("DELETE", f"{ATTACHMENTS}/{{attachmentId}}")
def delete(call: Call) -> Response:
    """A file that Deck keeps goes to where it can be brought back from; again changes nothing more."""
    card = _card(call)
    row = _kept(call, number_of(call, "attachmentId"))
    deleted = row["deleted"] or call.store.now()
    call.store.update("deck_attachments", row["id"], deleted=deleted)
    touch_card(call.store, card)
    return json_response(file_of_deck(_kept(call, row["id"]), []))


@routes.page("PUT", f"{ATTACHMENTS}/{{attachmentId}}/restore")
def restore(call: Call) -> Response:
    """A deleted file is back."""
    card = _card(call)
    row = _kept(call, number_of(call, "attachmentId"))
    call.store.update("deck_attachments", row["id"], deleted=0)
    touch_card(call.store, card)
    return json_response(file_of_deck(_kept(call, row["id"]), []))


@routes.page("DELETE", f"{ATTACHMENTS}/file/{{attachmentId}}")
def unshare(call: Call) -> Response:
    """The file is shared with the card no longer; the file itself stays."""
    row = _shared(call)
    shown = shared_file(call.store, row, lastModified=0, createdAt=0, createdBy=None)
    del shown["extendedData"]["attachmentCreator"]
    call.store.run("DELETE FROM shares WHERE id = ?", row["id"])
    touch_card(call.store, _card(call))
    return json_response(shown)
