"""What files hold: read as text, Markdown, pictures or bytes, and written."""

from collections.abc import Sequence
from functools import partial
from typing import Annotated

from pydantic import Field

from aboveboard.effects import ADD, READ, REPLACE
from aboveboard.errors import BadInput, NotFound
from aboveboard.kit.call import Call
from aboveboard.kit.library import Content
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.files.appending import addition
from aboveboard.nextcloud.tools.files import documents
from aboveboard.nextcloud.tools.files.area import (
    PLACED,
    ContentEncoding,
    FilePath,
    FilePlaced,
    files,
    given_bytes,
    show_placed,
)
from aboveboard.nextcloud.tools.files.encodings import detect_encoding
from aboveboard.nextcloud.tools.files.file_content import FileContent, Parse, Span, as_resource, read_content

READ_EXAMPLE = FileContent(
    path="Documents/plan.md",
    kind="text",
    size=26,
    content_type="text/markdown",
    etag="5a13...",
    text="# Plan\n",
    encoding="utf-8",
)


class FileWritten(FilePlaced):
    """A file that holds what it shall; `unchanged` where it did already, and nothing was written."""

    unchanged: bool | None = None
    kept_version: str | None = None
    """The version that is what it held before, where Nextcloud keeps one."""


class FileGrown(FilePlaced):
    """A file with something at its end, its size before and after, and the text where both meet."""

    size_before: int
    size: int
    around_join: str


GROWN = FileGrown(path="plan.md", created=False, etag="5a13...", size_before=26, size=34, around_join="Cut\nGlue\n")
AROUND = 120
"""Characters that are shown of the last line that was there, and of what was added."""


@files.tool("Read File", READ, example=READ_EXAMPLE, core=True)
async def read_file(
    nextcloud: NextcloudClient,
    path: FilePath,
    parse_document: Annotated[
        Parse, Field(description="auto: documents as Markdown where possible; markdown: or fail; raw: never.")
    ] = "auto",
    offset: Annotated[int, Field(description="Byte to start at.", ge=0)] = 0,
    max_bytes: Annotated[int, Field(description="How much text at most.", ge=100, le=1_000_000)] = 50_000,
    start_line: Annotated[int | None, Field(description="Line to start at, from 1.", ge=1)] = None,
    max_lines: Annotated[int | None, Field(description="How many lines at most.", ge=1)] = None,
    encoding: Annotated[
        str | None, Field(description="Of the text; left out, it is detected. base64: the bytes themselves.")
    ] = None,
    pages: Annotated[str | None, Field(description="Pages of a PDF, such as 3 or 2-5.")] = None,
) -> FileContent:
    """Read a file: text, pictures as pictures, PDF and Office documents as Markdown, anything else as a link.

    Documents need the libraries of aboveboard[documents]; where these are missing, they come as links too.
    A long text comes in parts, and note says how to go on.
    """
    span = Span(offset=offset, max_bytes=max_bytes, start_line=start_line, max_lines=max_lines)
    fetch = partial(nextcloud.files.read, path)
    return await read_content(fetch, path, span=span, parse=parse_document, encoding=encoding, pages=pages)


@files.tool("Write File", REPLACE, example=FileWritten(**PLACED.model_dump(), kept_version="1769850000"), core=True)
async def write_file(
    nextcloud: NextcloudClient,
    call: Call,
    path: FilePath,
    content: Annotated[str, Field(description="All that the file shall hold.")],
    content_type: Annotated[
        str | None, Field(description="Media type; Nextcloud goes by the name.", pattern="^[!-~]+/[ -~]+$")
    ] = None,
    if_match: Annotated[
        str | None, Field(description="From read_file: replace the file you read, if it is still the same.")
    ] = None,
    overwrite: Annotated[bool, Field(description="True: replace whatever is there, read or not.")] = False,
    content_encoding: ContentEncoding = "utf-8",
    create_parents: Annotated[bool, Field(description="True: make missing folders.")] = False,
) -> FileWritten:
    """Write a new file, or with if_match or overwrite replace one: Nextcloud keeps what it held as kept_version.

    A file that holds just that already is left as it is. One that was written in the last two seconds is waited for.
    """

    async def progress(sent: int, total: int) -> None:
        await call.progress(sent, total, f"{sent} of {total} bytes are up")

    written = await nextcloud.files.write(
        path,
        given_bytes(content, content_encoding),
        etag=if_match,
        create=not (overwrite or if_match),
        parents=create_parents,
        content_type=content_type,
        progress=progress,
    )
    kept = None
    if written.over is not None and written.id is not None:
        kept = await nextcloud.versions.kept(written.id, written.over)
    done = show_placed(nextcloud, written).model_dump()
    return FileWritten(**done, unchanged=written.unchanged or None, kept_version=kept)


@files.tool("Append to File", ADD, example=GROWN)
async def append_to_file(
    nextcloud: NextcloudClient,
    path: FilePath,
    content: Annotated[str, Field(description="Text to add, as it is.", min_length=1)],
    separator: Annotated[
        str | None, Field(description="Stands before it; left out: a line end, if the last line has none.")
    ] = None,
    create: Annotated[bool, Field(description="True: a file that is not there is made. False: an error.")] = False,
) -> FileGrown:
    """Add text at the end of a text file; the bytes that are there stay, and so does what others write meanwhile.

    What is not text is refused. A file that was written in the last two seconds is waited for.
    """
    grown: dict[str, object] = {}

    def added(old: bytes) -> bytes:
        encoding = None if documents.known(path) else detect_encoding(old)
        if encoding is None:
            raise BadInput(f"{path!r} is not a text file; nothing was appended.", next_step="Name a text file.")
        new = addition(old, content, separator, line_ends=1)
        join = _around_join(encoding.text(old[encoding.mark :]), encoding.text(new))
        grown.update(size_before=len(old), size=len(old) + len(new), around_join=join)
        return new

    done = show_placed(nextcloud, await nextcloud.files.append(path, added, create=create))
    return FileGrown.model_validate({**done.model_dump(), **grown})


def _around_join(old: str, new: str) -> str:
    """Return the last line that was there and what was added to it, each in part where it is long."""
    last = old[old.rstrip("\r\n").rfind("\n") + 1 :]
    before = f"…{last[-AROUND:]}" if len(last) > AROUND else last
    return before + (f"{new[:AROUND]}…" if len(new) > AROUND else new)


async def file_paths(nextcloud: NextcloudClient, typed: str) -> Sequence[str]:
    """Complete a path by what is in the folder that is typed so far; a folder ends with a slash."""
    folder, _, begun = typed.rpartition("/")
    try:
        found = await nextcloud.files.list(folder)
    except (NotFound, BadInput):
        return []
    matching = [one for one in found if one.name.casefold().startswith(begun.casefold())]
    return sorted(one.path + ("/" if one.kind == "folder" else "") for one in matching)


@files.resource("nc://files/{+path}", "File", mime_type="application/octet-stream", completers={"path": file_paths})
async def file(nextcloud: NextcloudClient, path: str) -> Content:
    """A file by its path from the top of your files, such as nc://files/Documents/plan.md: its text, or its bytes."""
    return await as_resource(partial(nextcloud.files.read, path), path)
