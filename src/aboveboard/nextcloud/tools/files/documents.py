"""PDF, Word, PowerPoint, spreadsheets and OpenDocument as Markdown; each library is loaded when it is needed."""

import io
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from aboveboard.errors import BadInput
from aboveboard.nextcloud.tools.files.markdown import heading, join_parts, table

INSTALL: Final = "pip install 'aboveboard[documents]'"
LARGEST: Final = 20 * 1024 * 1024
"""Bytes of a document that is read."""
UNPACKED: Final = 300 * 1024 * 1024
"""Bytes. What is packed so tightly that it would be more than this is meant to do harm."""


class LibraryMissing(Exception):
    """The libraries for documents are not installed."""


@dataclass(frozen=True)
class Pages:
    """Some pages of a document, counted from 1."""

    first: int
    last: int

    @classmethod
    def read(cls, given: str) -> "Pages":
        """Read what a caller writes: 3, or 2-5."""
        found = re.fullmatch(r"\s*(\d{1,6})\s*(?:-\s*(\d{1,6})\s*)?", given)
        pages = cls(int(found[1]), int(found[2] or found[1])) if found else None
        if pages is None or not 1 <= pages.first <= pages.last:
            raise BadInput(f"{given!r} names no pages.", next_step="Write them as 3 or as 2-5.")
        return pages


def known(name: str) -> bool:
    """Tell by its name whether a file is a document."""
    return _suffix(name) in _READERS


def markdown(name: str, data: bytes, pages: Pages | None = None) -> str:
    """Return a document as Markdown, or some pages of a PDF."""
    read = _READERS[_suffix(name)]
    if pages is not None:
        if read is not _pdf:
            raise BadInput(f"{name!r} is not a PDF, and only a PDF has pages.", next_step="Leave pages out.")
        read = partial(_pdf, pages=pages)
    try:
        _unpacks(data)
        return read(data)
    except ModuleNotFoundError as error:
        raise LibraryMissing from error
    except BadInput:
        raise
    except Exception as error:  # what parsers raise is whatever a broken file makes them
        raise BadInput(
            f"{name!r} cannot be read as a document: it is broken, protected by a password, or not what its name says.",
            next_step="With parse_document raw it is given as it is.",
        ) from error


def _suffix(name: str) -> str:
    return name.rpartition(".")[2].lower()


def _unpacks(data: bytes) -> None:
    if data.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            if sum(part.file_size for part in packed.infolist()) > UNPACKED:
                raise BadInput("This document unpacks to more than 300 MB, and is not read.")


def _pdf(data: bytes, pages: Pages | None = None) -> str:
    import logging

    from pypdf import PdfReader

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it tells of every flaw that it can read past
    every = PdfReader(io.BytesIO(data)).pages
    total = len(every)
    if pages is not None and pages.first > total:
        raise BadInput(f"This PDF has {total} pages.", next_step="Choose some of these.")
    numbers = range(1, total + 1) if pages is None else range(pages.first, min(pages.last, total) + 1)
    texts = {number: every[number - 1].extract_text().strip() for number in numbers}
    if not any(texts.values()):
        which = f"{total} pages and no text" if pages is None else "no text on these pages"
        raise BadInput(f"This PDF has {which}: they are pictures.")
    if total == 1:
        return join_parts(texts.values())
    return join_parts(
        part for number, text in texts.items() for part in (heading(2, f"Page {number} of {total}"), text)
    )


def _docx(data: bytes) -> str:
    import docx
    from docx.table import Table

    def parts() -> Iterator[str]:
        for block in docx.Document(io.BytesIO(data)).iter_inner_content():
            if isinstance(block, Table):
                yield table([cell.text for cell in row.cells] for row in block.rows)
            else:
                yield _styled(block.style.name or "" if block.style else "", block.text.strip())

    return join_parts(parts())


def _styled(style: str, text: str) -> str:
    kind, _, level = style.partition(" ")
    if not text:
        return ""
    if kind == "Title":
        return heading(1, text)
    if kind == "Heading":
        return heading(int(level) if level.isdecimal() else 2, text)
    if kind == "List":
        return f"1. {text}" if level.startswith("Number") else f"- {text}"
    return text


def _pptx(data: bytes) -> str:
    from pptx import Presentation

    def parts() -> Iterator[str]:
        for number, slide in enumerate(Presentation(io.BytesIO(data)).slides, 1):
            title = slide.shapes.title
            said = title.text_frame.text.strip() if title is not None else ""
            yield heading(2, f"Slide {number}: {said}" if said else f"Slide {number}")
            others = [shape for shape in slide.shapes if title is None or shape.shape_id != title.shape_id]
            yield from _shapes(others)
            notes = slide.notes_slide.notes_text_frame if slide.has_notes_slide else None
            if notes is not None and notes.text.strip():
                yield f"Notes: {notes.text.strip()}"

    return join_parts(parts())


def _shapes(shapes: Iterable[Any]) -> Iterator[str]:
    for shape in shapes:
        if getattr(shape, "shapes", None) is not None:  # a group
            yield from _shapes(shape.shapes)
        elif shape.has_text_frame:
            lines = [(line.level, line.text.strip()) for line in shape.text_frame.paragraphs]
            yield "\n".join(f"{'  ' * level}- {text}" for level, text in lines if text)
        elif getattr(shape, "has_table", False):
            yield table([cell.text for cell in row.cells] for row in shape.table.rows)


def _sheets(data: bytes) -> str:
    from python_calamine import CalamineWorkbook

    book = CalamineWorkbook.from_filelike(io.BytesIO(data))
    return join_parts(
        part
        for name in book.sheet_names
        for part in (heading(2, name), table(map(_cells, book.get_sheet_by_name(name).to_python())))
    )


def _cells(row: Iterable[object]) -> list[str]:
    return [str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell) for cell in row]


def _odt(data: bytes) -> str:
    from odfdo import Document

    return join_parts([str(Document(io.BytesIO(data)).to_markdown()).strip()])


def _odp(data: bytes) -> str:
    from odfdo import Document

    def parts() -> Iterator[str]:
        for number, page in enumerate(Document(io.BytesIO(data)).body.get_elements("draw:page"), 1):
            yield heading(2, f"Slide {number}")
            lines = [line.text_recursive.strip() for line in page.get_elements("descendant::text:p")]
            yield "\n".join(f"- {line}" for line in lines if line)

    return join_parts(parts())


_READERS: Final[dict[str, Callable[[bytes], str]]] = {
    "pdf": _pdf,
    "docx": _docx,
    "docm": _docx,
    "pptx": _pptx,
    "pptm": _pptx,
    **dict.fromkeys(("xlsx", "xlsm", "xlsb", "xls", "ods"), _sheets),
    "odt": _odt,
    "odp": _odp,
}
