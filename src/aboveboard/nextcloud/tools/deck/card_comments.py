"""What people say on cards."""

from datetime import UTC, datetime
from typing import Annotated, Literal, Self

from pydantic import BaseModel, Field

from aboveboard.effects import ADD, DELETE, READ, REPLACE
from aboveboard.errors import BadInput
from aboveboard.kit.gone import FOR_GOOD, shorten_text
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.deck.comments import LONGEST
from aboveboard.nextcloud.client.deck.models import Comment
from aboveboard.nextcloud.tools.deck.area import CardId, OfBoard, card_url, tools
from aboveboard.nextcloud.tools.deck.views import PREVIEW
from aboveboard.nextcloud.tools.gone import Deleted

CommentId = Annotated[int, Field(description="The comment's id.", ge=1)]


class CommentInfo(BaseModel):
    """A comment, or its start and how long it is."""

    id: int
    message: str
    length: int | None = None
    author: str
    author_name: str | None = None
    created: datetime | None = None
    reply_to: int | None = None

    @classmethod
    def of(cls, comment: Comment, longest: int | None = None) -> Self:
        """Show a comment, of its text no more than asked for."""
        text = comment.message
        cut = longest is not None and len(text) > longest
        name = comment.actor_display_name
        return cls(
            id=comment.id,
            message=f"{text[:longest]}…" if cut else text,
            length=len(text) if cut else None,
            author=comment.actor_id,
            author_name=name if name and name != comment.actor_id else None,
            created=comment.creation_date_time,
            reply_to=comment.reply_to.id if comment.reply_to else None,
        )


class CommentList(BaseModel):
    """A page of comments; without `next_offset` it is the last."""

    items: list[CommentInfo]
    next_offset: int | None = None


class Commented(BaseModel):
    """The comments that were made of a text, several where it was split."""

    items: list[CommentInfo]
    url: str | None = None
    """Where people open the card."""


class ChangedComment(CommentInfo):
    """A comment after a call; its card is at `url`."""

    url: str | None = None


class CommentGone(Deleted):
    """A comment that is gone now; already_gone where it was before."""

    card_id: int


COMMENT = CommentInfo(id=7, message="Which devices?", author="bob", created=datetime(2026, 1, 31, 9, tzinfo=UTC))

CHANGED = ChangedComment.model_validate(COMMENT.model_dump())
GONE = CommentGone(gone="Which devices?", to_get_back=FOR_GOOD, card_id=11, id=7)


@tools.tool("List Deck Card Comments", READ, example=CommentList(items=[COMMENT]))
async def get_card_comments(
    nextcloud: NextcloudClient,
    card_id: CardId,
    limit: Annotated[int, Field(description="How many at most.", ge=1, le=200)] = 20,
    offset: Annotated[int, Field(description="How many to skip.", ge=0)] = 0,
    detail: Annotated[Literal["summary", "full"], Field(description="summary cuts long messages.")] = "summary",
    message_max_length: Annotated[int | None, Field(description="Cut messages to so many characters.", ge=0)] = None,
    order: Annotated[Literal["newest", "oldest"], Field(description="Which come first.")] = "newest",
    board_id: OfBoard = None,
) -> CommentList:
    """List the comments on a card."""
    del board_id  # it served to find the card
    comments = nextcloud.deck.comments
    if order == "newest":
        found = await comments.list(card_id, limit=limit + 1, offset=offset)
    else:
        found = (await comments.every(card_id))[offset : offset + limit + 1]
    longest = message_max_length if message_max_length is not None or detail == "full" else PREVIEW
    return CommentList(
        items=[CommentInfo.of(comment, longest) for comment in found[:limit]],
        next_offset=offset + limit if len(found) > limit else None,
    )


@tools.tool("Create Deck Card Comment", ADD, example=Commented(items=[COMMENT]))
async def create_card_comment(
    nextcloud: NextcloudClient,
    card_id: CardId,
    message: Annotated[
        str, Field(description="Plain text of up to 1000 characters; @name tells that person.", min_length=1)
    ],
    parent_id: Annotated[int | None, Field(description="The comment that it answers.", ge=1)] = None,
    overflow: Annotated[
        Literal["error", "split"],
        Field(description="What to do with a longer text: refuse it, or make several comments."),
    ] = "error",
    board_id: OfBoard = None,
) -> Commented:
    """Comment on a card, for everyone who sees it; the same call again adds another comment."""
    del board_id
    parts = _parts(message)
    if len(parts) > 1 and overflow == "error":
        raise BadInput(
            f"The comment has {len(message)} characters, and Deck takes {LONGEST} at most.",
            next_step="Shorten it, or give overflow=split.",
        )
    made = [await nextcloud.deck.comments.create(card_id, part, parent_id) for part in parts]
    return Commented(items=[CommentInfo.of(comment, PREVIEW) for comment in made], url=card_url(nextcloud, card_id))


def _parts(message: str) -> list[str]:
    """Cut a text into comments, at a line's end or a space where there is one."""
    if not message.strip():
        raise BadInput("The comment is empty.")
    parts, rest = list[str](), message
    while len(rest) > LONGEST:
        start = rest[: LONGEST + 1]
        cut = max(start.rfind("\n"), start.rfind(" "))
        end = cut if cut > 0 else LONGEST
        parts.append(rest[:end])
        rest = rest[end:].lstrip() if cut > 0 else rest[end:]
    return [part for part in (*parts, rest) if part.strip()]


@tools.tool("Update Deck Card Comment", REPLACE, example=CHANGED)
async def update_card_comment(
    nextcloud: NextcloudClient,
    card_id: CardId,
    comment_id: CommentId,
    message: Annotated[str, Field(description="New text, the whole of it.", min_length=1, max_length=LONGEST)],
    board_id: OfBoard = None,
) -> ChangedComment:
    """Replace the text of a comment of yours; the old text is gone."""
    del board_id
    if not message.strip():
        raise BadInput("The comment is empty.")
    changed = ChangedComment.of(await nextcloud.deck.comments.update(card_id, comment_id, message), PREVIEW)
    return changed.model_copy(update={"url": card_url(nextcloud, card_id)})


@tools.tool("Delete Deck Card Comment", DELETE, example=GONE)
async def delete_card_comment(
    nextcloud: NextcloudClient, card_id: CardId, comment_id: CommentId, board_id: OfBoard = None
) -> CommentGone:
    """Delete a comment of yours for good; answers to it stay."""
    del board_id
    comment = await nextcloud.deck.comments.delete(card_id, comment_id)
    if comment is None:
        return CommentGone.before("comment", comment_id, card_id=card_id)
    return CommentGone(gone=shorten_text(comment.message), to_get_back=FOR_GOOD, card_id=card_id, id=comment_id)
