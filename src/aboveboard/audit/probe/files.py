"""Files as targets: a client's configuration, or a saved listing of tools."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

from aboveboard.audit import raw
from aboveboard.audit.authorization import SignIn
from aboveboard.audit.evidence import Server, ServerSession, Tool
from aboveboard.audit.probe.variables import Variables, inputs_asked
from aboveboard.audit.probe.wire import LARGEST, Unreadable
from aboveboard.audit.target import Address, Command

# A comment, or a text that may look like one; then a comma before a closing bracket.
_COMMENT: Final = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_TRAILING_COMMA: Final = re.compile(r'("(?:\\.|[^"\\])*")|,(?=\s*[}\]])', re.DOTALL)


@dataclass(frozen=True)
class UnreadServer:
    """A server that could not be read, and why; the others still are."""

    name: str
    problem: str
    locked: bool = False
    """Whether it wants credentials, or others than were brought."""
    sign_in: Sequence[SignIn] = ()
    """What it tells those who bring none."""


def read_json(file: Path) -> Any:
    """Read a JSON file, with the comments and trailing commas that VS Code and Cursor allow."""
    try:
        if file.stat().st_size > LARGEST:
            raise Unreadable(f"{file} is larger than {LARGEST // 1024**2} MiB.")
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise Unreadable(f"{file} cannot be read: {why}.") from None
    try:
        return raw.parse(text)
    except ValueError:
        pass
    bare = _COMMENT.sub(lambda match: match[1] or " ", text)
    try:
        return raw.parse(_TRAILING_COMMA.sub(lambda match: match[1] or "", bare))
    except ValueError as error:
        place = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise Unreadable(f"{file} is not JSON{place}.") from None


def saved_servers(document: Any, name: str) -> list[Server]:
    """Read a saved listing: tools/list's result, its whole answer, a bare list, or what `--save` wrote."""
    if isinstance(document, list):
        return [_saved(name, {"tools": document})]
    if not isinstance(document, Mapping):
        return []
    document = cast("Mapping[str, Any]", document)
    if isinstance(document.get("result"), Mapping):
        return saved_servers(document["result"], name)
    if isinstance(document.get("tools"), list):
        return [_saved(str(document.get("server") or name), document)]
    servers = document.get("servers")
    if isinstance(servers, list):
        found = (cast("Mapping[str, Any]", one) for one in cast("list[Any]", servers) if isinstance(one, Mapping))
        return [_saved(str(one.get("server") or name), one) for one in found if isinstance(one.get("tools"), list)]
    return []


def _saved(name: str, document: Mapping[str, Any]) -> Server:
    entries = cast("list[Any]", document["tools"])
    tools = [Tool(cast("Any", one) if isinstance(one, Mapping) else raw.Object(), name) for one in entries]
    said = document.get("instructions")
    instructions = said if isinstance(said, str) else ""
    protocol = str(document.get("protocol") or "")
    return Server(name, tools, protocol, instructions, session=ServerSession(name, listings=(tools,)))


def saved_text(servers: Sequence[Server]) -> str:
    """Write servers so that a later audit can compare them: the definitions exactly as they came."""
    written = [
        {
            "server": server.name,
            "protocol": server.protocol,
            "instructions": server.instructions,
            "tools": [tool.definition for tool in server.tools],
        }
        for server in servers
    ]
    return raw.dump(written[0] if len(written) == 1 else {"servers": written}, indent=2) + "\n"


def configured_servers(
    document: Any, file: Path, environment: Mapping[str, str], inputs: Mapping[str, str]
) -> list[Command | Address | UnreadServer]:
    """Return every server in a client's configuration that is not switched off."""
    if not isinstance(document, Mapping):
        return []
    document = cast("Mapping[str, Any]", document)
    variables = Variables(file, environment, inputs, inputs_asked(document))
    return [_configured(name, entry, variables, file) for name, entry in _entries(document)]


def _entries(document: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    inner = document.get("mcp")  # VS Code's settings.json
    holders = [document] + ([cast("Mapping[str, Any]", inner)] if isinstance(inner, Mapping) else [])
    for holder in holders:
        for key in ("mcpServers", "servers"):
            entries = holder.get(key)
            if not isinstance(entries, Mapping):
                continue
            for name, entry in cast("Mapping[str, Any]", entries).items():
                if isinstance(entry, Mapping) and not cast("Any", entry).get("disabled"):
                    yield name, cast("Mapping[str, Any]", entry)


def _configured(
    name: str, entry: Mapping[str, Any], variables: Variables, file: Path
) -> Command | Address | UnreadServer:
    try:
        filled = variables.filled(entry)
    except Unreadable as problem:
        return UnreadServer(name, str(problem))
    if isinstance(filled.get("url"), str):
        return Address(filled["url"], name, _texts(filled.get("headers")))
    command, arguments = filled.get("command"), filled.get("args", [])
    if not isinstance(command, str) or not isinstance(arguments, list):
        return UnreadServer(name, "Its entry has neither a command nor a url.")
    argv = (command, *(str(one) for one in cast("list[Any]", arguments)))
    folder = filled.get("cwd")
    return Command(
        argv, name, _texts(filled.get("env")), str(file.parent / folder) if isinstance(folder, str) else None
    )


def _texts(values: Any) -> dict[str, str]:
    given: Mapping[str, Any] = cast("Mapping[str, Any]", values) if isinstance(values, Mapping) else {}
    return {key: str(value) for key, value in given.items() if value is not None}
