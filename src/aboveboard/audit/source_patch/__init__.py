"""Proposed hints as a patch to source code: a unified diff that `git apply` and `patch` take.

A declaration is edited only where its hints are written out, and only if the edited file says what was wanted: it is
read again. Everything else is told, with the reason, and left to a person.
"""

import difflib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from aboveboard.audit.source_patch import python_code, typescript_code
from aboveboard.audit.source_patch.edits import Placed, edited

PYTHON: Final = frozenset({".py"})
TYPESCRIPT: Final = typescript_code.TYPED | {".tsx", ".js", ".mjs", ".cjs", ".jsx"}
Hints = Mapping[str, Mapping[str, bool]]


@dataclass(frozen=True)
class SourcePatch:
    """A diff, the tools that it sets hints of, and those that it does not, with the reason."""

    diff: str
    placed: Mapping[str, str]
    left: Mapping[str, str]


def source_patch(wanted: Hints, files: Iterable[Path]) -> SourcePatch:
    """Set the hints of tools where the files declare them."""
    diffs: list[str] = []
    placed: dict[str, str] = {}
    left: dict[str, str] = {}
    for file in files:
        text = file.read_bytes()
        missing = {tool: hints for tool, hints in wanted.items() if tool not in placed and tool.encode() in text}
        if not missing or not _is_text(text):
            continue
        found = list(_once(_declared(text, missing, file.suffix)))
        left |= {one.tool: f"{file}:{one.line}: {one.why_not}" for one in found if one.why_not}
        new, done = _patched(text, [one for one in found if not one.why_not], missing, file.suffix)
        placed |= {one.tool: f"{file}:{one.line}" for one in done}
        diffs += [_diff(file, text, new)] if new != text else []
    unfound = {tool: left.get(tool, "its declaration was not found") for tool in wanted if tool not in placed}
    return SourcePatch("".join(diffs), placed, unfound)


def _is_text(text: bytes) -> bool:
    try:
        text.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _once(found: Iterable[Placed]) -> Iterator[Placed]:
    """Let no tool pass as found that a file declares more than once."""
    by_tool: dict[str, list[Placed]] = {}
    for one in found:
        by_tool.setdefault(one.tool, []).append(one)
    for several in by_tool.values():
        first = several[0]
        yield first if len(several) == 1 else replace(first, why_not="it is declared more than once in this file")


def _declared(text: bytes, wanted: Hints, suffix: str) -> Iterator[Placed]:
    if suffix in PYTHON:
        yield from python_code.declared(text, wanted)
    elif suffix in TYPESCRIPT:
        yield from typescript_code.declared(text, wanted, suffix)


def _patched(text: bytes, found: list[Placed], wanted: Hints, suffix: str) -> tuple[bytes, list[Placed]]:
    """Make the edits, tool by tool, and keep those after which the file says what was wanted."""
    edits: list[Placed] = []
    for one in found:
        new = edited(text, [edit for kept in (*edits, one) for edit in kept.edits])
        read = {again.tool: again.stated for again in _declared(new, wanted, suffix)}
        if all(wanted[kept.tool].items() <= read.get(kept.tool, {}).items() for kept in (*edits, one)):
            edits.append(one)
    return edited(text, [edit for one in edits for edit in one.edits]), edits


def _diff(file: Path, old: bytes, new: bytes) -> str:
    """Write what changes in a file; its name is as seen from here, since that is where a patch is applied."""
    name = Path(os.path.relpath(file)).as_posix()
    lines = difflib.unified_diff(_lines(old), _lines(new), f"a/{name}", f"b/{name}")
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _lines(text: bytes) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+", text.decode("utf-8"))
