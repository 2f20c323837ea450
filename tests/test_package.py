"""What an installation brings along."""

import ast
import re
import tomllib
from pathlib import Path

import grimp

from aboveboard import __version__

ROOT = Path(__file__).resolve().parent.parent
# Commands and forms of reports, by what a person types; tools and sandboxes, by walking; the rest by what runs them.
FOUND_BY_NAME = re.compile(
    r"aboveboard\.(cli|audit\.report|kit\.people\.migrations|\w+\.(tools|sandbox))\.|aboveboard\.(\w+\.server|__main__|kit\.catalogue_writer|audit\.pytest_plugin)$"
)


def test_a_base_installation_is_at_most_45_packages() -> None:
    locked = re.findall(r"^([\w.-]+)==", (ROOT / "requirements" / "base.lock").read_text(), re.MULTILINE)
    always: list[str] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    wanted = {re.split(r"[^\w.-]", line)[0].lower() for line in always}
    assert wanted <= {name.lower() for name in locked}
    assert len(set(locked)) <= 45


def test_the_version_is_said_once_and_the_same() -> None:
    assert f'version = "{__version__}"' in (ROOT / "pyproject.toml").read_text()


def test_no_pattern_has_a_possessive_or_atomic_group() -> None:
    """Python before 3.11.5 reads these wrongly (its issue 106052), and what they are to refuse would get through."""
    group = re.compile(r"(?<!\\)\)(?:[*+?]|\{\d*,?\d*\})\+|\(\?>")
    assert group.search("(?:a|b)*+c")
    assert group.search("(?>a)")
    assert not group.search(r"\)*+[ab]*+(a)+")
    texts = {file: file.read_text("utf-8") for file in (ROOT / "src").rglob("*.py")}
    found = [
        f"{file.relative_to(ROOT)}:{node.lineno}"
        for file, text in texts.items()
        if group.search(text)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and group.search(node.value)
    ]
    assert found == []


def test_every_folder_with_modules_is_a_package() -> None:
    """Walking passes over any other: what it declares would not exist, and nobody would be told."""
    folders = {file.parent for file in (ROOT / "src").rglob("*.py")}
    assert [str(folder) for folder in sorted(folders) if not (folder / "__init__.py").is_file()] == []


def test_no_module_is_forgotten() -> None:
    graph = grimp.build_graph("aboveboard")
    alone = {module for module in graph.modules if not graph.find_modules_that_directly_import(module)}
    packages = {module for module in graph.modules if graph.find_children(module)}
    assert {module for module in alone - packages if not FOUND_BY_NAME.match(module)} == set()
    assert any(FOUND_BY_NAME.match(module) for module in alone)
