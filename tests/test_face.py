"""What others import: `from aboveboard import ...`."""

import ast
import subprocess
import sys
from pathlib import Path

import mcp_types as mcp
import pytest

import aboveboard
from aboveboard.effects import EFFECTS, Effect


def test_every_name_is_there_and_documented() -> None:
    for name in aboveboard.__all__:
        found = getattr(aboveboard, name)
        assert name == "__version__" or isinstance(found, Effect) or found.__doc__, name
    assert set(aboveboard.__all__) <= set(dir(aboveboard))


def test_type_checkers_are_told_of_the_same_names() -> None:
    tree = ast.parse(Path(aboveboard.__file__).read_text("utf-8"))
    told = [alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names]
    homes = {
        alias.name: node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("aboveboard")
        for alias in node.names
    }
    assert set(aboveboard.__all__) - {"__version__"} == set(homes) <= set(told)
    for name, home in homes.items():
        assert getattr(aboveboard, name) is getattr(sys.modules[str(home)], name)


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'REED'"):
        _ = aboveboard.REED


def loaded_by(program: str) -> set[str]:
    """Tell what an interpreter of its own has loaded of ours, and of what takes long to load."""
    ending = "; import sys; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", program + ending], capture_output=True, text=True, check=True)
    slow = {"aboveboard", "anyio", "httpx2", "mcp", "mcp_types", "pydantic"}
    return {name for name in ran.stdout.split() if name.partition(".")[0] in slow}


def test_importing_the_package_loads_none_of_it() -> None:
    assert loaded_by("import aboveboard") == {"aboveboard"}


def test_effects_load_no_mcp() -> None:
    loaded = loaded_by("from aboveboard import READ, annotations; annotations(READ)")
    assert loaded == {"aboveboard", "aboveboard.effects"}


@pytest.mark.parametrize("effect", EFFECTS, ids=lambda effect: effect.name)
def test_the_hints_of_an_effect_are_annotations_of_the_protocol(effect: Effect) -> None:
    hints = mcp.ToolAnnotations.model_validate(aboveboard.annotations(effect, title="Do It"))
    assert hints == mcp.ToolAnnotations(
        title="Do It",
        read_only_hint=effect.read_only,
        destructive_hint=effect.destructive,
        idempotent_hint=effect.idempotent,
        open_world_hint=True,
    )


def test_who_reaches_out_is_said_by_the_effect_or_else_by_the_caller() -> None:
    read = aboveboard.READ
    assert aboveboard.annotations(read, open_world=False)["openWorldHint"] is False
    assert aboveboard.annotations(read.closed())["openWorldHint"] is False
    assert aboveboard.annotations(read.reaching_out(), open_world=False)["openWorldHint"] is True
    assert "title" not in aboveboard.annotations(read)
