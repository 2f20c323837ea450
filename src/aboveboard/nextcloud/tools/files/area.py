"""The area of files: its toolsets, and what its tools take and show alike."""

from base64 import b64decode
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Literal

from pydantic import Field

from aboveboard.errors import BadInput
from aboveboard.kit.toolset import Toolset
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.files.entries import Entry
from aboveboard.nextcloud.client.files.written import Written
from aboveboard.nextcloud.client.model import Model


def _toolset(title: str, icon: str, app: str | None = None) -> Toolset[NextcloudClient]:
    return Toolset("files", title=title, icon=icon, prefix="nc_webdav_", app=app)


# One area, of which parts are not there where their app is switched off.
files = _toolset("Files", "M3 4h7l2 3h9v13H3zm2 5v9h14V9z")
comments = _toolset("File comments", "M3 4h18v12H9l-5 5v-5H3z", app="comments")
trash = _toolset("Trash bin", "M5 7h14l-1 14H6zm4-4h6v2h5v2H4V5h5z", app="files_trashbin")
versions = _toolset(
    "File versions", "M12 3a9 9 0 1 0 9 9h-2a7 7 0 1 1-7-7zm-1 4h2v5l4 2-1 2-5-3z", app="files_versions"
)
tags = _toolset("File tags", "M3 3h9l9 9-9 9-9-9zm4 2a2 2 0 1 0 .1 0z", app="systemtags")

FilePath = Annotated[str, Field(description="Path in your files, such as Documents/plan.md.", min_length=1)]
Scope = Annotated[str, Field(description="Folder to look in, with all below it; empty: everywhere.")]
Limit = Annotated[int, Field(description="How many at most.", ge=1, le=1000)]
Offset = Annotated[int, Field(description="How many to skip: next_offset of the page before.", ge=0)]
Overwrite = Annotated[bool, Field(description="True: what is at the destination gives way. False: it is an error.")]
IfDestinationMatch = Annotated[str | None, Field(description="Replace the destination only if this is still its etag.")]

ContentEncoding = Annotated[Literal["utf-8", "base64"], Field(description="base64 for what is not text.")]


class FileItem(Model):
    """A file or folder in a list."""

    path: str
    kind: Literal["file", "folder"]
    size: int | None = None
    content_type: str | None = None
    modified: datetime | None = None
    etag: str | None = None
    favorite: bool | None = None
    """Left out where it is none: lists are long."""
    url: str | None = None


class FileList(Model):
    """A page of files and folders; without `next_offset` it is the last."""

    items: list[FileItem]
    next_offset: int | None = None
    total: int | None = None
    """How many there are on all pages, where that is known."""


class FilePlaced(Model):
    """A file or folder that was written, moved or copied; `created` tells whether nothing was there before."""

    path: str
    created: bool
    etag: str | None = None
    url: str | None = None


class AtPath(Model):
    """What was done is done to this file or folder."""

    path: str


URL = "https://cloud.example/.../72"
ITEM = FileItem(
    path="Documents/plan.md",
    kind="file",
    size=26,
    content_type="text/markdown",
    modified=datetime(2026, 1, 31, 9, tzinfo=UTC),
    etag="5a13...",
    url=URL,
)
ITEMS = FileList(items=[FileItem(path="Documents/plan.md", kind="file", size=26, etag="5a13...")])
PLACED = FilePlaced(path="Documents/plan.md", created=False, etag="5a13...", url=URL)


def show_entry(nextcloud: NextcloudClient, entry: Entry) -> FileItem:
    """Show an entry as lists have it."""
    return FileItem(
        path=entry.path,
        kind=entry.kind,
        size=entry.size,
        content_type=entry.content_type,
        modified=entry.modified,
        etag=entry.etag,
        favorite=entry.favorite or None,
        url=file_url(nextcloud, entry.id),
    )


def page_entries(nextcloud: NextcloudClient, entries: Sequence[Entry], *, limit: int, offset: int) -> FileList:
    """Cut a page out of all there is; Nextcloud has no pages for these."""
    page = [show_entry(nextcloud, one) for one in entries[offset : offset + limit]]
    return FileList(items=page, next_offset=following(len(entries), limit, offset), total=len(entries))


def following(total: int, limit: int, offset: int) -> int | None:
    """Return where the next page starts, if there is one."""
    return offset + limit if offset + limit < total else None


def show_placed(nextcloud: NextcloudClient, written: Written) -> FilePlaced:
    """Show what was written, and where people open it."""
    url = file_url(nextcloud, written.id)
    return FilePlaced(path=written.path, created=written.created, etag=written.etag, url=url)


def file_url(nextcloud: NextcloudClient, file: int | None) -> str | None:
    """Return where people open a file or folder, if Nextcloud told its id."""
    return None if file is None else nextcloud.web_url(file)


def given_bytes(content: str, encoding: Literal["utf-8", "base64"]) -> bytes:
    """Return what to write."""
    try:
        return b64decode("".join(content.split()), validate=True) if encoding == "base64" else content.encode()
    except ValueError:  # half of a character, which JSON can spell, is no text either
        raise BadInput(f"The content is not {encoding}.") from None
