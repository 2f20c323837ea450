"""What names mean in a Python file: those that it gives to a class it imports, or to a method of a server."""

import ast
from collections.abc import Collection, Iterator


def import_names(tree: ast.Module, name: str) -> set[str]:
    """Return the names that a file gives to something as it imports it, and to nothing else."""
    own = {
        id(one): one.asname or one.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for one in node.names
        if one.name == name
    }
    return set(own.values()) - _bound(tree, but=own)


def methods(tree: ast.Module, wanted: Collection[str]) -> dict[str, str]:
    """Return the names that a file gives to methods (`t = server.tool`), and to nothing else, each with its method."""
    found: dict[str, str] = {}
    own: set[int] = set()
    for node in ast.walk(tree):
        if not isinstance(node, ast.Assign | ast.AnnAssign):
            continue
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        if isinstance(target, ast.Name) and isinstance(node.value, ast.Attribute) and node.value.attr in wanted:
            method = node.value.attr
            if found.setdefault(target.id, method) == method:
                own.add(id(target))
    others = _bound(tree, but=own)
    return {name: method for name, method in found.items() if name not in others}


def _bound(tree: ast.Module, *, but: Collection[int]) -> set[str]:
    """Return the names that something is bound to, leaving out the places that are meant."""
    return {name for node in ast.walk(tree) if id(node) not in but for name in _binds(node)}


def _binds(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.alias):
        yield node.asname or node.name
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.arg):
        yield node.arg
