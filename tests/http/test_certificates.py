"""An https address is believed only with a certificate that is trusted: its secret goes to nobody else."""

import asyncio
import ssl
from pathlib import Path

import pytest
from tests.http.wire import TOKEN

from aboveboard.errors import NetworkError
from aboveboard.http import Session, path

pytestmark = pytest.mark.anyio

# Made for this test alone; nobody trusts it.
SELF_SIGNED = Path(__file__).with_name("self_signed.pem")


async def test_a_certificate_that_nobody_vouches_for_gets_no_request() -> None:
    arrived: list[bytes] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        arrived.append(await reader.read(100))
        writer.close()

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(SELF_SIGNED)
    server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=context)
    port = server.sockets[0].getsockname()[1]
    session = Session("The shop", f"https://127.0.0.1:{port}", headers={"Authorization": TOKEN}, sleep=_no_sleep)
    try:
        with pytest.raises(NetworkError, match="its certificate is not trusted"):
            await session.request("GET", path("/things"))
    finally:
        await session.aclose()
        server.close()
    assert b"".join(arrived) == b""


async def _no_sleep(_: float) -> None: ...
