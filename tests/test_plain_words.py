"""What readers are told is plain English: something "is not a cursor", and never "is no cursor"."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
ODD = re.compile(r"(?<!there )\b(?:is|are|was|were) (?:no(?! (?:longer|more|such)\b)|none)\b", re.IGNORECASE)

_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def told() -> Iterator[tuple[str, str]]:
    """Yield what errors say, wherever one is raised, and what every tool publishes, with where that is."""
    for file in sorted((ROOT / "src" / "aboveboard").rglob("*.py")):
        if "sandbox" in file.parts:  # its words are those of the service that it imitates
            continue
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Raise) and node.exc:
                yield f"{file.relative_to(ROOT)}:{node.lineno}", ast.unparse(node.exc)
    for file in sorted((ROOT / "tests" / "golden").rglob("*.json")):
        yield file.name, file.read_text("utf-8")
    for file in [*sorted((ROOT / "docs" / "rules").glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]:
        yield file.name, _FENCED.sub("", file.read_text("utf-8"))


def test_nothing_is_said_to_be_no_thing() -> None:
    every = list(told())
    assert len(every) > 1000
    assert [f"{where}: {found.group()}" for where, text in every if (found := ODD.search(text))] == []


def test_what_is_odd_is_found_and_what_is_plain_is_not() -> None:
    assert ODD.search("'2' is no cursor.")
    assert ODD.search("'many' is none.")
    for plain in ("There is no chart 'x'.", "It is no longer there.", "'2' is not a cursor."):
        assert not ODD.search(plain)
