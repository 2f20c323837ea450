"""The path templates of the client, read out of its sources."""

import ast
import re
from functools import cache
from pathlib import Path

from aboveboard.lightdash import client


@cache
def templates() -> frozenset[str]:
    """Read every template out of the client's sources; one that is put together from parts cannot be checked."""
    found: set[str] = set()
    for file in Path(client.__path__[0]).rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith("/api/"):
                found.add(node.value)
            assert not isinstance(node, ast.JoinedStr) or "/api/" not in ast.unparse(node), f"{file}:{node.lineno}"
    return frozenset(found)


def plain(template: str) -> str:
    return re.sub(r"\{[^}]*\}", "{}", template)


@cache
def template_of(path: str) -> str | None:
    """Find the template that a path was made from; a word stands before a placeholder where both would do."""
    fitting = [template for template, pattern in _patterns().items() if pattern.fullmatch(path)]
    return min(fitting, key=lambda template: template.count("{"), default=None)


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    return {template: re.compile(_pattern(template)) for template in templates()}


def _pattern(template: str) -> str:
    return re.sub(r"\{\w+:uuid\}", "[0-9A-Fa-f-]{36}", re.sub(r"\{\w+\}", "[^/]+", template))
