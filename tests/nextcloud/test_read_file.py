"""What read_file makes of files: text in any encoding and in parts, documents, pictures, and links to the rest."""

import base64
import codecs
import io
import sys
import zipfile
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from random import Random
from typing import Any

import mcp_types as mcp
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from mcp.shared.exceptions import MCPError
from tests.nextcloud import papers
from tests.nextcloud.sessions import Session, Watched, connected, serving, text_of

from aboveboard.nextcloud.client.files.overwriting import Content
from aboveboard.nextcloud.sandbox import Sandbox
from aboveboard.nextcloud.tools.files import documents, file_content
from aboveboard.nextcloud.tools.files.encodings import detect_encoding
from aboveboard.nextcloud.tools.files.file_content import LARGEST_PICTURE, Span, part_of

pytestmark = pytest.mark.anyio

READ = "nc_webdav_read_file"
PNG = b"\x89PNG\r\n\x1a\n" + bytes(100)


@asynccontextmanager
async def holding(sandbox: Sandbox, name: str, data: bytes) -> AsyncGenerator[tuple[Session, Watched]]:
    """Open a session in which a file is there and everything that is asked once is known."""
    service = serving(sandbox)
    async with connected(service) as session:
        await session.client.list_tools()
        content = base64.b64encode(data).decode()
        await session.ask("nc_webdav_write_file", path=name, content=content, content_encoding="base64")
        service.arrived.clear()
        yield session, service


@pytest.mark.parametrize(
    ("data", "text", "encoding", "guessed"),
    [
        (b"", "", "utf-8", False),
        ("größer 🚀\r\n".encode(), "größer 🚀\r\n", "utf-8", False),
        (codecs.BOM_UTF8 + "größer".encode(), "größer", "utf-8", False),
        (codecs.BOM_UTF16_LE + "größer 🚀".encode("utf-16-le"), "größer 🚀", "utf-16-le", False),
        (codecs.BOM_UTF16_BE + "größer".encode("utf-16-be"), "größer", "utf-16-be", False),
        (codecs.BOM_UTF32_LE + "größer".encode("utf-32-le"), "größer", "utf-32-le", False),
        ("name;city\r\n".encode("utf-16-le"), "name;city\r\n", "utf-16-le", True),
        ("name;city\r\n".encode("utf-16-be"), "name;city\r\n", "utf-16-be", True),
        ("Grüße aus Köln, Straße".encode("cp1252"), "Grüße aus Köln, Straße", "cp1252", True),
        ("Ça va? Très bien — “déjà vu” €5".encode("cp1252"), "Ça va? Très bien — “déjà vu” €5", "cp1252", True),
        ("Příliš žluťoučký kůň úpěl".encode("cp1250"), "Příliš žluťoučký kůň úpěl", "cp1250", True),
        ("Привет, как дела?".encode("cp1251"), "Привет, как дела?", "cp1251", True),
        ("これは日本語のテキストです。".encode("shift_jis"), "これは日本語のテキストです。", "shift_jis", True),
        ("这是一个中文文本".encode("gb18030"), "这是一个中文文本", "gb18030", True),
    ],
    ids=lambda value: ascii(value)[:20],
)
async def test_a_text_is_read_in_its_encoding_with_one_request_and_a_guess_is_told_as_one(
    sandbox: Sandbox,
    data: bytes,
    text: str,
    encoding: str,
    guessed: bool,  # noqa: FBT001
) -> None:
    async with holding(sandbox, "a.txt", data) as (session, service):
        read = await session.ask(READ, path="a.txt")
    assert [line.split()[0] for line in service.lines] == ["GET"]
    assert (read["kind"], read["text"], read["encoding"], read["size"]) == ("text", text, encoding, len(data))
    assert ("is a guess" in read.get("note", "")) is guessed


async def test_an_encoding_that_is_given_counts_and_one_that_is_none_is_refused(sandbox: Sandbox) -> None:
    async with holding(sandbox, "a.txt", "größer".encode("cp850")) as (session, service):
        read = await session.ask(READ, path="a.txt", encoding="cp850")
        assert (read["text"], read["encoding"], read.get("note")) == ("größer", "cp850", None)
        service.arrived.clear()
        for name in ("klingon", "rot13", "a\0b"):
            assert "There is no encoding" in await session.refusal(READ, path="a.txt", encoding=name)
    assert service.lines == []


async def test_a_long_text_comes_in_parts_and_the_note_says_how_to_go_on(sandbox: Sandbox) -> None:
    lines = [f"{number} größer\n" for number in range(1, 101)]
    data = "".join(lines).encode()
    async with holding(sandbox, "long.txt", data) as (session, service):
        first = await session.ask(READ, path="long.txt", max_bytes=100)
        last = await session.ask(READ, path="long.txt", offset=len(data) - 5)
        some = await session.ask(READ, path="long.txt", start_line=10, max_lines=2)
        rest = await session.ask(READ, path="long.txt", start_line=99)
        short = await session.ask(READ, path="long.txt", start_line=10, max_bytes=100)
        assert [request.headers["range"] for request in service.arrived[:1]] == ["bytes=0-99"]
        assert len(service.arrived) == 5
        beyond = await session.refusal(READ, path="long.txt", start_line=101)
        after = await session.refusal(READ, path="long.txt", offset=len(data) + 1)
        both = await session.refusal(READ, path="long.txt", offset=1, start_line=1)
    end = first["next_offset"]
    assert first["text"] == data[:end].decode() == "".join(lines[:9])
    assert f"Only bytes 0 to {end} of {len(data)}" in first["note"]
    assert f"Go on with offset={end}." in first["note"]
    assert (last["text"], last.get("next_offset")) == ("ßer\n", None)
    assert (some["text"], some["next_line"]) == ("".join(lines[9:11]), 12)
    assert "Only lines 10 to 11 of 100" in some["note"]
    assert (rest["text"], rest.get("next_line")) == ("".join(lines[98:]), None)
    assert (short["text"], short["next_line"]) == ("".join(lines[9:17]), 18)
    assert "has 100 lines" in beyond
    assert "ends before byte" in after
    assert "not both" in both


TEXTS = st.text(st.sampled_from("abc ü€🚀\n"), min_size=0, max_size=900)


@settings(max_examples=60)
@given(text=TEXTS, encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-32", "gb18030"]))
@example(text="x" * 600, encoding="utf-16")
@example(text="x" + "🚀" * 200, encoding="utf-8")
@example(text="\u0a05\u0100" * 200, encoding="utf-16")  # whose bytes look like a newline between two characters
def test_the_parts_of_a_text_make_up_the_whole(text: str, encoding: str) -> None:
    data = text.encode(encoding)
    found = detect_encoding(data)
    if encoding == "gb18030":  # which is only guessed
        found = detect_encoding("这是一个中文文本".encode("gb18030"))
    assert found is not None
    for by_lines in (False, True):
        parts, offset, line = list[str](), 0, 1
        while True:
            span = Span(max_bytes=100, offset=offset, start_line=line if by_lines else None)
            window = data if by_lines else data[offset : offset + 100]
            content = Content("a.txt", window, 0 if by_lines else offset, len(data), "text/plain", None)
            part = part_of(content, found if by_lines or not offset else replace(found, mark=0), span)
            parts.append(part.text or "")
            if part.next_offset is None and part.next_line is None:
                break
            offset, line = part.next_offset or 0, part.next_line or 1
        assert "".join(parts) == text


async def test_a_picture_is_shown_as_one_and_a_large_one_is_linked(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        result = await session.call(READ, path="Photos/sunset.png")
    picture, _ = result.content
    assert isinstance(picture, mcp.ImageContent)
    assert base64.b64decode(picture.data).startswith(b"\x89PNG")
    assert picture.mime_type == "image/png"
    assert result.structured_content["kind"] == "image"
    async with holding(sandbox, "huge.png", PNG + bytes(LARGEST_PICTURE)) as (session, _):
        result = await session.call(READ, path="huge.png")
    link, _ = result.content
    assert isinstance(link, mcp.ResourceLink)
    assert "Only pictures of up to" in text_of(result)


async def test_what_only_has_the_name_of_a_picture_is_what_it_is(sandbox: Sandbox) -> None:
    async with holding(sandbox, "a.png", b"<html>no picture</html>") as (session, _):
        assert (await session.ask(READ, path="a.png"))["text"] == "<html>no picture</html>"
    async with holding(sandbox, "picture.bin", PNG) as (session, _):
        assert (await session.ask(READ, path="picture.bin"))["kind"] == "image"


async def test_anything_else_is_a_link_that_gives_its_bytes(sandbox: Sandbox) -> None:
    data, name = bytes(range(256)) * 4, "100% #1 ü?.bin"
    async with holding(sandbox, name, data) as (session, service):
        result = await session.call(READ, path=name)
        assert len(service.arrived) == 1
        link, _ = result.content
        assert isinstance(link, mcp.ResourceLink)
        assert (link.name, link.size, link.uri) == (name, len(data), "nc://files/100%25%20%231%20%C3%BC%3F.bin")
        (blob,) = (await session.client.read_resource(link.uri)).contents
    assert isinstance(blob, mcp.BlobResourceContents)
    assert base64.b64decode(blob.blob) == data
    assert result.structured_content["kind"] == "binary"


DOCUMENTS: dict[str, tuple[Callable[[], bytes], str]] = {
    "report.docx": (
        papers.word,
        "# Shed\n\n## What it needs\n\nA roof, größer.\n\n- wood\n- nails\n\n"
        "| what | count |\n| --- | --- |\n| boards\\|planks | 24 |\n",
    ),
    "talk.pptx": (
        papers.slides,
        "## Slide 1: Plan\n\n- Measure\n  - twice\n\nNotes: Say it slowly.\n\n## Slide 2\n\n| a | b |\n| --- | --- |\n",
    ),
    "costs.xlsx": (
        papers.workbook,
        "## Costs\n\n| item | euros |\n| --- | --- |\n| wood | 120 |\n| paint | 34.5 |\n\n"
        "## More\n\n| Über |\n| --- |\n",
    ),
    "garden.odt": (papers.open_text, "# Garden\n\nBeans and a pond.\n"),
    "talk.odp": (papers.open_slides, "## Slide 1\n\n- Hello there\n"),
    "beds.ods": (papers.open_sheet, "## Beds\n\n| beans | 3 |\n| --- | --- |\n"),
}


@pytest.mark.parametrize("name", DOCUMENTS)
async def test_a_document_is_read_as_markdown_with_one_request(sandbox: Sandbox, name: str) -> None:
    make, markdown = DOCUMENTS[name]
    data = make()
    async with holding(sandbox, name, data) as (session, service):
        read = await session.ask(READ, path=name)
        assert len(service.arrived) == 1
        second = await session.ask(READ, path=name, start_line=2, max_lines=1)
        raw = await session.ask(READ, path=name, parse_document="raw")
    assert (read["kind"], read["text"], read["size"]) == ("markdown", markdown, len(data))
    assert second["text"] == markdown.splitlines(keepends=True)[1]
    assert raw["kind"] == "binary"


async def test_a_pdf_is_read_page_by_page(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        read = await session.ask(READ, path="Documents/report.pdf", parse_document="markdown")
    assert (read["kind"], read["text"]) == ("markdown", "Quarterly report\n")


async def test_some_pages_of_a_pdf_are_read_and_those_that_are_not_there_are_refused(sandbox: Sandbox) -> None:
    async with holding(sandbox, "long.pdf", papers.pdf("one", "two", "three")) as (session, service):

        async def text(pages: str) -> str:
            return (await session.ask(READ, path="long.pdf", pages=pages))["text"]

        assert await text("2") == "## Page 2 of 3\n\ntwo\n"
        assert await text("2-9") == "## Page 2 of 3\n\ntwo\n\n## Page 3 of 3\n\nthree\n"
        assert len(service.arrived) == 2
        assert "This PDF has 3 pages" in await session.refusal(READ, path="long.pdf", pages="4")
        for wrong in ("0", "3-2", "x", "1,2"):
            assert "names no pages" in await session.refusal(READ, path="long.pdf", pages=wrong)
        assert "has no pages" in await session.refusal(READ, path="Readme.md", pages="1")
    async with holding(sandbox, "a.docx", papers.word()) as (session, _):
        assert "only a PDF has pages" in await session.refusal(READ, path="a.docx", pages="1")


_JAPANESE = "これは日本語の文章です。今日はとても良い天気なので、公園へ散歩に行きました。\n"
_CHINESE = "今天天气很好，我们去公园散步。春天来了，花都开了。\n"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (_JAPANESE, "shift_jis"), (_JAPANESE, "euc_jp"), (_CHINESE, "gb18030"), (_JAPANESE, "utf-16-le"),
        (_CHINESE, "utf-16-be"), ("Привет, как дела?\n", "utf-16-le"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("size", [1000, 1001, 1002, 1003])
def test_a_cut_within_a_character_does_not_make_a_text_binary(text: str, encoding: str, size: int) -> None:
    found = detect_encoding((text * 100).encode(encoding)[:size])
    assert found is not None
    assert found.name == encoding


@pytest.mark.parametrize("start", [5000, 5001, 5002, 5003])
@pytest.mark.parametrize(("text", "encoding"), [(_JAPANESE, "shift_jis"), (_CHINESE, "gb18030")])
def test_a_part_that_begins_within_a_character_is_text_too(text: str, encoding: str, start: int) -> None:
    found = detect_encoding((text * 100).encode(encoding)[start : start + 1000], at_start=False)
    assert found is not None
    assert found.name == encoding


@pytest.mark.parametrize("seed", range(20))
def test_bytes_at_random_are_no_text(seed: int) -> None:
    assert detect_encoding(Random(seed).randbytes(4000)) is None  # noqa: S311 (no secret)


async def test_the_bytes_of_a_file_too_large_for_a_resource_are_read_in_parts(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tool pointed to the resource, and the resource back to the tool."""
    data = bytes(range(256)) * 8
    monkeypatch.setattr(file_content, "LARGEST", 1000)
    async with holding(sandbox, "large.bin", data) as (session, _):
        result = await session.call(READ, path="large.bin")
        assert [block.type for block in result.content] == ["text"]  # no link that leads nowhere
        assert "read_file gives them in parts with encoding=base64" in result.structured_content["note"]
        with pytest.raises(MCPError, match="bytes with encoding=base64"):
            await session.client.read_resource("nc://files/large.bin")
        parts, offset = b"", 0
        while offset is not None:
            part = await session.ask(READ, path="large.bin", encoding="base64", offset=offset, max_bytes=999)
            parts += base64.b64decode(part["text"])
            offset = part.get("next_offset")
    assert parts == data


async def test_what_is_published_of_documents_is_true_with_and_without_the_libraries(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        tools = {tool.name: tool.description or "" for tool in (await session.client.list_tools()).tools}
    assert "where these are missing, they come as links too" in tools[READ]
    assert "documents as Markdown" not in tools["nc_notes_get_attachment"]


def _bomb() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("word/document.xml", bytes(1000))
    # What it says of its size is believed, as those who read it would.
    return file.getvalue().replace((1000).to_bytes(4, "little"), (400 << 20).to_bytes(4, "little"))


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("a.docx", b"PK\x03\x04 broken", "cannot be read as a document"),
        ("a.pdf", b"%PDF-1.4 broken", "cannot be read as a document"),
        ("a.xlsx", papers.open_text(), "cannot be read as a document"),
        ("a.odt", b"no zip", "cannot be read as a document"),
        ("bomb.docx", _bomb(), "unpacks to more than 300 MB"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
async def test_a_document_that_cannot_be_read_is_linked_with_the_reason(
    sandbox: Sandbox, name: str, data: bytes, reason: str
) -> None:
    async with holding(sandbox, name, data) as (session, _):
        read = await session.ask(READ, path=name)
        refused = await session.refusal(READ, path=name, parse_document="markdown")
    assert read["kind"] == "binary"
    assert reason in read["note"]
    assert reason in refused


@pytest.mark.parametrize(
    ("name", "module"), [("report.docx", "docx"), ("costs.xlsx", "python_calamine"), ("garden.odt", "odfdo")]
)
async def test_without_the_libraries_the_answer_says_how_to_install_them(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, name: str, module: str
) -> None:
    data = DOCUMENTS[name][0]()
    monkeypatch.setitem(sys.modules, module, None)  # as Python itself says that there is none
    async with holding(sandbox, name, data) as (session, _):
        pages = {"pages": "1"} if name.endswith(".pdf") else {}
        read = await session.ask(READ, path=name, **pages)
        refused = await session.refusal(READ, path=name, parse_document="markdown", **pages)
    assert read["kind"] == "binary"
    assert documents.INSTALL in read["note"]
    assert documents.INSTALL in refused


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"path": "Documents"}, "is a folder"),
        ({"path": "none.txt"}, "could not be located"),
        ({"path": "none.docx"}, "could not be located"),
        ({"path": "none.png"}, "could not be located"),
        ({"path": "Readme.md", "parse_document": "markdown"}, "not a document"),
        ({"path": "Readme.md", "max_bytes": 1}, "max_bytes must be at least 100"),
    ],
)
async def test_what_cannot_be_read_is_said_so(sandbox: Sandbox, arguments: dict[str, Any], reason: str) -> None:
    async with connected(serving(sandbox)) as session:
        assert reason in await session.refusal(READ, **arguments)
