"""The parts of a sandbox, found by walking its package: whoever adds a module to it has added what it declares.

A part is an object that stands in a module under a name of its own: a Table, a Routes, what else a service has.
"""

import pkgutil
from collections.abc import Iterable
from importlib import import_module
from types import ModuleType
from typing import TypeVar

Part = TypeVar("Part")


def load_modules(package: str) -> list[ModuleType]:
    """Every module below a package, in the order of their names."""
    paths = import_module(package).__path__
    names = sorted(found.name for found in pkgutil.walk_packages(paths, f"{package}."))
    return [import_module(name) for name in names]


def collect(modules: Iterable[ModuleType], kind: type[Part]) -> list[Part]:
    """The parts of one kind, each once, in the order of the modules that they stand in."""
    found = {id(value): value for module in modules for value in vars(module).values() if isinstance(value, kind)}
    return list(found.values())
