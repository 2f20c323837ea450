"""Notes: find, read and write them, with what is attached to them."""

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from mimetypes import guess_type
from typing import Annotated
from urllib.parse import quote

from pydantic import Field

from aboveboard.effects import ADD, DELETE, EDIT, ENSURE, READ, REPLACE
from aboveboard.errors import BadInput
from aboveboard.kit.library import Content
from aboveboard.kit.toolset import Toolset
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.model import unix_date
from aboveboard.nextcloud.client.notes.notes import SEARCH_CAP, Category, NotesSettings
from aboveboard.nextcloud.tools.files.area import ContentEncoding, given_bytes
from aboveboard.nextcloud.tools.files.file_content import FileContent, Span, as_resource, read_content
from aboveboard.nextcloud.tools.files.search import add_zone
from aboveboard.nextcloud.tools.gone import Deleted, from_the_bin
from aboveboard.nextcloud.tools.ids import AS_TEXT, OrTitle
from aboveboard.nextcloud.tools.notes.views import (
    STAYS,
    Attached,
    Categories,
    ChangedNote,
    FoundNote,
    FoundNotes,
    NoteInfo,
    NoteList,
    NoteText,
    web_url,
)

tools = Toolset[NextcloudClient](
    "notes", title="Notes", icon="M5 3h14v12l-6 6H5zm2 4v2h10V7zm0 4v2h7v-2z", prefix="nc_notes_", app="notes"
)

_INFO = {
    "id": 235,
    "title": "Shopping",
    "category": "Home",
    "favorite": True,
    "modified": datetime(2026, 1, 31, 9, tzinfo=UTC),
    "etag": "5f89a2...",
    "url": "https://cloud.example/.../235",
}
NOTE = NoteInfo.model_validate(_INFO)
TEXT = NoteText.model_validate({**_INFO, "content": "- milk", "length": 6})
HIT = FoundNote(id=235, title="Shopping", excerpt="- milk", url=NOTE.url)
PICTURE = FileContent(path="Notes/Home/.attachments.235/list.png", kind="image", size=2048, content_type="image/png")
ATTACHED = Attached(
    note_id=235,
    filename="list.png",
    path="Notes/Home/.attachments.235/list.png",
    etag="9b43ff...",
    markdown="![list.png](.attachments.235/list.png)",
)

GONE = Deleted(
    gone="Shopping",
    to_get_back="nc_webdav_restore_from_trash with {...} brings it back.",
    id=235,
)

NoteId = Annotated[int, OrTitle, AS_TEXT, Field(description="Note id or title.")]
NextCursor = Annotated[str | None, Field(description="next_cursor of the page before.")]
FilingUnder = Annotated[str, Field(description="Category such as Home/Lists; empty for none.")]


@tools.tool("Create Note", ADD, example=NOTE, core=True)
async def create_note(
    nextcloud: NextcloudClient,
    title: Annotated[str, Field(description="Up to 100 characters.", min_length=1)],
    content: Annotated[str, Field(description="Markdown.")],
    category: FilingUnder = "",
) -> NoteInfo:
    """Create a note.

    Nextcloud drops characters such as / : * ? from the title and numbers one that is taken: see the answer's title.
    """
    return NoteInfo.of(nextcloud, await nextcloud.notes.create(title, content, category=category))


@tools.tool("Update Note", EDIT, example=ChangedNote(**NOTE.model_dump(), kept_version="1769850000"))
async def update_note(
    nextcloud: NextcloudClient,
    note_id: NoteId,
    etag: Annotated[str, Field(description="From get_note: what you read is what you change.", min_length=1)],
    title: Annotated[str | None, Field(description="New title.", min_length=1)] = None,
    content: Annotated[str | None, Field(description="New text, the whole of it.")] = None,
    category: Annotated[str | None, Field(description="New category; empty takes it out of its category.")] = None,
) -> ChangedNote:
    """Replace a note's title, text or category; what is left out stays, an old text is the file's kept_version.

    If the note changed since etag, nothing is written: read it again.
    """
    old = None if content is None else await nextcloud.notes.summary(note_id)
    note = await nextcloud.note_texts.update(note_id, etag, title=title, content=content, category=category)
    left = [] if category is None else await nextcloud.note_attachments.left_behind(note)
    kept = None
    if old is not None and (since := unix_date(old.modified)) and old.modified != note.modified:
        kept = await nextcloud.versions.kept(note_id, since)
    warning = f"{STAYS} They are in {left[0]!r}." if left else None
    return ChangedNote(**NoteInfo.of(nextcloud, note, warning).model_dump(), kept_version=kept)


@tools.tool("Append to Note", ADD, example=NOTE, core=True)
async def append_content(
    nextcloud: NextcloudClient,
    note_id: NoteId,
    content: Annotated[str, Field(description="Text to add.", min_length=1)],
    separator: Annotated[
        str | None, Field(description="Stands between the old text and the new; left out: a blank line.")
    ] = None,
) -> NoteInfo:
    """Add text at the end of a note; the bytes that are there stay, and so does what someone else writes meanwhile.

    A note that was written in the last two seconds is waited for.
    """
    return NoteInfo.of(nextcloud, await nextcloud.note_texts.append(note_id, content, separator=separator))


@tools.tool("Search Notes", READ, example=FoundNotes(items=[HIT]), core=True)
async def search_notes(
    nextcloud: NextcloudClient,
    query: Annotated[str, Field(description="Words that must all occur, in any case.", min_length=1)],
    category: Annotated[str | None, Field(description="Only in this category; empty: only without one.")] = None,
    modified_since: Annotated[
        datetime | None, Field(description="Only changed since then; UTC unless it says.")
    ] = None,
    limit: Annotated[int, Field(description="How many at most.", ge=1, le=SEARCH_CAP)] = 20,
    cursor: NextCursor = None,
) -> FoundNotes:
    """Find notes by words in title, category or text, those changed last first, each with the start of its text."""
    since = add_zone(modified_since)
    found = await nextcloud.note_search.search(
        query, category=category, modified_since=since, limit=limit, cursor=cursor
    )
    return FoundNotes(items=[FoundNote.of(nextcloud, hit) for hit in found.items], next_cursor=found.cursor)


@tools.tool("Get Note", READ, example=TEXT, core=True)
async def get_note(
    nextcloud: NextcloudClient,
    note_id: NoteId,
    offset: Annotated[int, Field(description="First character to show.", ge=0)] = 0,
    limit: Annotated[int, Field(description="Most characters to show.", ge=1, le=200_000)] = 40_000,
) -> NoteText:
    """Read a note and its etag. Of a text longer than limit it gives a part, and says so in cut.

    A warning says when the note is not UTF-8, and its text not what the file holds.
    """
    note = await nextcloud.notes.get(note_id)
    if offset > len(note.content):
        raise BadInput(f"The note has {len(note.content)} characters.", next_step="Use a smaller offset.")
    return NoteText.part(nextcloud, note, offset, limit, exact=await nextcloud.note_texts.is_exact(note))


@tools.tool("List Notes", READ, example=NoteList(items=[NOTE]))
async def list_notes(
    nextcloud: NextcloudClient,
    category: Annotated[
        str | None, Field(description="Only this category, without those below it; empty: notes without one.")
    ] = None,
    limit: Annotated[int, Field(description="How many at most.", ge=1, le=200)] = 50,
    cursor: NextCursor = None,
) -> NoteList:
    """List notes without their texts, in the order in which Nextcloud noticed their last changes, the newest last."""
    page = await nextcloud.notes.list(category=category, limit=limit, cursor=cursor)
    return NoteList(
        items=[NoteInfo.of(nextcloud, note) for note in page.items],
        next_cursor=page.cursor,
        remaining=page.pending or None,
    )


@tools.tool("List Note Categories", READ, example=Categories(items=[Category(name="Home/Lists", notes=3)]))
async def list_categories(nextcloud: NextcloudClient) -> Categories:
    """List the categories and how many notes each has; the empty name is for notes without one."""
    return Categories(items=await nextcloud.notes.categories())


# Taking a star away loses it, and only the state that is asked for counts: so neither ENSURE nor RUN.
@tools.tool("Set Note Favorite", REPLACE, example=NOTE)
async def set_favorite(
    nextcloud: NextcloudClient,
    note_id: NoteId,
    favorite: Annotated[bool, Field(description="True stars the note, false takes the star away.")],
) -> NoteInfo:
    """Star a note, or take its star away; nothing else of it changes, except its etag."""
    starred = await nextcloud.notes.set_favorite(note_id, favorite=favorite)
    return NoteInfo.of(nextcloud, starred).model_copy(update={"favorite": starred.favorite})


@tools.tool("Delete Note", DELETE, example=GONE)
async def delete_note(nextcloud: NextcloudClient, note_id: NoteId) -> Deleted:
    """Delete a note and, if its file is Markdown, its folder of attachments; the trash bin keeps both for a while."""
    note = await nextcloud.notes.summary(note_id)
    await nextcloud.notes.delete(note_id)
    back = await from_the_bin(nextcloud, note_id, along=f".attachments.{note_id}")
    return Deleted(gone=note.title, to_get_back=back, id=note_id)


@tools.tool("Get Note Attachment", READ, example=PICTURE)
async def get_attachment(
    nextcloud: NextcloudClient,
    note_id: NoteId,
    attachment_filename: Annotated[str, Field(description="Its name, as the note's text refers to it.", min_length=1)],
    offset: Annotated[int, Field(description="Byte to start at.", ge=0)] = 0,
) -> FileContent:
    """Read a file attached to a note, as read_file does: text, a picture as one, anything else as a link.

    A long text comes in parts, and note says how to go on.
    """
    fetch = partial(nextcloud.note_attachments.get, note_id, attachment_filename)
    return await read_content(fetch, attachment_filename, span=Span(offset=offset))


# A name that is taken is refused, so the same call again changes nothing: it is no ADD, and nothing is overwritten.
@tools.tool("Add Note Attachment", ENSURE, example=ATTACHED)
async def add_attachment(
    nextcloud: NextcloudClient,
    note_id: NoteId,
    filename: Annotated[str, Field(description="Name with its ending, no folder.", min_length=1)],
    content: Annotated[str, Field(description="All that the file shall hold.")],
    content_encoding: ContentEncoding = "utf-8",
) -> Attached:
    """Attach a file to a note, unless it has one of that name.

    The text stays as it is: append the markdown of the answer to show the file in it.
    """
    data = given_bytes(content, content_encoding)
    note = await nextcloud.notes.summary(note_id)
    made = await nextcloud.note_attachments.add(note, filename, data)
    picture = "!" if (guess_type(filename)[0] or "").startswith("image/") else ""
    label = filename.replace("[", "(").replace("]", ")")
    markdown = f"{picture}[{label}](.attachments.{note_id}/{quote(filename)})"
    return Attached(
        note_id=note_id,
        filename=filename,
        path=made.path,
        etag=made.etag,
        markdown=markdown,
        warning=None if note.is_markdown else STAYS,
        url=web_url(nextcloud, note_id),
    )


async def note_ids(nextcloud: NextcloudClient, typed: str) -> Sequence[str]:
    """Complete a note's id, by its beginning or by words of the note."""
    if typed and not typed.isdecimal():
        return [str(hit.id) for hit in (await nextcloud.notes.search(typed, limit=SEARCH_CAP)).items]
    every = (await nextcloud.notes.list(limit=1000)).items
    return [str(note.id) for note in reversed(every) if str(note.id).startswith(typed)]


async def attachment_names(nextcloud: NextcloudClient, typed: str, note_id: str = "") -> Sequence[str]:
    """Complete the name of a file that is attached to the chosen note."""
    found = await nextcloud.note_attachments.list(int(note_id)) if str(note_id).isdecimal() else []
    return [one.name for one in found if one.name.casefold().startswith(typed.casefold())]


@tools.resource("notes://settings", "Notes Settings")
async def settings(nextcloud: NextcloudClient) -> NotesSettings:
    """In which folder the Notes app keeps this user's notes, and how their files end."""
    return await nextcloud.notes.settings()


@tools.resource("nc://Notes/{note_id}", "Note", completers={"note_id": note_ids})
async def note(nextcloud: NextcloudClient, note_id: str) -> NoteText:
    """A note with its whole text."""
    found = await nextcloud.notes.get(int(note_id))
    return NoteText.part(nextcloud, found, 0, None, exact=await nextcloud.note_texts.is_exact(found))


@tools.resource(
    "nc://Notes/{note_id}/attachments/{+filename}",
    "Note Attachment",
    mime_type="application/octet-stream",
    completers={"note_id": note_ids, "filename": attachment_names},
)
async def note_attachment(nextcloud: NextcloudClient, note_id: str, filename: str) -> Content:
    """A file that is attached to a note."""
    return await as_resource(partial(nextcloud.note_attachments.get, int(note_id), filename), filename)
