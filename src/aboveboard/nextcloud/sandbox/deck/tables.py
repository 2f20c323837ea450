"""What Deck keeps. What is deleted stays in its table with the time of that, and is no longer told."""

from aboveboard.nextcloud.sandbox.store import ID
from aboveboard.sandbox.table import Table

_CARD = "card INTEGER REFERENCES deck_cards ON DELETE CASCADE"
_BOARD = "board INTEGER REFERENCES deck_boards ON DELETE CASCADE"

BOARDS = Table(
    "deck_boards",
    f"{ID}, title TEXT, color TEXT, archived INTEGER DEFAULT 0, owner TEXT, modified INTEGER,"
    " deleted INTEGER DEFAULT 0",
    at="deck/boards/{id}",
    where="deleted = 0",
    derived={"modified"},
    unseen={"deleted"},
    flags={"archived"},
)
LABELS = Table(
    "deck_labels",
    f"{ID}, {_BOARD}, title TEXT, color TEXT, modified INTEGER",
    at="deck/labels/{id}",
    derived={"modified"},
    indexes=("board",),
)
MEMBERS = Table(
    "deck_members",
    f"{ID}, {_BOARD}, type INTEGER, participant TEXT, edit INTEGER, share INTEGER, manage INTEGER,"
    " UNIQUE (board, type, participant)",
    at="deck/boards/{board}/members/{id}",
    flags={"edit", "share", "manage"},
)
STACKS = Table(
    "deck_stacks",
    f"{ID}, {_BOARD}, title TEXT, position INTEGER, done_column INTEGER DEFAULT 0, modified INTEGER DEFAULT 0,"
    " deleted INTEGER DEFAULT 0",
    at="deck/stacks/{id}",
    where="deleted = 0",
    derived={"modified"},
    unseen={"deleted"},
    flags={"done_column"},
    indexes=("board",),
)
CARDS = Table(
    "deck_cards",
    f"{ID}, stack INTEGER REFERENCES deck_stacks ON DELETE CASCADE, title TEXT, description TEXT, previous TEXT,"
    " color TEXT, type TEXT, owner TEXT, position INTEGER, archived INTEGER DEFAULT 0, done TEXT, duedate TEXT,"
    " startdate TEXT, editor TEXT, created INTEGER, modified INTEGER, deleted INTEGER DEFAULT 0",
    at="deck/cards/{id}",
    where="deleted = 0",
    derived={"modified", "created", "editor", "previous"},
    unseen={"deleted"},
    flags={"archived"},
    indexes=("stack",),
)
CARD_LABELS = Table(
    "deck_card_labels",
    f"{ID}, {_CARD}, label INTEGER REFERENCES deck_labels ON DELETE CASCADE",
    at="deck/cards/{card}/labels/{id}",
    value="label",
    indexes=("card",),
)
ASSIGNED = Table(
    "deck_assigned",
    f"{ID}, {_CARD}, type INTEGER, participant TEXT, UNIQUE (card, type, participant)",
    at="deck/cards/{card}/assigned/{type}/{participant}",
    unseen={"id"},
)
DEPENDENTS = Table(
    "deck_dependents",
    f"{_CARD}, dependent INTEGER, PRIMARY KEY (card, dependent)",
    at="deck/cards/{card}/dependents/{dependent}",
)
COMMENTS = Table(
    "deck_comments",
    f"{ID}, {_CARD}, uid TEXT, message TEXT, created INTEGER, parent INTEGER",
    at="deck/cards/{card}/comments/{id}",
    derived={"created"},
)
ATTACHMENTS = Table(
    "deck_attachments",
    f"{ID}, {_CARD}, name TEXT, content BLOB, creator TEXT, created INTEGER, deleted INTEGER DEFAULT 0",
    at="deck/cards/{card}/attachments/{id}",
    where="deleted = 0",
    derived={"created"},
    unseen={"deleted"},
)
SETTINGS = Table(
    "deck_settings",
    "uid TEXT, key TEXT, value TEXT, PRIMARY KEY (uid, key)",
    at="deck/settings/{uid}/{key}",
    value="value",
)
