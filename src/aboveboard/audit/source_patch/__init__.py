"""Proposed hints as a patch to source code: a unified diff that `git apply` and `patch` take.

A declaration is edited only where its hints are written out, and only if the edited file says what was wanted: it is
read again. Everything else is told, with the reason, and left to a person.
"""

import difflib
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from aboveboard.audit.source_patch import python_code, typescript_code
from aboveboard.audit.source_patch.edits import Placed, apply_edits

PYTHON: Final = frozenset({".py"})
TYPESCRIPT: Final = typescript_code.TYPED | {".tsx", ".js", ".mjs", ".cjs", ".jsx"}
IN_SEVERAL: Final = "it is declared in more than one file"
UNSAFE: Final = "its declaration cannot be edited safely"
Hints = Mapping[str, Mapping[str, bool]]


@dataclass(frozen=True)
class SourcePatch:
    """A diff, the tools that it sets hints of, and those that it does not, with the reason."""

    diff: str
    placed: Mapping[str, str]
    left: Mapping[str, str]


def source_patch(wanted: Hints, files: Iterable[Path]) -> SourcePatch:
    """Set the hints of tools where the files declare them."""
    texts = {file: text for file in files if _is_text(text := file.read_bytes())}
    found = {file: list(_once(_declared(text, _named_in(text, wanted), file.suffix))) for file, text in texts.items()}
    homes = Counter(one.tool for several in found.values() for one in several)
    diffs: list[str] = []
    placed: dict[str, str] = {}
    left: dict[str, str] = {}
    for file, several in found.items():
        own = [one if homes[one.tool] == 1 else replace(one, why_not=IN_SEVERAL) for one in several]
        new, done = _patched(texts[file], [one for one in own if not one.why_not], wanted, file.suffix)
        placed |= {one.tool: f"{file}:{one.line}" for one in done}
        left |= {one.tool: f"{file}:{one.line}: {one.why_not or UNSAFE}" for one in own if one not in done}
        diffs += [_diff(file, texts[file], new)] if new != texts[file] else []
    unfound = {tool: left.get(tool, "its declaration was not found") for tool in wanted if tool not in placed}
    return SourcePatch("".join(diffs), placed, unfound)


def _named_in(text: bytes, wanted: Hints) -> dict[str, Mapping[str, bool]]:
    return {tool: hints for tool, hints in wanted.items() if tool.encode() in text}


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
    if not wanted:
        return
    if suffix in PYTHON:
        yield from python_code.declared(text, wanted)
    elif suffix in TYPESCRIPT:
        yield from typescript_code.declared(text, wanted, suffix)


def _patched(text: bytes, found: list[Placed], wanted: Hints, suffix: str) -> tuple[bytes, list[Placed]]:
    """Make the edits, tool by tool, and keep those after which the file says what was wanted."""
    edits: list[Placed] = []
    for one in found:
        new = apply_edits(text, [edit for kept in (*edits, one) for edit in kept.edits])
        read = {again.tool: again.stated for again in _declared(new, wanted, suffix)}
        if all(wanted[kept.tool].items() <= read.get(kept.tool, {}).items() for kept in (*edits, one)):
            edits.append(one)
    return apply_edits(text, [edit for one in edits for edit in one.edits]), edits


def _diff(file: Path, old: bytes, new: bytes) -> str:
    """Write what changes in a file; its name is as seen from here, since that is where a patch is applied."""
    name = Path(os.path.relpath(file)).as_posix()
    lines = difflib.unified_diff(_lines(old), _lines(new), f"a/{name}", f"b/{name}")
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _lines(text: bytes) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+", text.decode("utf-8"))
