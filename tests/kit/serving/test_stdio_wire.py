"""What stands on stdout when a client talks to the real process over stdio: JSON-RPC, and nothing else."""

from collections.abc import Iterator
from typing import Any

import mcp_types as mcp
import pytest
from mcp import Client, StdioServerParameters
from tests.forked import forked
from tests.kit.serving.processes import (
    INITIALIZE,
    LEGACY,
    MAIN,
    MODERN,
    NOISY,
    SERVE,
    Process,
    answers,
    call,
    environment,
    greet,
    interpreted,
    messages,
    request,
    started,
)

MALFORMED = (
    b"",
    b"{",
    b"not json",
    b"\xff\xfe\x00",
    b"[]",
    b'"text"',
    b'{"jsonrpc":"1.0","id":7001,"method":"tools/list"}',
    b'{"jsonrpc":"2.0","id":7002,"method":5}',
    b'{"jsonrpc":"2.0","id":7003,"method":"tools/list","params":[]}',
    b'{"jsonrpc":"2.0","id":7004,"method":"tools/list","params":{"a":"\\ud83d"}}',
    b"[" * 100_000,
)
NAME = "Büro 📈 你好 \u2028 e\u0301"
NOWHERE = "00000000-0000-4000-8000-000000000000"
HUGE = 3_000_000
FLOOD = range(1000, 1100)


@pytest.fixture(scope="module")
def conversation() -> Iterator[Process]:
    """One process through everything a client may do to it, ended by closing its stdin."""
    with started((*SERVE, "--sandbox")) as process:
        greet(process)
        process.send(
            request(1, "tools/list"),
            call(2, "lightdash_tools__list_projects"),
            call(3, "lightdash_tools__get_project", project_uuid=NOWHERE),
            call(4, "lightdash_tools__get_project", project_uuid=5),
            call(5, "no_such_tool"),
            request(6, "no/such/method"),
            *MALFORMED,
            call(7, "lightdash_tools__create_space", project_uuid=MAIN, name="x" * HUGE),
            call(8, "lightdash_tools__create_space", project_uuid=MAIN, name=NAME),
            {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 424242}},
            *(call(number, "lightdash_tools__list_spaces", project_uuid=MAIN) for number in FLOOD),
        )
        # Once stdin is closed, open requests get a few seconds, in which a busy machine does not get through all.
        process.wire.wait_for_lines(1 + 8 + len(FLOOD))
        process.close_stdin()
        process.exit_code()
        yield process


def result(process: Process, number: int) -> Any:
    return answers(process)[number]["result"]


def test_every_byte_on_stdout_is_json_rpc(conversation: Process) -> None:
    assert len(messages(conversation.wire.bytes)) == 1 + 8 + len(FLOOD)


def test_every_request_is_answered_once_and_malformed_lines_never(conversation: Process) -> None:
    assert answers(conversation).keys() == {*range(9), *FLOOD}


def test_a_conversation_full_of_mistakes_ends_cleanly_and_in_silence(conversation: Process) -> None:
    conversation.assert_clean_end()


def test_what_goes_wrong_in_a_tool_is_a_result_and_what_is_wrong_with_a_request_an_error(
    conversation: Process,
) -> None:
    assert [result(conversation, number).get("isError", False) for number in (2, 3, 4, 7)] == [False, True, True, True]
    codes = [answers(conversation)[number]["error"]["code"] for number in (5, 6)]
    assert codes == [mcp.INVALID_PARAMS, mcp.METHOD_NOT_FOUND]


def test_an_argument_of_three_megabytes_is_refused_in_a_sentence(conversation: Process) -> None:
    (said,) = result(conversation, 7)["content"]
    assert "name" in said["text"]
    assert len(said["text"]) < 500


def test_text_of_any_script_comes_back_as_it_went(conversation: Process) -> None:
    assert result(conversation, 8)["structuredContent"]["name"] == NAME
    assert NAME.encode() in conversation.wire.bytes


def test_a_hundred_calls_in_flight_are_all_answered(conversation: Process) -> None:
    answered = answers(conversation)
    assert all(answered[number]["result"]["structuredContent"]["items"] for number in FLOOD)


@pytest.mark.anyio
@pytest.mark.parametrize(("mode", "version"), [("legacy", LEGACY), ("auto", MODERN)])
async def test_a_client_of_either_era_is_served(mode: str, version: str) -> None:
    command, *arguments = interpreted(*SERVE, "--sandbox") if mode == "auto" else forked(*SERVE, "--sandbox")
    server = StdioServerParameters(command=command, args=arguments, env=environment())
    async with Client(server, mode=mode) as client:
        assert client.protocol_version == version
        assert (await client.list_tools()).tools
        answer = await client.call_tool("lightdash_tools__list_projects")
    assert answer.structured_content is not None
    assert answer.structured_content["items"]


@pytest.fixture(scope="module")
def noise() -> Iterator[Process]:
    """One process whose tools do what tools should not."""
    with started((*NOISY, "5")) as process:
        greet(process)
        process.send(call(1, "print_loudly"), call(2, "start_child"), call(3, "answer_half_a_character"))
        process.wire.wait_for_lines(4)
        process.send(call(4, "print_loudly"))
        process.close_stdin()
        process.exit_code()
        yield process


def test_what_a_tool_prints_lands_on_stderr(noise: Process) -> None:
    assert result(noise, 1)["structuredContent"] == {"text": ""}
    assert "printed by a tool\nwritten to descriptor 1\n" in noise.stderr.text


def test_what_a_child_of_a_tool_prints_lands_on_stderr_and_it_cannot_read_the_wire(noise: Process) -> None:
    assert result(noise, 2)["structuredContent"] == {"text": ""}
    assert "printed by a child\n''\n" in noise.stderr.text


def test_an_answer_that_cannot_be_written_costs_that_call_and_no_other(noise: Process) -> None:
    assert answers(noise)[3]["error"]["code"] == mcp.INTERNAL_ERROR
    assert result(noise, 4)["structuredContent"] == {"text": ""}
    assert noise.exit_code() == 0


def test_a_line_beyond_the_limit_is_dropped_and_the_next_one_is_served() -> None:
    with started((*SERVE, "--sandbox")) as process:
        process.send(b" " * (65 * 1024 * 1024), INITIALIZE)
        process.close_stdin()
        process.assert_clean_end()
        assert answers(process).keys() == {0}
