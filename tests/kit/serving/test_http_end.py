"""How an HTTP server starts, or refuses to, and how it ends."""

import socket
import subprocess
from collections.abc import Callable
from contextlib import suppress
from signal import SIGINT, SIGTERM, Signals
from threading import Thread

import httpx2
import pytest
from tests.forked import forked
from tests.kit.serving.exchange import initialize, legacy_call, modern_call, open_stream
from tests.kit.serving.processes import SERVE, WEB, deadline, environment, interpreted, serving, started
from tests.kit.serving.upstream import settings_for_socket, silent

LIST = "lightdash_tools__list_projects"
AUTH = {"MCP_AUTH_ENABLED": "true"}


def refusal(*options: str, settings: dict[str, str] | None = None) -> str:
    """What the command line says when it refuses to serve."""
    command = forked(*SERVE, "--sandbox", *WEB, *options)
    ended = subprocess.run(
        command,
        env=environment(settings),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=deadline(),
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (2, b"")
    assert ended.stderr.count(b"\n") == 1
    return ended.stderr.decode()


@pytest.mark.parametrize("settings", [AUTH, AUTH | {"MCP_API_KEY": " \n"}])
def test_a_server_that_should_ask_for_a_key_and_has_none_does_not_start(settings: dict[str, str]) -> None:
    assert "MCP_API_KEY" in refusal(settings=settings)


def test_a_server_that_others_could_reach_does_not_start_without_a_key() -> None:
    said = refusal("--host", "0.0.0.0", settings={"MCP_API_KEY": "set-but-not-asked-for"})  # noqa: S104
    assert "MCP_AUTH_ENABLED" in said
    assert "set-but-not-asked-for" not in said


def test_a_key_that_nobody_would_be_asked_for_is_no_key() -> None:
    said = refusal(settings={"MCP_API_KEY": "set-but-not-asked-for"})
    assert "MCP_API_KEY is set and MCP_AUTH_ENABLED is off" in said
    assert "set-but-not-asked-for" not in said


def test_a_port_that_is_taken_is_said_so() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        said = refusal("--port", port)
    assert f"127.0.0.1:{port}" in said
    assert "in use" in said


def test_a_session_that_would_never_end_is_refused() -> None:
    assert "MCP_SESSION_IDLE_SECONDS" in refusal("--session-idle-seconds", "inf")


@pytest.mark.parametrize("number", [SIGINT, SIGTERM])
def test_a_signal_ends_a_server_with_idle_sessions_cleanly(number: Signals) -> None:
    with serving("--sandbox", starting=interpreted if number is SIGTERM else forked) as web:
        for _ in range(3):
            assert initialize(web.mcp).status_code == 200
        web.process.signal(number)
        assert web.process.exit_code() == 0
        assert web.process.wire.bytes == b""
        assert web.process.stderr.text == f"Serving Lightdash at {web.mcp}\n"


def test_a_signal_that_comes_the_moment_the_server_is_announced_ends_it() -> None:
    with started((*SERVE, "--sandbox", *WEB), stdin=subprocess.DEVNULL) as process:
        process.stderr.wait_for("Serving Lightdash at")
        process.signal(SIGTERM)
        assert process.exit_code() == 0


def test_an_open_stream_does_not_keep_the_server_from_ending() -> None:
    with serving("--sandbox") as web:
        with open_stream(web.mcp, initialize(web.mcp).headers["mcp-session-id"]) as stream:
            assert stream.status_code == 200
            web.process.signal(SIGTERM)
            assert web.process.exit_code() == 0
        assert "Traceback" not in web.process.stderr.text


def call_as_in_2025(url: str) -> None:
    legacy_call(url, initialize(url).headers["mcp-session-id"], LIST)


def call_as_in_2026(url: str) -> None:
    modern_call(url, LIST)


@pytest.mark.parametrize("call", [call_as_in_2025, call_as_in_2026])
def test_a_call_in_flight_does_not_keep_the_server_from_ending(call: Callable[[str], None]) -> None:
    with silent() as lightdash, serving(settings=settings_for_socket(lightdash)) as web:
        caller = Thread(target=_carelessly, args=(call, web.mcp))
        caller.start()
        connection, _ = lightdash.accept()
        with connection:
            web.process.signal(SIGTERM)
            assert web.process.exit_code() == 0
        caller.join(deadline())
        assert not caller.is_alive()


def _carelessly(call: Callable[[str], None], url: str) -> None:
    with suppress(httpx2.TransportError):  # the server is gone, as it should be
        call(url)
