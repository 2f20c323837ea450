"""The first boards: a product that Ada and Bob build together, and one that Bob keeps for himself."""

from dataclasses import dataclass

from aboveboard.nextcloud.sandbox.store import Store
from aboveboard.sandbox.store import Seed

_LABELS = {"Bug": "FF7A66", "Feature": "317CCC", "Docs": "F1DB50", "Blocked": "CC317C"}


@dataclass(frozen=True)
class _Card:
    stack: str
    title: str
    description: str = ""
    labels: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    due: str | None = None
    done: str | None = None
    archived: bool = False


_CARDS = (
    _Card("Backlog", "Offline mode", "Cards can be read **without** a connection.", ("Feature",)),
    _Card("Backlog", "Dark theme", "- [ ] palette\n- [ ] icons\n", ("Feature",)),
    _Card("Backlog", "Übersetzung 🇩🇪", "Die Oberfläche auf Deutsch.", ("Docs",), due="2026-04-30 10:00:00"),
    _Card(
        "Doing", "Login with a key", "Pass keys on every device.", ("Feature",), ("admin", "bob"), "2026-02-13 16:00:00"
    ),
    _Card("Doing", "Search is slow", "Two seconds for a thousand cards.", ("Bug", "Blocked"), ("bob",)),
    _Card("Review", "Handbook", "Chapter one to three.", ("Docs",), ("admin",), "2026-01-30 12:00:00"),
    _Card("Done", "Sign up", "By mail address.", ("Feature",), ("admin",), done="2025-12-19 15:30:00"),
    _Card("Done", "First logo", "A blue square.", done="2025-11-03 09:00:00", archived=True),
)
_STACKS = ("Backlog", "Doing", "Review", "Done")


def fill(store: Store) -> None:
    """Write the boards into a store that has the people already."""
    board = _board(store, "Product", "admin", "317CCC")
    for kind, who, manage in ((0, "bob", 0), (1, "team", 0)):
        store.insert(
            "deck_members", board=board, type=kind, participant=who, edit=int(kind == 0), share=0, manage=manage
        )
    labels = {
        title: store.insert("deck_labels", board=board, title=title, color=color, modified=store.now())
        for title, color in _LABELS.items()
    }
    stacks = {
        title: store.insert(
            "deck_stacks",
            board=board,
            title=title,
            position=place,
            done_column=int(title == "Done"),
            modified=store.now(),
        )
        for place, title in enumerate(_STACKS)
    }
    cards = [_card(store, stacks[card.stack], place, card, labels) for place, card in enumerate(_CARDS)]
    _talk(store, cards)
    errands = _board(store, "Errands", "bob", "F1DB50")
    store.insert("deck_stacks", board=errands, title="Today", position=0)


def _board(store: Store, title: str, owner: str, color: str) -> int:
    store.tick()
    return store.insert("deck_boards", title=title, color=color, owner=owner, modified=store.now())


def _card(store: Store, stack: int, place: int, card: _Card, labels: dict[str, int]) -> int:
    store.tick()
    number = store.insert(
        "deck_cards",
        stack=stack,
        title=card.title,
        description=card.description,
        type="plain",
        owner="admin",
        position=place,
        archived=int(card.archived),
        duedate=card.due,
        done=card.done,
        created=store.now(),
        modified=store.now(),
    )
    for label in card.labels:
        store.insert("deck_card_labels", card=number, label=labels[label])
    for uid in card.people:
        store.insert("deck_assigned", card=number, type=0, participant=uid)
    return number


def _talk(store: Store, cards: list[int]) -> None:
    """What people say on a card, what waits for it, and a file of it."""
    offline, login, slow = cards[0], cards[3], cards[4]
    first = store.insert("deck_comments", card=login, uid="bob", message="Which devices? @admin", created=store.now())
    store.insert("deck_comments", card=login, uid="admin", message="All.", created=store.now(), parent=first)
    store.insert("deck_dependents", card=slow, dependent=offline)
    sketch = {"name": "flow.txt", "content": b"key -> device -> home\n", "creator": "admin", "created": store.now()}
    store.insert("deck_attachments", card=login, **sketch)


seed = Seed(fill)
