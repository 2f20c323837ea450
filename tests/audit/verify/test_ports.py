"""A server that is started anew at its port: the one before must be gone, and nobody else may be there."""

import socket
from contextlib import chdir
from threading import Timer

import pytest
from tests.audit.corpus import ROOT
from tests.audit.watched import WATCHED

from aboveboard.audit.verify import load_plan, processes, verify
from aboveboard.audit.verify.processes import free_port, wait_until_free
from aboveboard.errors import Failure

pytestmark = pytest.mark.anyio


async def test_one_that_is_on_its_way_out_is_waited_for() -> None:
    port = free_port()
    leaving = socket.create_server(("127.0.0.1", port))
    Timer(0.3, leaving.close).start()
    await wait_until_free("127.0.0.1", port)
    with pytest.raises(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port)):
        pass


def test_a_stranger_at_the_port_is_not_taken_for_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "VACATING", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as stranger, chdir(ROOT):
        port = stranger.getsockname()[1]
        monkeypatch.setattr("aboveboard.audit.verify.workbench.free_port", lambda: port)
        with pytest.raises(Failure, match=f"Something else listens at 127.0.0.1:{port}"):
            verify(load_plan(WATCHED / "plain" / "honest_upsert.yaml"), repeats=1)


def test_a_port_is_never_one_that_a_connection_may_be_given() -> None:
    assert {free_port() for _ in range(50)} <= {*range(10_000, 32_000)}
