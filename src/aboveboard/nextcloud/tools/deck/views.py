"""Boards, stacks and cards as tools show them: lists as summaries, with the start of long texts."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from pydantic import BaseModel

from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.deck.models import Assignment, Board, Card, Label, Member, Stack, kind_word
from aboveboard.nextcloud.client.model import unix_date
from aboveboard.nextcloud.tools.deck.area import board_url

PREVIEW = 140
UNTOLD = "Deck does not tell labels, people, comments and files of archived cards in lists: get_card does."


class LabelInfo(BaseModel):
    """A label."""

    id: int
    title: str
    color: str | None = None

    @classmethod
    def of(cls, label: Label) -> Self:
        """Show a label."""
        return cls(id=label.id, title=label.title, color=label.color)


class ChangedLabel(LabelInfo):
    """A label after a call; its board is at `url`."""

    url: str | None = None

    @classmethod
    def on(cls, nextcloud: NextcloudClient, board: int, label: Label) -> Self:
        """Show a label that was written."""
        return cls.of(label).model_copy(update={"url": board_url(nextcloud, board)})


class CardInfo(BaseModel):
    """A card; what it does not have is left out."""

    id: int
    title: str
    stack_id: int
    preview: str | None = None
    description: str | None = None
    description_length: int | None = None
    duedate: datetime | None = None
    done: datetime | None = None
    archived: bool | None = None
    labels: list[LabelInfo] | None = None
    assigned_to: list[str] | None = None
    comments: int | None = None
    attachments: int | None = None
    dependent_cards: list[int] | None = None
    type: str | None = None
    owner: str | None = None
    order: int | None = None
    color: str | None = None
    startdate: datetime | None = None
    created: datetime | None = None
    modified: datetime | None = None
    url: str | None = None
    warning: str | None = None


@dataclass(frozen=True)
class Cut:
    """How much of a card to show: summary with the start of its text, or full with all of it up to a length."""

    detail: str = "summary"
    preview: int = PREVIEW
    longest: int | None = None

    @property
    def full(self) -> bool:
        """Tell whether all fields are wanted."""
        return self.detail == "full"


SHORT, WHOLE = Cut(), Cut("full")


def show_card(nextcloud: NextcloudClient, board: int, card: Card, cut: Cut = SHORT) -> CardInfo:
    """Show a card, in short unless more is wanted."""
    fields = {
        "id": card.id,
        "title": card.title,
        "stack_id": card.stack_id,
        **_description(card.description, cut),
        "duedate": card.duedate,
        "done": card.done,
        "archived": card.archived or None,
        "labels": [LabelInfo.of(label) for label in card.labels or []] or None,
        "assigned_to": [_assigned(one) for one in card.assigned_users or []] or None,
        "comments": card.comments_count or None,
        "attachments": card.attachment_count or None,
        "dependent_cards": card.dependent_cards or None,
        "url": f"{board_url(nextcloud, board)}/card/{card.id}",
        **(_rest(card) if cut.full else {}),
    }
    return CardInfo.model_validate(fields)


def _description(text: str, cut: Cut) -> dict[str, object]:
    """Return the text, or its start and how long it is."""
    if cut.full:
        shown = text if cut.longest is None else text[: cut.longest]
        return {"description": shown, "description_length": len(text) if len(shown) < len(text) else None}
    line = " ".join(text.split())
    start = line[: cut.preview]
    whole = len(start) == len(line)
    return {"preview": (start if whole else f"{start}…") or None, "description_length": None if whole else len(text)}


def _rest(card: Card) -> dict[str, object]:
    return {
        "type": card.type,
        "owner": card.owner,
        "order": card.order,
        "color": card.color or None,
        "startdate": card.startdate,
        "created": unix_date(card.created_at or None),
        "modified": unix_date(card.last_modified or None),
    }


def _assigned(one: Assignment) -> str:
    return one.participant if one.type == 0 else f"{kind_word(one.type)}:{one.participant}"


class StackInfo(BaseModel):
    """A stack, with its cards where they were asked for; a note says what Deck does not tell."""

    id: int
    title: str
    order: int
    is_done_column: bool | None = None
    total: int | None = None
    cards: list[CardInfo] | None = None
    note: str | None = None


class ChangedStack(StackInfo):
    """A stack after a call; its board is at `url`."""

    url: str | None = None

    @classmethod
    def on(cls, nextcloud: NextcloudClient, board: int, stack: Stack) -> Self:
        """Show a stack that was written."""
        return cls.model_validate({**show_stack(stack).model_dump(), "url": board_url(nextcloud, board)})


def show_stack(stack: Stack, cards: Sequence[CardInfo] | None = None, total: int | None = None) -> StackInfo:
    """Show a stack with cards or without."""
    return StackInfo(
        id=stack.id,
        title=stack.title,
        order=stack.order,
        is_done_column=stack.is_done_column or None,
        total=total if total is not None or cards is None else len(cards),
        cards=None if cards is None else list(cards),
    )


class StackList(BaseModel):
    """The stacks of a board; a note says what Deck does not tell."""

    board_id: int
    items: list[StackInfo]
    note: str | None = None


class MemberInfo(BaseModel):
    """Someone with whom a board is shared."""

    participant: str
    type: str
    can_edit: bool
    can_share: bool
    can_manage: bool

    @classmethod
    def of(cls, member: Member) -> Self:
        """Show a member."""
        return cls(
            participant=member.participant,
            type=kind_word(member.type),
            can_edit=member.permission_edit,
            can_share=member.permission_share,
            can_manage=member.permission_manage,
        )


class ChangedMember(MemberInfo):
    """Someone with whom a board was shared, or who may do something else there now; the board is at `url`."""

    url: str | None = None

    @classmethod
    def on(cls, nextcloud: NextcloudClient, board: int, member: Member) -> Self:
        """Show a member who was written."""
        return cls.of(member).model_copy(update={"url": board_url(nextcloud, board)})


class BoardInfo(BaseModel):
    """A board; what was not asked for is left out."""

    id: int
    title: str
    color: str | None = None
    owner: str
    archived: bool | None = None
    deleted: datetime | None = None
    permissions: list[str] | None = None
    labels: list[LabelInfo] | None = None
    shared_with: list[MemberInfo] | None = None
    users: list[str] | None = None
    stacks: list[StackInfo] | None = None
    url: str | None = None
    note: str | None = None


def show_board(nextcloud: NextcloudClient, board: Board) -> BoardInfo:
    """Show a board without what belongs to it."""
    return BoardInfo(
        id=board.id,
        title=board.title,
        color=board.color,
        owner=board.owner,
        archived=board.archived or None,
        deleted=unix_date(board.deleted_at or None),
        permissions=[name.removeprefix("PERMISSION_").lower() for name, held in board.permissions.items() if held],
        url=None if board.deleted_at else board_url(nextcloud, board.id),
    )
