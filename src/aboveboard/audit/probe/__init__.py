"""Gathers evidence: the only part of the auditor that touches processes, sockets and files.

What comes back is what stood on the wire, so that a missing hint, a null, the text "true" and a key written twice are
told apart. Time and size are bounded, and no process is left behind.
"""

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import anyio

from aboveboard.audit.evidence import Server
from aboveboard.audit.probe.conversation import Conversation, Era, converse
from aboveboard.audit.probe.files import UnreadServer, configured_servers, read_json, saved_servers, saved_text
from aboveboard.audit.probe.origin import origin
from aboveboard.audit.probe.sign_in import as_a_stranger
from aboveboard.audit.probe.source import declarations, source_files, sources, tool_lines
from aboveboard.audit.probe.web import UNAUTHORIZED, StatusError
from aboveboard.audit.probe.wire import Unreadable, quoted_words
from aboveboard.audit.target import Address, Command

__all__ = [
    "OWN",
    "Address",
    "Command",
    "Conversation",
    "Era",
    "Options",
    "Target",
    "UnreadServer",
    "Unreadable",
    "baseline",
    "converse",
    "declarations",
    "read_all",
    "saved_text",
    "source_files",
    "sources",
    "targets",
    "tool_lines",
]

OWN: Final = ("lightdash", "nextcloud")
"""Our own servers, which are started like any other's, with a sandbox behind them.

The auditor imports no service, nor the commands that know which there are: that both name the same, a test holds.
"""

Target = Command | Address | Server | UnreadServer


@dataclass(frozen=True, kw_only=True)
class Options:
    """How to reach servers."""

    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    inputs: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    era: Era = Era.AUTO
    timeout: float = 30.0


def targets(text: str, options: Options, line: str = "") -> list[Target]:
    """Find out what a target is: one of ours, a URL, a client's configuration, or a saved listing.

    The line is what to type where it is the command of a server.
    """
    if text in OWN:
        return [Command((sys.executable, "-m", "aboveboard", "serve", text, "--sandbox"), text)]
    if text.startswith(("http://", "https://")):
        return [Address(text, headers=options.headers)]
    file = Path(text)
    if not file.is_file():
        raise Unreadable(
            f"{text!r} is not a file, not a URL and not one of {', '.join(OWN)}.",
            next_step=f"To start a command, put it after two dashes: {line or f'aboveboard audit -- {text}'}",
        )
    document = read_json(file)
    found: list[Target] = [*saved_servers(document, file.stem)]
    found = found or [*configured_servers(document, file.resolve(), os.environ, options.inputs)]
    if not found:
        raise Unreadable(
            f"{file} holds neither a list of tools nor servers.",
            next_step="It takes a client's configuration (mcpServers, servers) or the answer of tools/list.",
        )
    return found


def baseline(file: Path) -> list[Server]:
    """Read what an earlier audit saved."""
    found = saved_servers(read_json(file), file.stem)
    if not found:
        raise Unreadable(f"{file} holds no list of tools.", next_step="Write one with --save.")
    return found


def read_all(wanted: Sequence[Target], options: Options) -> list[Server | UnreadServer]:
    """Read all targets at once; each is read or refused by itself, and each gets a name of its own."""
    found: dict[int, Server | UnreadServer] = {}

    async def one(index: int, target: Target) -> None:
        found[index] = await _read(target, options)

    async def everything() -> None:
        async with anyio.create_task_group() as group:
            for index, target in enumerate(wanted):
                group.start_soon(one, index, target)

    anyio.run(everything)
    return _told_apart([found[index] for index in range(len(wanted))])


async def _read(target: Target, options: Options) -> Server | UnreadServer:
    if isinstance(target, Server | UnreadServer):
        return target
    found = await _surveyed(target, options)
    return await _with_sign_in(found, target, options) if isinstance(target, Address) else found


async def _surveyed(target: Command | Address, options: Options) -> Server | UnreadServer:
    heard: list[str] = []
    try:
        with anyio.fail_after(options.timeout):
            async with converse(target, era=options.era, timeout=options.timeout, heard=heard) as talk:
                return replace(await talk.survey(listings=2), origin=origin(target))
    except TimeoutError:
        problem = f"The server did not answer within {options.timeout:g} seconds."
        advice = f"{problem} Give it longer with --timeout.{quoted_words(heard)}"
        return UnreadServer(target.name or origin(target), advice)
    except StatusError as failure:
        return UnreadServer(target.name or origin(target), str(failure), locked=failure.status == UNAUTHORIZED)
    except Unreadable as failure:
        return UnreadServer(target.name or origin(target), str(failure))


async def _with_sign_in(found: Server | UnreadServer, address: Address, options: Options) -> Server | UnreadServer:
    """Add what strangers are told, where the server turned us away, or let us in for what we brought."""
    turned_away = found.locked if isinstance(found, UnreadServer) else bool(address.headers)
    return replace(found, sign_in=await as_a_stranger(address.url, options.timeout)) if turned_away else found


def _told_apart(found: list[Server | UnreadServer]) -> list[Server | UnreadServer]:
    """Number servers that call themselves the same."""
    seen: dict[str, int] = {}
    apart: list[Server | UnreadServer] = []
    for one in found:
        seen[one.name] = count = seen.get(one.name, 0) + 1
        apart.append(one if count == 1 else renamed(one, f"{one.name}-{count}"))
    return apart


def renamed(one: Server | UnreadServer, name: str) -> Server | UnreadServer:
    """Give a server another name."""
    if isinstance(one, UnreadServer):
        return replace(one, name=name)
    return replace(one, name=name, session=replace(one.session, server=name))
