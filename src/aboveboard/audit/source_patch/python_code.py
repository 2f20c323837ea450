"""Hints in Python source, set where a tool is declared: `@server.tool(...)`, `add_tool(...)` or `Tool(name=...)`."""

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Final

from aboveboard.audit.source_patch.edits import Edit, NotPlain, Placed, gap_before, newline_of

IMPORT: Final = "from mcp.types import ToolAnnotations"
CLASS: Final = "ToolAnnotations"


def declared(text: bytes, wanted: Mapping[str, Mapping[str, bool]]) -> Iterator[Placed]:
    """Find the tools that are declared in a file and wanted, and how their hints would be set there."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return
    file = _File(text, tree)
    for tool, at, call in _declarations(tree):
        if tool in wanted:
            yield file.placed(tool, at, call, wanted[tool])


def _declarations(tree: ast.Module) -> Iterator[tuple[str, ast.expr, ast.Call | None]]:
    """Go through what declares tools: the name, the expression, and the call that takes arguments, where it is one."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for one in node.decorator_list:
                call = one if isinstance(one, ast.Call) else None
                if _last_name(call.func if call else one) == "tool":
                    yield (_named(call) if call else "") or node.name, one, call
        elif isinstance(node, ast.Call) and _last_name(node.func) in ("Tool", "add_tool"):
            yield _named(node) or _function_of(node), node, node


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _named(call: ast.Call) -> str:
    """Return the name that a call gives to a tool; empty where it gives none."""
    by_keyword = [one.value for one in call.keywords if one.arg == "name"]
    for one in (*by_keyword, *call.args[:1]):
        if isinstance(one, ast.Constant) and isinstance(one.value, str):
            return one.value
    return ""


def _function_of(call: ast.Call) -> str:
    """Return the name of the function that `add_tool` is given."""
    return _last_name(call.args[0]) if call.args and _last_name(call.func) == "add_tool" else ""


class _File:
    """One file, and the words that it has for what is written into it."""

    def __init__(self, text: bytes, tree: ast.Module) -> None:
        self._text, self._tree = text, tree
        self._lines = [0, *(match.end() for match in re.finditer(b"\n", text))]

    def placed(self, tool: str, at: ast.expr, call: ast.Call | None, hints: Mapping[str, bool]) -> Placed:
        annotations = next((one.value for one in call.keywords if one.arg == "annotations"), None) if call else None
        try:
            stated = {} if annotations is None else self._stated(annotations)
            edits = self._added(at, call, hints) if annotations is None else self._changed(annotations, hints)
            return Placed(tool, at.lineno, stated, tuple(edits))
        except NotPlain as why:
            return Placed(tool, at.lineno, {}, why_not=str(why))

    def _start(self, node: ast.expr) -> int:
        return self._lines[node.lineno - 1] + node.col_offset

    def _end(self, node: ast.expr) -> int:
        return self._lines[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)

    def _added(self, at: ast.expr, call: ast.Call | None, hints: Mapping[str, bool]) -> list[Edit]:
        """State hints where none are: as one argument more, and the import that it may need."""
        name, imports = self._class()
        written = ", ".join(f"{hint}={value}" for hint, value in hints.items())
        argument = f"annotations={name}({written})"
        if call is None:
            return [Edit(self._end(at), self._end(at), f"({argument})"), *imports]
        parts = sorted([*call.args, *(one.value for one in call.keywords)], key=self._end)
        if not parts:
            return [Edit(self._end(call) - 1, self._end(call) - 1, argument), *imports]
        keyword = next((one for one in call.keywords if one.value is parts[-1]), None)
        begins = self._start(parts[-1]) if keyword is None else self._lines[keyword.lineno - 1] + keyword.col_offset
        return [
            Edit(self._end(parts[-1]), self._end(parts[-1]), f",{gap_before(self._text, begins)}{argument}"),
            *imports,
        ]

    def _class(self) -> tuple[str, list[Edit]]:
        """Return what the file calls the class of hints, and the import to add where it has no word for it."""
        for node in self._tree.body:
            if not isinstance(node, ast.Import | ast.ImportFrom):
                continue
            for one in node.names:
                origin = f"{node.module}.{one.name}" if isinstance(node, ast.ImportFrom) else one.name
                if origin.endswith(f".{CLASS}"):
                    return one.asname or one.name, []
                if origin in ("mcp.types", "mcp_types"):
                    return f"{one.asname or one.name}.{CLASS}", []
        return CLASS, [self._import()]

    def _import(self) -> Edit:
        """Put the import behind those of the file."""
        behind = [node for node in self._tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
        ours = [node for node in behind if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("mcp")]
        last = (ours or behind or [None])[-1]
        first = self._tree.body[0] if ast.get_docstring(self._tree) is not None else None
        line = (last or first).end_lineno if last or first else 0  # pyright: ignore[reportOptionalMemberAccess]
        at = self._lines[min(line or 0, len(self._lines) - 1)]
        end = newline_of(self._text)
        return Edit(at, at, f"{IMPORT}{end}" if last else f"{end}{IMPORT}{end}")

    def _stated(self, value: ast.expr) -> dict[str, bool]:
        return {
            hint: bool(node.value)
            for hint, node in self._parts(value).items()
            if isinstance(node, ast.Constant) and isinstance(node.value, bool)
        }

    def _parts(self, value: ast.expr) -> dict[str, ast.expr]:
        """Return the hints of a dictionary or of a `ToolAnnotations(...)`, by their published names."""
        if isinstance(value, ast.Dict) and all(isinstance(key, ast.Constant) for key in value.keys):
            keys = [str(key.value) for key in value.keys if isinstance(key, ast.Constant)]
            return dict(zip(keys, value.values, strict=True))
        if isinstance(value, ast.Call) and _last_name(value.func) == CLASS:
            named = {_camel(one.arg): one.value for one in value.keywords if one.arg}
            if len(named) == len(value.keywords) + len(value.args):
                return named
        raise NotPlain(f"its hints are written elsewhere: annotations={ast.unparse(value)}")

    def _changed(self, value: ast.expr, hints: Mapping[str, bool]) -> Iterator[Edit]:
        parts = self._parts(value)
        new: list[str] = []
        for hint, wanted in hints.items():
            old = parts.get(hint)
            if old is None:
                new.append(
                    f'"{hint}": {wanted}' if isinstance(value, ast.Dict) else f"{self._spelt(value, hint)}={wanted}"
                )
            elif not isinstance(old, ast.Constant):
                raise NotPlain(f"{hint} is not written out: {ast.unparse(old)}")
            elif old.value is not wanted:
                yield Edit(self._start(old), self._end(old), str(wanted))
        if new:
            at = self._end(max(parts.values(), key=self._end)) if parts else self._end(value) - 1
            yield Edit(at, at, f"{', ' if parts else ''}{', '.join(new)}")

    def _spelt(self, value: ast.expr, hint: str) -> str:
        """Spell a hint as its neighbours are spelt."""
        known = [one.arg or "" for one in value.keywords] if isinstance(value, ast.Call) else []
        return re.sub(r"(?=[A-Z])", "_", hint).lower() if any("_" in one for one in known) else hint


def _camel(name: str) -> str:
    return re.sub(r"_(\w)", lambda match: match[1].upper(), name)
