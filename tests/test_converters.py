"""What other frameworks make of our definitions: nothing that a tool takes is lost on the way to a model."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.patience import patience

from aboveboard.cli.services import NAMES, server_module
from aboveboard.kit.policy import Policy
from aboveboard.kit.service import Catalogue

ROOT = Path(__file__).parents[1]
PYTHON = ROOT / ".venv-converters" / "bin" / "python"
MISSING = "The converters are not installed: `make test` installs them, which needs a network the first time."


def published() -> list[dict[str, Any]]:
    """Every tool of both services, those that are off by default included."""
    catalogues = [Catalogue[Any](server_module(name).SERVICE, Policy()) for name in NAMES]
    every = [catalogue.definition(tool) for catalogue in catalogues for tool in catalogue.service.tools]
    return [
        tool.model_dump(by_alias=True, mode="json", include={"name", "description", "input_schema"}) for tool in every
    ]


def problems(tools: list[dict[str, Any]]) -> list[str]:
    """Run tools through the converters, which have an environment of their own."""
    if not (PYTHON.parent.parent / "ready").exists():
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(MISSING)
    command = [str(PYTHON), str(ROOT / "tests" / "converters" / "convert.py")]
    ran = subprocess.run(
        command, input=json.dumps(tools), capture_output=True, text=True, timeout=patience(60), check=True
    )
    return json.loads(ran.stdout)


def test_no_converter_loses_anything_of_our_schemas_and_all_can_be_strict() -> None:
    # One start of Python serves all tools, and a broken one shows that losses are seen.
    free = {"type": "object", "properties": {"cells": {"type": "object"}}, "additionalProperties": False}
    broken = {"name": "add_row", "description": "Append one row.", "inputSchema": free}
    found = problems([*published(), broken])
    assert [one for one in found if "add_row" not in one] == []
    assert {one.split()[0] for one in found} == {
        "openai_agents",
        "langchain_gemini",
        "pydantic_ai_openai",
        "pydantic_ai_gemini",
        "pydantic_ai_gemini_live",
    }
