"""Hints in Python source, set where a tool is declared: `@server.tool(...)`, `add_tool(...)` or `Tool(name=...)`."""

import ast
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from aboveboard.audit.source_patch.edits import Edit, NotPlain, Placed, gap_before, newline_of
from aboveboard.audit.source_patch.python_names import import_names, methods

IMPORT: Final = "from mcp.types import ToolAnnotations"
CLASS: Final = "ToolAnnotations"
_CLOSING: Final = re.compile(rb"(?:\s|#[^\n]*\n|,)*\)")
METHODS: Final = ("tool", "add_tool")
"""Methods of servers that may be called by another name: `t = server.tool`."""
OTHERS: Final = frozenset(
    {"langchain", "langchain_core", "llama_index", "crewai", "agents", "smolagents", "autogen", "pydantic_ai", "google"}
)
"""Packages that have a `tool` or `Tool` of their own, which knows no hints."""


def declared(text: bytes, wanted: Mapping[str, Mapping[str, bool]]) -> Iterator[Placed]:
    """Find the tools that are declared in a file and wanted, and how their hints would be set there."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    found = list(_declarations(tree))
    file = _File(text, tree, min((at.lineno for _, at, _ in found), default=1))
    for tool, at, call in found:
        if tool in wanted:
            yield file.placed(tool, at, call, wanted[tool])


def _declarations(tree: ast.Module) -> Iterator[tuple[str, ast.expr, ast.Call | None]]:
    """Go through what declares tools: the name, the expression, and the call that takes arguments, where it is one."""
    foreign = {
        one.asname or one.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in OTHERS
        for one in node.names
    }
    calls = _Calls(foreign, methods(tree, METHODS))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for one in node.decorator_list:
                call = one if isinstance(one, ast.Call) else None
                if calls.called(call.func if call else one) == "tool":
                    yield _named(call, node.name) if call else node.name, one, call
        elif isinstance(node, ast.Call) and (called := calls.called(node.func)) in ("Tool", "add_tool"):
            added = called == "add_tool"
            yield _named(node, _function_of(node), positional=False) if added else _named(node, ""), node, node


@dataclass(frozen=True)
class _Calls:
    """What is called in a file: names of other libraries are left out, and those that stand for a method looked up."""

    foreign: Collection[str]
    methods: Mapping[str, str]

    def called(self, function: ast.expr) -> str:
        """Return the last name of what is called, or of the method that it stands for."""
        if not isinstance(function, ast.Name):
            return _last_name(function)
        return "" if function.id in self.foreign else self.methods.get(function.id, function.id)


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _named(call: ast.Call, otherwise: str, *, positional: bool = True) -> str:
    """Return the name that a call gives to a tool, or that of its function; empty where the name is worked out."""
    by_keyword = [one.value for one in call.keywords if one.arg == "name"]
    for one in (*by_keyword, *(call.args[:1] if positional else ())):
        return one.value if isinstance(one, ast.Constant) and isinstance(one.value, str) else ""
    return otherwise


def _function_of(call: ast.Call) -> str:
    """Return the name of the function that `add_tool` is given."""
    return _last_name(call.args[0]) if call.args else ""


class _File:
    """One file, and the words that it has for what is written into it."""

    def __init__(self, text: bytes, tree: ast.Module, first: int) -> None:
        """Take the text, what it says, and the line of the first declaration: what is imported must be known there."""
        self._text, self._tree, self._first = text, tree, first
        self._aliases = import_names(tree, CLASS)
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
        if call and any(one.arg is None for one in call.keywords):
            raise NotPlain("what it is given is written elsewhere: **")
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
        ends = self._behind_brackets(begins, parts[-1])
        return [Edit(ends, ends, f",{gap_before(self._text, begins)}{argument}"), *imports]

    def _behind_brackets(self, begins: int, value: ast.expr) -> int:
        """Return where an argument ends: long texts stand in brackets, which are no part of the value."""
        ends = self._end(value)
        for _ in range(self._text[begins : self._start(value)].count(b"(")):
            closing = _CLOSING.match(self._text, ends)
            ends = closing.end() if closing else ends
        return ends

    def _class(self) -> tuple[str, list[Edit]]:
        """Return what the file calls the class of hints, and the import to add where it has no word for it."""
        tried = [one for node in self._tree.body if isinstance(node, ast.Try) for one in node.body]
        for node in (*self._imports(), *tried):
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
        behind = self._imports()
        ours = [node for node in behind if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("mcp")]
        last = (ours or behind or [None])[-1]
        end = newline_of(self._text)
        if last is None and ast.get_docstring(self._tree, clean=False) is None:
            at = self._lines[_first_line(self._tree) - 1]  # behind what stands at the very top, such as `#!`
            return Edit(at, at, f"{IMPORT}{end}{end}")
        line = (last or self._tree.body[0]).end_lineno or 0
        at = self._lines[min(line, len(self._lines) - 1)]
        return Edit(at, at, f"{IMPORT}{end}" if last else f"{end}{IMPORT}{end}")

    def _imports(self) -> list[ast.Import | ast.ImportFrom]:
        """Return what is imported before the first declaration."""
        every = [node for node in self._tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
        return [node for node in every if node.lineno < self._first]

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
        if isinstance(value, ast.Call) and self._is_class(value.func):
            named = {_camel(one.arg): one.value for one in value.keywords if one.arg}
            if len(named) == len(value.keywords) + len(value.args):
                return named
        raise NotPlain(f"its hints are written elsewhere: annotations={ast.unparse(value)}")

    def _is_class(self, function: ast.expr) -> bool:
        return _last_name(function) == CLASS or (isinstance(function, ast.Name) and function.id in self._aliases)

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


def _first_line(tree: ast.Module) -> int:
    """Return the line of the first statement; a decorator stands above what it decorates."""
    first = tree.body[0]
    above: list[ast.expr] = getattr(first, "decorator_list", [])
    return min([first.lineno, *(one.lineno for one in above)])


def _camel(name: str) -> str:
    return re.sub(r"_(\w)", lambda match: match[1].upper(), name)
