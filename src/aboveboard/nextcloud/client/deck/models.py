"""Boards, stacks, cards and what belongs to them, as Deck shows them.

A card has several forms: some routes leave out labels and people (None here), some name the owner by an object.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, cast

from pydantic import AfterValidator, BeforeValidator, Field, RootModel, model_validator

from aboveboard.nextcloud.client.model import Model

KINDS = {"user": 0, "group": 1, "team": 7}
"""What Deck's numbers for participants stand for."""


def kind_word(number: int) -> str:
    """Return the word for a kind of participant; one that has none stays a number."""
    return next((word for word, known in KINDS.items() if known == number), str(number))


def _uid(value: object) -> object:
    """Return the id of a person or group, who may be shown as an object or as the id alone."""
    return cast("dict[str, Any]", value).get("uid") if isinstance(value, dict) else value


def _utc(value: datetime | None) -> datetime | None:
    if value is None:
        return None
    return value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)


def _map(value: object) -> object:
    """Return an empty map, which PHP writes as a list, as one."""
    return value or {}


Uid = Annotated[str, BeforeValidator(_uid)]
Moment = Annotated[datetime | None, AfterValidator(_utc)]


class Label(Model):
    """A label of a board."""

    id: int
    title: str
    color: str | None = None
    board_id: int | None = None


def _once(labels: list[Label] | None) -> list[Label] | None:
    """Show a label once that was assigned twice."""
    return None if labels is None else list({label.id: label for label in labels}.values())


class Member(Model):
    """Someone with whom a board is shared."""

    id: int
    participant: Uid
    type: int
    permission_edit: bool
    permission_share: bool
    permission_manage: bool


class Assignment(Model):
    """Someone whom a card is assigned to."""

    participant: Uid
    type: int = 0


class Card(Model):
    """A card as Deck tells it; of an archived one, lists tell less."""

    id: int
    title: str
    description: str = ""
    stack_id: int
    type: str = "plain"
    owner: Uid
    order: int
    archived: bool
    color: str | None = None
    done: Moment = None
    duedate: Moment = None
    startdate: Moment = None
    labels: Annotated[list[Label] | None, AfterValidator(_once)] = None
    assigned_users: list[Assignment] | None = None
    dependent_cards: list[int] | None = None
    attachment_count: int | None = None
    comments_count: int = 0
    created_at: int = 0
    last_modified: int = 0
    last_editor: str | None = None


class CardOrNothing(RootModel[Card | None]):
    """What comes of a change of a card's labels: before 1.17, Deck says nothing of the card."""


class Stack(Model):
    """A stack; its cards where the route tells them."""

    id: int
    title: str
    board_id: int
    order: int
    is_done_column: bool = False
    deleted_at: int = 0
    cards: Sequence[Card] = ()


class Person(Model):
    """Someone who is part of a board."""

    uid: str
    displayname: str = ""


class Board(Model):
    """A board; in a list without labels, people and stacks."""

    id: int
    title: str
    color: str | None = None
    owner: Uid
    archived: bool
    deleted_at: int = 0
    last_modified: int = 0
    labels: Sequence[Label] = ()
    acl: Sequence[Member] = ()
    users: Sequence[Person] = ()
    stacks: Sequence[Stack] = ()
    permissions: Annotated[dict[str, bool], BeforeValidator(_map)] = Field(default_factory=dict[str, bool])


class Attachment(Model):
    """A file of a card: kept by Deck (deck_file), or a file of someone that is shared with the card (file)."""

    id: int
    type: str
    name: str
    size: int | None = None
    content_type: str | None = None
    path: str | None = None
    created_by: str | None = None
    created_at: int = 0

    @model_validator(mode="before")
    @classmethod
    def _from_deck(cls, answer: object) -> object:
        if not isinstance(answer, dict) or "data" not in answer:
            return cast("object", answer)
        fields = cast("dict[str, Any]", answer)
        extended = fields.get("extendedData")
        known = cast("dict[str, Any]", extended) if isinstance(extended, dict) else {}
        return {
            "id": fields.get("id"),
            "type": fields.get("type"),
            "name": fields["data"],
            "size": known.get("filesize"),
            "contentType": known.get("mimetype"),
            "path": str(known["path"]).strip("/") if known.get("path") else None,
            "createdBy": fields.get("createdBy"),
            "createdAt": fields.get("createdAt") or 0,
        }


class Comment(Model):
    """A comment on a card."""

    id: int
    message: str
    actor_id: str
    actor_display_name: str = ""
    creation_date_time: datetime | None = None
    reply_to: "Comment | None" = None
