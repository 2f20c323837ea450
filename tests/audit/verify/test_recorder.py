"""The recording proxy, with real sockets on both sides."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import anyio
import httpx2
import pytest

from aboveboard.audit.verify.recorder import Recorder
from aboveboard.audit.verify.seen import SeenRequest

LONG = "x" * 200_000


async def _service(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer as the path asks: in chunks, to the end of the connection, with nothing, or with what was sent."""
    while head := (await reader.readuntil(b"\r\n\r\n") if not reader.at_eof() else b""):
        method, path, _ = head.decode().partition("\r\n")[0].split(" ")
        sizes = [line for line in head.decode().lower().split("\r\n") if line.startswith("content-length")]
        body = await reader.readexactly(int(sizes[0].partition(":")[2])) if sizes else b""
        if path == "/chunks":
            writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
        elif path == "/to-the-end":
            writer.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + LONG.encode())
            writer.close()
            return
        elif path == "/nothing":
            writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")
        else:
            told = f"{method} {path} {len(body)}".encode()
            length = f"HTTP/1.1 200 OK\r\nContent-Length: {len(told)}\r\n\r\n".encode()
            writer.write(length + (b"" if method == "HEAD" else told))
        await writer.drain()


@asynccontextmanager
async def _stage() -> AsyncGenerator[tuple[Recorder, int]]:
    server = await asyncio.start_server(_quietly, "127.0.0.1", 0)
    port: int = server.sockets[0].getsockname()[1]
    async with Recorder(f"http://127.0.0.1:{port}/base") as recorder:
        yield recorder, port
    server.close()


async def _quietly(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        await _service(reader, writer)
    except asyncio.IncompleteReadError:
        writer.close()


def test_a_redirected_server_gets_every_kind_of_answer_and_all_of_it_is_written_down() -> None:
    async def run() -> None:
        async with _stage() as (recorder, _), httpx2.AsyncClient(trust_env=False) as http:
            assert recorder.url.endswith("/base")
            at = recorder.proxy
            assert (await http.post(f"{at}/notes?full=1", content=LONG)).text == f"POST /notes?full=1 {len(LONG)}"
            assert (await http.get(f"{at}/chunks")).text == "abcde"
            assert (await http.head(f"{at}/notes")).headers["content-length"] == "13"
            assert (await http.delete(f"{at}/nothing")).status_code == 204
            assert (await http.get(f"{at}/to-the-end")).text == LONG
            assert (await http.get(f"{at}/again")).text == "GET /again 0"
            await recorder.wait_until_idle(5)
            seen = recorder.take_requests()
            assert [(one.method, one.path, one.status) for one in seen] == [
                ("POST", "/notes?full=1", 200),
                ("GET", "/chunks", 200),
                ("HEAD", "/notes", 200),
                ("DELETE", "/nothing", 204),
                ("GET", "/to-the-end", 200),
                ("GET", "/again", 200),
            ]
            assert {one.host for one in seen} == {"127.0.0.1"}
            assert recorder.take_requests() == []

    anyio.run(run)


def test_a_proxied_server_is_told_apart_by_host_and_port_and_kept_on_this_machine() -> None:
    async def run() -> None:
        async with _stage() as (recorder, port), _stage() as (_, other):
            proxy = recorder.proxy
            async with httpx2.AsyncClient(proxy=proxy, trust_env=False, verify=False) as http:
                assert (await http.get(f"http://127.0.0.1:{port}/a")).text == "GET /a 0"
                assert (await http.get(f"http://127.0.0.1:{other}/b")).text == "GET /b 0"
                refused = await http.get("http://render.example.net/c")
                assert refused.status_code == 403
                with pytest.raises(httpx2.ProxyError, match="403"):
                    await http.get("https://mail.example.net/secret/path")
            await recorder.wait_until_idle(5)
            assert recorder.take_requests() == [
                SeenRequest("GET", "127.0.0.1", "/a", 200),
                SeenRequest("GET", f"127.0.0.1:{other}", "/b", 200),
                SeenRequest("GET", "render.example.net", "/c", 403),
                SeenRequest("CONNECT", "mail.example.net", "", 403),
            ]

    anyio.run(run)


def test_an_upstream_that_is_gone_is_an_answer_too() -> None:
    async def run() -> None:
        async with Recorder("http://127.0.0.1:9") as recorder, httpx2.AsyncClient(trust_env=False) as http:
            assert (await http.get(f"{recorder.proxy}/a")).status_code == 502
            await recorder.wait_until_idle(5)
            assert [one.status for one in recorder.take_requests()] == [502]

    anyio.run(run)


def test_what_is_still_under_way_belongs_to_the_call_that_began_it() -> None:
    async def run() -> None:
        asked = asyncio.Event()
        release = asyncio.Event()

        async def slow(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            asked.set()
            await release.wait()
            writer.write(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
            writer.close()

        server = await asyncio.start_server(slow, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with Recorder(f"http://127.0.0.1:{port}") as recorder, httpx2.AsyncClient(trust_env=False) as http:
            pending = asyncio.create_task(http.get(f"{recorder.proxy}/slow"))
            await asked.wait()
            assert [(one.path, one.status) for one in recorder.take_requests()] == [("/slow", 0)]
            release.set()
            assert (await pending).status_code == 204
            await recorder.wait_until_idle(5)
            assert recorder.take_requests() == []
        server.close()

    anyio.run(run)
