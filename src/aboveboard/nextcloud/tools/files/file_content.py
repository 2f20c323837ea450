"""What read_file makes of a file: text, Markdown of a document, a picture to look at, or the way to the bytes."""

import re
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal, Protocol, TypeAlias
from urllib.parse import quote

import anyio.to_thread
import mcp_types as mcp
from pydantic import Field

from aboveboard.errors import BadInput, Failure
from aboveboard.kit import library
from aboveboard.nextcloud.client.files.overwriting import Content
from aboveboard.nextcloud.client.model import Model
from aboveboard.nextcloud.tools.files import documents
from aboveboard.nextcloud.tools.files.encodings import Encoding, detect_encoding, find_encoding

Parse: TypeAlias = Literal["auto", "markdown", "raw"]

LARGEST_PICTURE: Final = 3_500_000
"""Bytes. Models take pictures of 5 MB, base64 included."""
LARGEST: Final = 20 * 1024 * 1024
"""Bytes of a file that is read as a resource."""
WITHIN: Final = 10 * 1024 * 1024
"""Bytes from the start in which lines are counted."""
_BASE64: Final = "base64"
_PICTURES: Final = {
    "image/png": b"\x89PNG\r\n",
    "image/jpeg": b"\xff\xd8\xff",
    "image/gif": b"GIF8",
    "image/webp": b"RIFF",
}
_LINE: Final = re.compile(r"[^\n]*\n|[^\n]+")
_PICTURE_NAMES: Final = (".png", ".jpg", ".jpeg", ".gif", ".webp")


class FileContent(Model):
    """A file as a model can use it; `note` says what is missing, and how to get it."""

    path: str
    kind: Literal["text", "markdown", "image", "binary"]
    size: int
    content_type: str
    etag: str | None = None
    text: str | None = None
    encoding: str | None = None
    next_offset: int | None = None
    next_line: int | None = None
    note: str | None = None
    picture: bytes | None = Field(default=None, exclude=True)

    def blocks(self) -> Sequence[mcp.ContentBlock]:
        """Show a picture as one, and what is only bytes as a link to them."""
        if self.picture is not None:
            return [mcp.ImageContent(data=b64encode(self.picture).decode(), mime_type=self.content_type)]
        if self.kind == "binary" and self.text is None and self.size <= LARGEST:
            name = self.path.rpartition("/")[2]
            return [mcp.ResourceLink(uri=uri(self.path), name=name, mime_type=self.content_type, size=self.size)]
        return []


@dataclass(frozen=True, kw_only=True)
class Span:
    """Which part of a text is wanted: some bytes, or some lines."""

    offset: int = 0
    max_bytes: int = 50_000
    start_line: int | None = None
    max_lines: int | None = None

    @property
    def by_lines(self) -> bool:
        """Tell whether lines are counted."""
        return self.start_line is not None or self.max_lines is not None


WHOLE: Final = Span()


def uri(path: str) -> str:
    """Return the address of a file as a resource."""
    return f"nc://files/{quote(path, safe='/')}"


class Fetch(Protocol):
    """Asks Nextcloud for a part of a file."""

    async def __call__(self, *, start: int = 0, length: int | None = None) -> Content:
        """Return so many bytes from there."""
        ...


async def read_content(
    fetch: Fetch,
    path: str,
    *,
    span: Span = WHOLE,
    parse: Parse = "auto",
    encoding: str | None = None,
    pages: str | None = None,
) -> FileContent:
    """Read a file with one request, as much of it as its kind needs; its name tells the kind."""
    if span.by_lines and span.offset:
        raise BadInput("Give an offset in bytes, or lines, not both.")
    if (encoding or "").lower() == _BASE64:
        return await _encoded(fetch, span)
    forced = find_encoding(encoding) if encoding else None
    chosen = documents.Pages.read(pages) if pages else None
    if parse != "raw" and documents.known(path):
        return await _document(await fetch(length=documents.LARGEST), parse, span, chosen)
    if chosen is not None:
        raise BadInput(f"{path!r} is read as it is, and has no pages.", next_step="Leave pages out.")
    if parse == "markdown":
        raise BadInput(f"{path!r} is not a document that can be made into Markdown.", next_step="Read it with auto.")
    if path.lower().endswith(_PICTURE_NAMES) and forced is None:
        content = await fetch(length=LARGEST_PICTURE)
        return _picture(content) or _bytes(content, span, None)
    start, length = (0, WITHIN) if span.by_lines else (span.offset, span.max_bytes)
    return _bytes(await fetch(start=start, length=length), span, forced)


async def _document(content: Content, parse: Parse, span: Span, pages: documents.Pages | None) -> FileContent:
    if not content.complete:
        return _linked(content, f"Only documents of up to {documents.LARGEST} bytes are read as text.")
    try:
        convert = partial(documents.markdown, content.path.rpartition("/")[2], content.data, pages)
        text = await anyio.to_thread.run_sync(convert, abandon_on_cancel=True)
    except documents.LibraryMissing:
        how = f"To read it as text, the operator installs the libraries for documents: {documents.INSTALL}."
        if parse == "markdown":
            raise BadInput(f"{content.path!r} is a document.", next_step=how) from None
        return _linked(content, how)
    except BadInput as problem:
        if parse == "markdown" or pages is not None:
            raise
        return _linked(content, str(problem))
    data = text.encode()
    made = Content(content.path, data, 0, len(data), content.content_type, content.etag)
    shown = part_of(made, Encoding("utf-8"), span)
    return shown.model_copy(update={"kind": "markdown", "size": content.size, "encoding": None})


def _picture(content: Content) -> FileContent | None:
    kind = next((kind for kind, start in _PICTURES.items() if content.data.startswith(start)), None)
    if kind is None or (kind == "image/webp" and content.data[8:12] != b"WEBP"):
        return None
    if not content.complete:
        return _linked(content, f"Only pictures of up to {LARGEST_PICTURE} bytes are shown.")
    return FileContent(
        path=content.path, kind="image", size=content.size, content_type=kind, etag=content.etag, picture=content.data
    )


def _bytes(content: Content, span: Span, forced: Encoding | None) -> FileContent:
    found = forced or detect_encoding(content.data, at_start=content.start == 0)
    if found is None:
        return _picture(content) or _linked(content, "It is not text.")
    return part_of(content, found, span)


def part_of(content: Content, encoding: Encoding, span: Span) -> FileContent:
    """Cut out the bytes that are wanted of those that were read, up to the end of a line."""
    if span.by_lines:
        return _lines(content, encoding, span)
    start, skipped = span.offset, span.offset - content.start
    data = content.data[skipped : skipped + span.max_bytes]
    if start and not data:
        raise BadInput(f"{content.path!r} ends before byte {start}.", next_step="Start earlier.")
    if start + len(data) < content.size:
        data = encoding.whole(data)
    end = start + len(data)
    shown = _text(content, encoding, encoding.text(data if skipped else data[encoding.mark :]))
    if end == content.size and start == 0:
        return shown
    more = f" Go on with offset={end}{_in(encoding)}." if end < content.size else ""
    note = f"Only bytes {start} to {end} of {content.size}: never write this back as the whole file.{more}"
    return _noted(shown, note, next_offset=end if end < content.size else None)


def _lines(content: Content, encoding: Encoding, span: Span) -> FileContent:
    lines = _LINE.findall(encoding.text(content.data[encoding.mark :]))
    first = span.start_line or 1
    if first > max(len(lines), 1):
        where = "" if content.complete else f" in its first {WITHIN} bytes, where lines are counted"
        raise BadInput(f"{content.path!r} has {len(lines)} lines{where}.", next_step="Start earlier, or use offset.")
    taken, room = list[str](), span.max_bytes
    for line in lines[first - 1 : None if span.max_lines is None else first - 1 + span.max_lines]:
        room -= len(line.encode(errors="replace"))
        if room < 0 and taken:
            break
        taken.append(line)
    last = first - 1 + len(taken)
    shown = _text(content, encoding, "".join(taken))
    if content.complete and first == 1 and last == len(lines):
        return shown
    of = f"{len(lines)}" if content.complete else f"more than {len(lines)}"
    more = f" Go on with start_line={last + 1}." if last < len(lines) else ""
    note = f"Only lines {first} to {last} of {of}: never write this back as the whole file.{more}"
    return _noted(shown, note, next_line=last + 1 if last < len(lines) else None)


def _text(content: Content, encoding: Encoding, text: str) -> FileContent:
    guess = f"The encoding {encoding.name} is a guess: if the text looks wrong, give another as encoding."
    return FileContent(
        path=content.path,
        kind="text",
        size=content.size,
        content_type=_type(content),
        etag=content.etag,
        text=text,
        encoding=encoding.name,
        note=guess if encoding.guessed else None,
    )


def _noted(
    shown: FileContent, note: str, *, next_offset: int | None = None, next_line: int | None = None
) -> FileContent:
    said = " ".join(filter(None, [note, shown.note]))
    return shown.model_copy(update={"note": said, "next_offset": next_offset, "next_line": next_line})


def _type(content: Content) -> str:
    # Nextcloud adds that every text is UTF-8, whatever it is.
    return content.content_type.partition(";")[0].strip()


def _in(encoding: Encoding) -> str:
    return "" if encoding.name == "utf-8" else f" and encoding={encoding.name}"


async def _encoded(fetch: Fetch, span: Span) -> FileContent:
    """Show bytes as they are, in base64, which is the way to those of a file that is too large for a resource."""
    if span.by_lines:
        raise BadInput("Bytes have no lines.", next_step="Give an offset instead.")
    content = await fetch(start=span.offset, length=span.max_bytes)
    end = content.start + len(content.data)
    shown = FileContent(
        path=content.path,
        kind="binary",
        size=content.size,
        content_type=_type(content),
        etag=content.etag,
        text=b64encode(content.data).decode(),
        encoding=_BASE64,
    )
    if content.complete:
        return shown
    more = f" Go on with offset={end} and encoding={_BASE64}." if end < content.size else ""
    note = f"Only bytes {content.start} to {end} of {content.size}.{more}"
    return _noted(shown, note, next_offset=end if end < content.size else None)


def _linked(content: Content, why: str) -> FileContent:
    if content.size <= LARGEST:
        note = f"{why} Its bytes are in the resource that is linked."
    else:
        note = f"{why} Its bytes are too many for a resource: read_file gives them in parts with encoding={_BASE64}."
    return FileContent(
        path=content.path,
        kind="binary",
        size=content.size,
        content_type=_type(content),
        etag=content.etag,
        note=note,
    )


async def as_resource(fetch: Fetch, path: str) -> library.Content:
    """Read a whole file for a client that keeps it: its text, or its bytes."""
    content = await fetch(length=LARGEST)
    if not content.complete:
        raise Failure(
            f"{path!r} has {content.size} bytes, and a resource has at most {LARGEST}.",
            next_step=f"Use read_file, which reads in parts: text as such, and bytes with encoding={_BASE64}.",
        )
    kind, encoding = _type(content), detect_encoding(content.data)
    if encoding is None or (kind.startswith("image/") and kind != "image/svg+xml"):
        return library.Content(content.data, kind)
    return library.Content(encoding.text(content.data[encoding.mark :]), kind)
