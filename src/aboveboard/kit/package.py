"""The tools of a service, wherever they are declared below its `tools` package: nobody lists modules by hand.

`tools/__init__.py` says in which order clients see the areas (`AREAS`), and which modules come first within theirs
(`FIRST`, where there is one: `files.folders`); the others follow by name. A module that declares tools for an area gets
its toolset from the one module that makes it.
"""

import pkgutil
from importlib import import_module
from types import ModuleType
from typing import Any

from aboveboard.kit.toolset import Toolset


def load_toolsets(package: str) -> list[Toolset[Any]]:
    """Import every module below a tools package, and return the toolsets they declare, by area."""
    root = import_module(package)
    areas: list[str] = list(root.AREAS)
    found: dict[int, Toolset[Any]] = {}
    for name in _modules(root):
        for toolset in toolsets_in(import_module(name)):
            if toolset.area not in areas:
                raise TypeError(
                    f"{name} has tools of the area {toolset.area!r}, which AREAS in {package} does not name."
                )
            found.setdefault(id(toolset), toolset)
    return sorted(found.values(), key=lambda toolset: areas.index(toolset.area))


def toolsets_in(module: ModuleType) -> list[Toolset[Any]]:
    """Return the toolsets that a module makes or uses."""
    return [value for value in vars(module).values() if isinstance(value, Toolset)]


def _modules(root: ModuleType) -> list[str]:
    first = [f"{root.__name__}.{name}" for name in getattr(root, "FIRST", ())]
    every = {info.name for info in pkgutil.walk_packages(root.__path__, f"{root.__name__}.")}
    if missing := [name for name in first if name not in every]:
        raise TypeError(f"{missing[0]} is not a module: FIRST in {root.__name__} is wrong.")
    return [*first, *sorted(every.difference(first))]
