"""Files of cards."""

from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import BaseModel, Field

from aboveboard.effects import ADD, DELETE, ENSURE, READ
from aboveboard.errors import ApiError, BadInput, NotFound
from aboveboard.kit.gone import by_calling
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.deck.cards import Spot
from aboveboard.nextcloud.client.deck.models import Attachment
from aboveboard.nextcloud.client.files.entries import plain
from aboveboard.nextcloud.client.model import unix_date
from aboveboard.nextcloud.tools.deck.area import BoardId, CardId, OfBoard, StackId, card_url, tools
from aboveboard.nextcloud.tools.files.area import ContentEncoding, FilePath, given_bytes
from aboveboard.nextcloud.tools.gone import Deleted
from aboveboard.nextcloud.tools.ids import AS_TEXT, OrTitle

BY_NO_TOOL = "No tool here brings it back."
_ALREADY = "already shared with this card"


class AttachmentInfo(BaseModel):
    """A file of a card: type file is a file of someone that is shared with it, deck_file is kept by Deck."""

    id: int
    type: str
    name: str
    size: int | None = None
    content_type: str | None = None
    path: str | None = None
    created_by: str | None = None
    created: datetime | None = None

    @classmethod
    def of(cls, found: Attachment) -> Self:
        """Show an attachment."""
        created = unix_date(found.created_at or None)
        return cls.model_validate({**found.model_dump(exclude={"created_at"}), "created": created})


class Uploaded(AttachmentInfo):
    """A file that a card has got; the card is at `url`."""

    url: str | None = None


class AttachmentList(BaseModel):
    """The attachments of a card."""

    items: list[AttachmentInfo]


class Attached(BaseModel):
    """A file that is attached to a card; already_attached where it was before."""

    card_id: int
    attachment_id: int | None = None
    path: str
    already_attached: bool | None = None
    url: str | None = None
    """Where people open the card."""


class AttachmentGone(Deleted):
    """An attachment that is gone now; already_gone where it was before."""

    card_id: int


FILE = AttachmentInfo(id=5, type="file", name="plan.md", size=128, content_type="text/markdown", path="Deck/plan.md")
UPLOADED = Uploaded.model_validate(FILE.model_dump())

GONE = AttachmentGone(
    gone="plan.md",
    to_get_back="attach_file with {...} brings it back.",
    card_id=11,
    id=5,
)


@tools.tool("List Deck Card Attachments", READ, example=AttachmentList(items=[FILE]))
async def list_attachments(
    nextcloud: NextcloudClient, board_id: BoardId, stack_id: StackId, card_id: CardId
) -> AttachmentList:
    """List the files of a card; one with a path can be read with nc_webdav_read_file by whoever owns it."""
    found = await nextcloud.deck.attachments.list(Spot(board_id, stack_id, card_id))
    return AttachmentList(items=[AttachmentInfo.of(one) for one in found])


@tools.tool("Attach File to Deck Card", ENSURE, example=Attached(card_id=11, attachment_id=5, path="Documents/plan.md"))
async def attach_file(
    nextcloud: NextcloudClient, card_id: CardId, path: FilePath, board_id: OfBoard = None
) -> Attached:
    """Attach one of your files to a card: everyone on its board can read it from then on."""
    del board_id  # it served to find the card
    return await _attached(nextcloud, card_id, plain(path))


@tools.tool("Attach Note to Deck Card", ENSURE, example=Attached(card_id=11, attachment_id=5, path="Notes/Plan.md"))
async def attach_note(
    nextcloud: NextcloudClient,
    card_id: CardId,
    note_id: Annotated[int, OrTitle, AS_TEXT, Field(description="Note id or title.")],
    board_id: OfBoard = None,
) -> Attached:
    """Attach one of your notes to a card: everyone on its board can read it from then on."""
    del board_id
    return await _attached(nextcloud, card_id, (await nextcloud.notes.summary(note_id)).internal_path.strip("/"))


async def _attached(nextcloud: NextcloudClient, card: int, path: str) -> Attached:
    """Share a file with a card, for reading; a second time Nextcloud says that it is there."""
    try:
        share = await nextcloud.shares.create(path, "deck", str(card))
    except ApiError as error:
        if "Card not found" in str(error):
            raise NotFound(f"There is no card {card}, or you may not change it.", status=404) from None
        if error.status == 500:  # of a card that is not there too, before Deck 1.18: reading it tells
            await nextcloud.deck.comments.list(card, limit=1, offset=0)
        if _ALREADY not in str(error):
            raise
        there = next((one for one in await nextcloud.deck.attachments.of_card(card) if one.path == path), None)
        return Attached(
            card_id=card,
            attachment_id=there and there.id,
            path=path,
            already_attached=True,
            url=card_url(nextcloud, card),
        )
    return Attached(card_id=card, attachment_id=share.id, path=share.path, url=card_url(nextcloud, card))


@tools.tool("Upload Deck Card Attachment", ADD, example=UPLOADED)
async def upload_attachment(
    nextcloud: NextcloudClient,
    board_id: BoardId,
    stack_id: StackId,
    card_id: CardId,
    filename: Annotated[str, Field(description="Name with its ending, no folder.", min_length=1, max_length=200)],
    content: Annotated[str, Field(description="All that the file shall hold.")],
    content_encoding: ContentEncoding = "utf-8",
    type: Annotated[  # noqa: A002 - Deck's word
        Literal["file", "deck_file"], Field(description="file: into your folder Deck; deck_file: kept by Deck alone.")
    ] = "file",
) -> Uploaded:
    """Attach a new file to a card; in your folder Deck it gets a name that is free."""
    spot = Spot(board_id, stack_id, card_id)
    data = given_bytes(content, content_encoding)
    made = Uploaded.of(await nextcloud.deck.attachments.upload(spot, type, filename, data))
    return made.model_copy(update={"url": card_url(nextcloud, card_id)})


@tools.tool("Delete Deck Card Attachment", DELETE, example=GONE)
async def delete_attachment(
    nextcloud: NextcloudClient,
    board_id: BoardId,
    stack_id: StackId,
    card_id: CardId,
    attachment_id: Annotated[int, OrTitle, AS_TEXT, Field(description="Attachment id or name.")],
    type: Annotated[  # noqa: A002 - Deck's word
        Literal["file", "deck_file"] | None, Field(description="Its type, where the card has two of that id.")
    ] = None,
) -> AttachmentGone:
    """Take an attachment off a card. A file that was shared with the card stays where it is; one kept by Deck goes."""
    spot = Spot(board_id, stack_id, card_id)
    listed = await nextcloud.deck.attachments.list(spot)
    found = [one for one in listed if one.id == attachment_id and type in (None, one.type)]
    if len(found) > 1:
        raise BadInput(f"Two attachments of the card have the id {attachment_id}.", next_step="Give the type too.")
    if not found:
        return AttachmentGone.before("attachment", attachment_id, card_id=card_id)
    [one] = found
    mine = one.created_by == (await nextcloud.account.profile()).id
    await nextcloud.deck.attachments.delete(spot, one)
    if one.type == "file":
        other = f"Only {one.created_by}, whose file it is, can attach it again."
        back = by_calling("attach_file", card_id=card_id, path=one.path) if mine and one.path else other
    else:
        back = BY_NO_TOOL
    return AttachmentGone(gone=one.name, to_get_back=back, card_id=card_id, id=attachment_id)
