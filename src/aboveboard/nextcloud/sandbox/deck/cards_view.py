"""A card as the API shows it, of which there are several forms: each route has its own."""

import sqlite3
from datetime import UTC, date, datetime
from typing import Any

from aboveboard.nextcloud.sandbox.deck import views
from aboveboard.nextcloud.sandbox.deck.attached import attached_count, deck_files, shared_files
from aboveboard.nextcloud.sandbox.store import Store

Shown = dict[str, Any]
_DATES = ("done", "duedate", "startdate")


def stamp(kept: str | None) -> str | None:
    """A date as it was kept, which is without its zone, and shown as if it were in UTC."""
    return None if kept is None else f"{kept.replace(' ', 'T')}+00:00"


def now(store: Store) -> str:
    """This moment, as a date is kept."""
    return datetime.fromtimestamp(store.now(), UTC).strftime("%Y-%m-%d %H:%M:%S")


def _base(row: sqlite3.Row) -> Shown:
    return {
        "id": row["id"],
        "title": row["title"],
        "description": row["description"],
        "color": row["color"],
        "stackId": row["stack"],
        "type": row["type"],
        "lastModified": row["modified"],
        "lastEditor": row["editor"],
        "createdAt": row["created"],
        "labels": None,
        "assignedUsers": None,
        "attachments": [],
        "attachmentCount": 0,
        "owner": row["owner"],
        "order": row["position"],
        "archived": bool(row["archived"]),
        **{name: stamp(row[name]) for name in _DATES},
        "deletedAt": row["deleted"],
        "commentsUnread": 0,
        "commentsCount": 0,
        "dependentCards": None,
        "ETag": views.etag(row["modified"]),
    }


def bare(row: sqlite3.Row) -> Shown:
    """A card as the database has it, which knows nothing of labels and people."""
    more = {"descriptionPrev": row["previous"], "notified": False, "relatedStack": None, "relatedBoard": None}
    return {**_base(row), **more}


def labelled(store: Store, row: sqlite3.Row) -> Shown:
    """The form that small changes answer with: labels and owner, and no people."""
    return {**bare(row), "labels": card_labels(store, row["id"]), "owner": views.person(store, row["owner"])}


def in_stack(store: Store, row: sqlite3.Row) -> Shown:
    """The form in a single stack: people and files, and neither labels nor comments."""
    files = attached_count(store, row["id"])
    return {**_base(row), "assignedUsers": assigned(store, row["id"]), "attachmentCount": files, **_due(store, row)}


def whole(store: Store, row: sqlite3.Row) -> Shown:
    """A card with all that belongs to it, apart from its attachments."""
    depends = "SELECT dependent FROM deck_dependents WHERE card = ? ORDER BY dependent"
    comments = store.all("SELECT COUNT(*) AS n FROM deck_comments WHERE card = ?", row["id"])[0]["n"]
    return {
        **in_stack(store, row),
        "labels": card_labels(store, row["id"]),
        "owner": views.person(store, row["owner"]),
        "commentsCount": comments,
        "dependentCards": [one["dependent"] for one in store.all(depends, row["id"])],
    }


def with_attachments(store: Store, row: sqlite3.Row, *, shares: bool) -> Shown:
    """A card with its attachments; the older API knows of no shares."""
    found = deck_files(store, row["id"]) + (shared_files(store, row["id"]) if shares else [])
    return {**whole(store, row), "attachments": found}


def card_labels(store: Store, card: int) -> list[Shown]:
    """The labels of a card, one that was assigned twice two times."""
    sql = "SELECT deck_labels.* FROM deck_card_labels AS one JOIN deck_labels ON label = deck_labels.id WHERE card = ?"
    return [views.label(row, card) for row in store.all(f"{sql} ORDER BY deck_labels.id", card)]


def assignment(store: Store, row: sqlite3.Row) -> Shown:
    """Who a card is assigned to."""
    who = views.participant(store, row["type"], row["participant"])
    return {"id": row["id"], "participant": who, "cardId": row["card"], "type": row["type"]}


def assigned(store: Store, card: int) -> list[Shown]:
    """Everyone whom a card is assigned to."""
    sql = "SELECT * FROM deck_assigned WHERE card = ? ORDER BY participant"
    return [assignment(store, row) for row in store.all(sql, card)]


def _due(store: Store, row: sqlite3.Row) -> Shown:
    """How near the day is: 3 past, 2 today, 1 tomorrow, 0 later or none."""
    near = 0
    if row["duedate"]:
        today = datetime.fromtimestamp(store.now(), UTC).date()
        days = (date.fromisoformat(row["duedate"][:10]) - today).days
        near = 3 if days < 0 else max(0, 2 - days)
    return {"overdue": near, "referenceData": None}
