"""The tables in the docs of what each client's objects keep: each is true of the objects, and of all of them."""

import re
from pathlib import Path
from typing import Final

import pytest
from tests.nextcloud.calendar_texts import FLAVOURS as EVENTS
from tests.nextcloud.flavours import FLAVOURS as CARDS
from tests.nextcloud.task_texts import TASK_LINES, task

DOCS: Final = Path(__file__).parents[2] / "docs"
TASKS: Final = {name: task(lines) for name, lines in TASK_LINES.items()}
TABLES: Final = {
    ("calendars.md", "written by"): EVENTS,
    ("calendars.md", "task written by"): TASKS,
    ("contacts.md", "card written by"): {name: text for name, text in CARDS.items() if name != "an odd one"},
}


def rows(page: str, heading: str) -> dict[str, list[str]]:
    """Return the rows of a table by their first cell."""
    lines = (DOCS / page).read_text().splitlines()
    start = next(at for at, line in enumerate(lines) if line.startswith(f"| {heading} |"))
    found: dict[str, list[str]] = {}
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        name, *cells = (cell.strip() for cell in line.strip("| ").split(" | "))
        found[name] = cells
    return found


@pytest.mark.parametrize(("page", "heading"), TABLES)
def test_a_table_names_every_client_and_only_what_its_object_holds(page: str, heading: str) -> None:
    table, texts = rows(page, heading), TABLES[page, heading]
    assert table.keys() == texts.keys()
    for client, cells in table.items():
        assert cells[-1] == "everything"
        held = texts[client].replace("\r\n ", "")
        for token in re.findall(r"`([^`]+)`", " ".join(cells)):
            assert token in held, (client, token)
