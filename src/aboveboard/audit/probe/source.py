"""Hints in source code, found by text: near a tool's quoted name, in any language."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from aboveboard.audit.evidence import HINTS, Mention, Server, Source, Tool
from aboveboard.audit.probe.wire import Unreadable

SUFFIXES: Final = frozenset(
    {".py", ".ts", ".mts", ".cts", ".tsx", ".js", ".mjs", ".cjs", ".jsx", ".go", ".rs", ".java", ".kt", ".cs", ".rb"}
)
SKIPPED: Final = frozenset(
    {"node_modules", ".git", ".venv", "venv", "dist", "build", "__pycache__", "test", "tests", "__tests__", "spec"}
)
_OF_TESTS: Final = re.compile(r"test_.*|.*_test|conftest|.*\.(test|spec|d)")
"""What a file of tests is called, and one that only declares types, without its ending."""
MOST_FILES: Final = 5000
LONGEST: Final = 1_000_000
NEAR: Final = 40
"""How many lines after its name a tool's hints are looked for."""

_VALUE = r"[\"']?\s*[:=(]\s*(?:\w+\.)*(true|false)\b"


def _pattern(hint: str) -> re.Pattern[str]:
    snake = re.sub(r"(?=[A-Z])", "_", hint).lower()
    return re.compile(rf"\b({hint}|{snake}){_VALUE}", re.IGNORECASE)


_FUNCTION: Final = re.compile(r"\s*(?:async )?(?:def|function) (\w+)")
_NAMED: Final = re.compile(r'"name"\s*:\s*"([^"\\]+)"')
_HINTS = {hint: _pattern(hint) for hint in HINTS}


def sources(servers: Sequence[Server], folder: Path) -> list[Source]:
    """Find what the source code below a folder says of each tool's hints."""
    tools = {tool.name: tool for server in servers for tool in server.tools if tool.name}
    found: dict[str, dict[str, Mention]] = {name: {} for name in tools}
    for file in source_files(folder):
        text = file.read_text(encoding="utf-8", errors="replace")
        for name, hint, mention in _mentions(text, str(file.relative_to(folder)), tools):
            found[name].setdefault(hint, mention)
    return [Source(tools[name], mentions) for name, mentions in found.items() if mentions]


def declarations(servers: Sequence[Server], folder: Path) -> dict[str, tuple[Path, int]]:
    """Find the line at which the source code below a folder declares each tool: its name in quotes, or its function."""
    names = {tool.name for server in servers for tool in server.tools if tool.name}
    found: dict[str, tuple[Path, int]] = {}
    for file in source_files(folder):
        for number, line in enumerate(file.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
            function = _FUNCTION.match(line)
            for name in (*_quoted(line), *((function[1],) if function else ())):
                if name in names:
                    found.setdefault(name, (file, number))
    return found


def tool_lines(servers: Sequence[Server], file: Path) -> dict[str, tuple[Path, int]]:
    """Find the line at which a saved listing names each tool."""
    names = {tool.name for server in servers for tool in server.tools if tool.name}
    found: dict[str, tuple[Path, int]] = {}
    for number, line in enumerate(file.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        for name in _NAMED.findall(line):
            if name in names:
                found.setdefault(name, (file, number))
    return found


def source_files(folder: Path) -> Iterator[Path]:
    """Go through the files below a folder that people write; tests are left out."""
    if not folder.is_dir():
        raise Unreadable(f"There is no folder {folder}.")
    seen = 0
    for path in sorted(folder.rglob("*")):
        if (
            path.suffix not in SUFFIXES
            or _OF_TESTS.fullmatch(path.stem)
            or not SKIPPED.isdisjoint(path.relative_to(folder).parts)
        ):
            continue
        if path.is_file() and path.stat().st_size <= LONGEST and seen < MOST_FILES:
            seen += 1
            yield path


def _mentions(text: str, place: str, tools: Mapping[str, Tool]) -> Iterator[tuple[str, str, Mention]]:
    lines = text.splitlines()
    named = [(at, name) for at, line in enumerate(lines) for name in _quoted(line) if name in tools]
    for index, (at, name) in enumerate(named):
        following = named[index + 1][0] if index + 1 < len(named) else len(lines)
        for number in range(at, min(at + NEAR, max(following, at + 1))):
            for hint, pattern in _HINTS.items():
                if match := pattern.search(lines[number]):
                    yield name, hint, Mention(match[2].lower() == "true", f"{place}:{number + 1}")


def _quoted(line: str) -> list[str]:
    return re.findall(r"[\"'`]([A-Za-z0-9_.-]{1,128})[\"'`]", line)
