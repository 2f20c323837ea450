"""The HTTP libraries that others bring: httpx2, which is ours as well, and httpx, where it is installed."""

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
NAMES = ("httpx2", "httpx")


def library(name: str, folder: Path, patch: pytest.MonkeyPatch) -> Any:
    """Import a library; httpx comes from the environment of the servers on mcp 1, since ours does not have it."""
    if name == "httpx2":
        return import_module(name)
    return httpx_in(folder, patch)


def httpx_in(folder: Path, patch: pytest.MonkeyPatch) -> ModuleType:
    found = next(ROOT.glob(".venv-mcp1/lib/python*/site-packages/httpx"), None)
    if found is None:
        pytest.skip("httpx is not installed: make test sets up .venv-mcp1, which has it")
    for package in ("httpx", "httpcore", "certifi"):
        (folder / package).symlink_to(found.parent / package)
    patch.setattr(sys, "path", [*sys.path, str(folder)])
    return import_module("httpx")
