"""Text at the end of a file: what was there stays to the byte, and so does what others write meanwhile."""

from base64 import b64decode, b64encode
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from typing import Any

import anyio
import httpx2
import pytest
from tests.nextcloud.calls import PLAN, ask, refusal
from tests.nextcloud.sessions import connected, facts, serving

from aboveboard.nextcloud.client.files import files
from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio

LOG = "Documents/größe #1 100%.log"


async def appended(sandbox: Sandbox, old: bytes, content: str, **more: Any) -> bytes:
    """Write a file, append to it, and return what it holds then."""
    async with connected(serving(sandbox)) as session:
        given = b64encode(old).decode()
        await ask(session, "write_file", path=LOG, content=given, content_encoding="base64", overwrite=True)
        await ask(session, "append_to_file", path=LOG, content=content, **more)
        read = await ask(session, "read_file", path=LOG, encoding="base64")
    return b64decode(read["text"])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"", b"two\n"),
        (b"one", b"one\ntwo\n"),
        (b"one\n", b"one\ntwo\n"),
        (b"one\n\n", b"one\n\ntwo\n"),
        (b"zero\r\none", b"zero\r\none\r\ntwo\n"),
        (b"zero\r\none\n", b"zero\r\none\ntwo\n"),
        (BOM_UTF8, BOM_UTF8 + b"two\n"),
        ("Köln".encode("latin-1"), "Köln\ntwo\n".encode("latin-1")),
        (BOM_UTF16_LE + "Köln".encode("utf-16-le"), BOM_UTF16_LE + "Köln\ntwo\n".encode("utf-16-le")),
        (BOM_UTF16_BE + "Köln\n".encode("utf-16-be"), BOM_UTF16_BE + "Köln\ntwo\n".encode("utf-16-be")),
    ],
)
async def test_a_text_begins_on_a_line_of_its_own_in_the_characters_of_the_file(
    sandbox: Sandbox, old: bytes, new: bytes
) -> None:
    assert await appended(sandbox, old, "two\n") == new


@pytest.mark.parametrize(
    ("old", "content", "join"),
    [
        (b"", "two\n", "two\n"),
        (b"zero\none", "two\n", "one\ntwo\n"),
        (b"zero\r\none\r\n\r\n", "two", "one\r\n\r\ntwo"),
        (BOM_UTF16_LE + "Köln\nBonn".encode("utf-16-le"), "Trier", "Bonn\nTrier"),
        (BOM_UTF8 + b"one", "two", "one\ntwo"),  # the mark at the start of a file is none of its text
        (b"zero\n" + b"x" * 200, "y" * 200, "…" + "x" * 120 + "\n" + "y" * 119 + "…"),
    ],
)
async def test_the_answer_shows_both_sizes_and_the_text_around_the_join(
    sandbox: Sandbox, old: bytes, content: str, join: str
) -> None:
    async with connected(serving(sandbox)) as session:
        given = b64encode(old).decode()
        await ask(session, "write_file", path=LOG, content=given, content_encoding="base64", overwrite=True)
        done = await ask(session, "append_to_file", path=LOG, content=content)
        read = await ask(session, "read_file", path=LOG, encoding="base64")
    assert (done["size_before"], done["size"]) == (len(old), len(b64decode(read["text"])))
    assert done["around_join"] == join


async def test_a_separator_stands_in_between_and_not_in_an_empty_file(sandbox: Sandbox) -> None:
    assert await appended(sandbox, b"one", "two 🚀", separator="") == "onetwo 🚀".encode()
    assert await appended(sandbox, b"one\n", "two", separator="\n---\n") == b"one\n\n---\ntwo"
    assert await appended(sandbox, b"", "two", separator="\n---\n") == b"two"


@pytest.mark.parametrize(
    ("old", "content", "reason"),
    [
        (bytes(range(256)), "x", f"{LOG!r} is not a text file; nothing was appended."),
        ("Grüße aus Köln am Rhein".encode("latin-1"), "größer", "The file is not UTF-8"),
        ("Hello there,\nhow are you?".encode("utf-16-le"), "x", "The file is not UTF-8"),
        (BOM_UTF16_LE + "語".encode("utf-16-le") + b"x", "x", "The file is not UTF-8"),
    ],
)
async def test_what_would_spoil_the_file_is_refused(sandbox: Sandbox, old: bytes, content: str, reason: str) -> None:
    async with connected(serving(sandbox)) as session:
        await ask(
            session, "write_file", path=LOG, content=b64encode(old).decode(), content_encoding="base64", overwrite=True
        )
        before = facts(sandbox)
        said = await refusal(session, "append_to_file", path=LOG, content=content)
    assert reason in said
    assert "nothing was appended" in said
    assert facts(sandbox) == before


async def test_folders_and_files_that_are_too_large_are_refused(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "APPENDABLE", 10)
    before = facts(sandbox)
    async with connected(serving(sandbox)) as session:
        assert "is a folder" in await refusal(session, "append_to_file", path="Documents", content="x", create=True)
        said = await refusal(session, "append_to_file", path=PLAN, content="x")
    assert said.endswith("only files of up to 10 are appended to. Write to a new file instead.")
    assert facts(sandbox) == before


@pytest.mark.parametrize("create", [True, False])
async def test_what_others_write_meanwhile_is_kept(sandbox: Sandbox, *, create: bool) -> None:
    service, meanwhile = serving(sandbox), [b"theirs", b"mine"]

    async def meddling(request: httpx2.Request) -> httpx2.Response:
        if request.method == "PUT" and meanwhile:
            headers = {name: value for name, value in request.headers.items() if name in ("authorization", "host")}
            theirs = httpx2.Request("PUT", request.url, headers=headers, content=meanwhile.pop(0))
            await service.handle_async_request(theirs)
        answer = await service.handle_async_request(request)
        return httpx2.Response(answer.status_code, headers=answer.headers, content=await answer.aread())

    path = "New.md" if create else PLAN
    async with connected(httpx2.MockTransport(meddling)) as session:
        done = await ask(session, "append_to_file", path=path, content="mine", create=create)
    # That others wrote the very same is no reason not to append.
    assert facts(sandbox)[f"files/admin/{path}/content"] == "mine\nmine"
    assert done["created"] is False


async def test_appends_at_once_all_arrive_in_one_new_file(sandbox: Sandbox) -> None:
    words = {"one", "two", "three"}
    async with connected(serving(sandbox)) as session, anyio.create_task_group() as group:
        for word in words:
            given = {"path": "New.md", "content": f"{word}\n", "create": True}
            group.start_soon(lambda given=given: ask(session, "append_to_file", **given))
    assert set(str(facts(sandbox)["files/admin/New.md/content"]).split()) == words
