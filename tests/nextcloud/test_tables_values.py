"""Cells: by title or id, each value checked against its column before anything is sent, shown as people write it."""

from typing import Any, Final

import pytest
from tests.nextcloud.tables_at_hand import at_hand

from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio

# What is given for a column, and what is read of it afterwards.
KEPT: Final[tuple[tuple[str, Any, Any], ...]] = (
    ("line", "größer 🚀", "größer 🚀"),
    ("long", "two\nlines", "two\nlines"),
    ("rich", "# Head\n\n- [ ] a", "# Head\n\n- [ ] a"),
    (
        "link",
        "https://example.org/?a=b&c#d",
        {"title": "https://example.org/?a=b&c#d", "url": "https://example.org/?a=b&c#d"},
    ),
    ("link", {"title": "Ünï", "url": "http://example.org"}, {"title": "Ünï", "url": "http://example.org"}),
    ("number", 12.25, 12.25),
    ("number", "13", 13),
    ("number", 0.5, 0.5),
    ("number", 99.5, 99.5),
    ("stars", 0, 0),
    ("stars", "5", 5),
    ("progress", 100, 100),
    ("check", True, True),
    ("check", "no", False),
    ("select", "blau", "blau"),
    ("select", 9, "blau"),
    ("select", "5", "5"),
    ("multi", ["röt", 9], ["röt", "blau"]),
    ("multi", "röt", ["röt"]),
    ("datetime", "2026-12-24T18:30", "2026-12-24 18:30"),
    ("datetime", "2026-12-24 18:30:00", "2026-12-24 18:30"),
    ("date", "2028-02-29", "2028-02-29"),
    ("time", "07:05", "07:05"),
    ("usergroup", "bob", [{"id": "bob", "type": "user", "name": "Bob"}]),
    ("usergroup", [{"id": "team", "type": "group"}], [{"id": "team", "type": "group", "name": "team"}]),
)
REFUSED: Final[tuple[tuple[str, Any, str], ...]] = (
    ("line", "x" * 51, "takes 50 characters, and this has 51"),
    ("line", 5, "takes a text, and not '5'"),
    ("line", "", "must not be empty"),
    ("link", "example", "takes a link"),
    ("link", "javascript:alert(1)", "takes a link"),
    ("number", "many", "takes a number, and not 'many'"),
    ("number", True, "takes a number"),
    ("number", "NaN", "takes a number"),
    ("number", 0.25, "takes numbers from 0.5 to 99.5, and not 0.25"),
    ("number", 100, "takes numbers from 0.5 to 99.5, and not 100"),
    ("number", 1.255, "keeps 2 decimals: Nextcloud would round 1.255"),
    ("number", None, "cannot be emptied: Nextcloud would put 0"),
    ("stars", 6, "takes whole numbers from 0 to 5"),
    ("stars", None, "cannot be emptied"),
    ("progress", 12.5, "takes whole numbers from 0 to 100"),
    ("check", "maybe", "neither true nor false"),
    ("check", None, "Give true or false."),
    ("select", "grün", "has no option 'grün'"),
    ("select", 77, "has no option '77'"),
    ("multi", ["röt", "grün"], "has no option 'grün'"),
    ("datetime", "someday", "Write it as 2026-01-31 18:30."),
    ("datetime", "2026-12-24T18:30Z", "keeps neither seconds nor a time zone"),
    ("datetime", "2026-12-24 18:30:59", "keeps neither seconds nor a time zone"),
    ("time", "18:30:59", "keeps neither seconds nor a time zone"),
    ("date", "2027-02-29", "Write it as 2026-01-31."),
    ("date", "24.12.2026", "Write it as 2026-01-31."),
    ("time", "25:00", "Write it as 18:30."),
    ("usergroup", [{"id": "x", "type": "robot"}], "takes people"),
    ("usergroup", [{"id": "x", "type": "team"}], "takes no teams"),
)


@pytest.mark.parametrize(("column", "value", "shown"), KEPT)
async def test_a_value_that_fits_is_kept_and_what_is_read_can_be_written_back(
    sandbox: Sandbox, column: str, value: Any, shown: Any
) -> None:
    async with at_hand(sandbox) as hand:
        title = f"Ödd {column}"
        written = await hand.ask("update_row", row_id=hand.row, data={title: value})
        read = await hand.values()
        assert (written["values"][title], read[title], written.get("warning")) == (shown, shown, None)
        await hand.ask("update_row", row_id=hand.row, data=read)
        assert await hand.values() == read


@pytest.mark.parametrize(("column", "value", "words"), REFUSED)
async def test_a_value_that_does_not_fit_is_refused_before_anything_is_written(
    sandbox: Sandbox, column: str, value: Any, words: str
) -> None:
    async with at_hand(sandbox) as hand:
        before = await hand.values()
        data = {"Ödd rich": "also", f"Ödd {column}": value}
        said = await hand.refusal("update_row", row_id=hand.row, data=data)
        assert words in said
        assert f"Ödd {column}" in said
        assert not [line for line in hand.sent() if not line.startswith("GET")]
        assert await hand.values() == before


@pytest.mark.parametrize("column", ["long", "rich", "link", "select", "multi", "datetime", "date", "time", "usergroup"])
async def test_null_empties_a_cell_where_nextcloud_can_do_that(sandbox: Sandbox, column: str) -> None:
    async with at_hand(sandbox) as hand:
        before = await hand.values()
        await hand.ask("update_row", row_id=hand.row, data={f"Ödd {column}": None})
        assert await hand.values() == {title: value for title, value in before.items() if title != f"Ödd {column}"}


async def test_a_row_is_written_by_titles_ids_and_technical_names_alike(sandbox: Sandbox) -> None:
    async with at_hand(sandbox) as hand:
        number, rich = hand.ids["number column"], hand.ids["rich column"]
        data = {"Ödd line": "new", str(number): 2, f"column_{rich}": "text"}
        row = await hand.ask("insert_row", table_id=hand.table, data=data)
        assert row["values"] == {"Ödd line": "new", "Ödd number": 2, "Ödd rich": "text"}
        said = await hand.refusal(
            "insert_row", table_id=hand.table, data={"Ödd line": "a", str(hand.ids["line column"]): "b"}
        )
        assert said == "Column 'Ödd line' is given twice. Give it once."
        assert "did you mean 'Ödd line'" in await hand.refusal(
            "insert_row", table_id=hand.table, data={"Odd line": "a"}
        )


async def test_of_columns_with_the_same_title_none_is_guessed_and_their_values_are_shown_by_id(
    sandbox: Sandbox,
) -> None:
    async with at_hand(sandbox) as hand:
        line, rich = hand.ids["line column"], hand.ids["rich column"]
        await hand.raw(
            "PUT", f"/index.php/apps/tables/api/1/columns/{rich}", json={"title": "Ödd line", "mandatory": False}
        )
        said = await hand.refusal("update_row", row_id=hand.row, data={"Ödd line": "x"})
        assert f"several columns that 'Ödd line' can mean: {line} (text-line), {rich} (text-rich)." in said
        assert "Use the id of one of them." in said
        values = await hand.values()
        assert (values[str(line)], values[str(rich)]) == ("Ünï 🚀", "# r\n**b**")
        await hand.ask("update_row", row_id=hand.row, data={str(rich): "other"})
        assert (await hand.values())[str(rich)] == "other"


async def test_a_title_that_is_the_id_of_another_column_is_not_guessed_either(sandbox: Sandbox) -> None:
    async with at_hand(sandbox) as hand:
        line, rich = hand.ids["line column"], hand.ids["rich column"]
        await hand.ask("update_column", column_id=rich, title=str(line))
        said = await hand.refusal("update_row", row_id=hand.row, data={str(line): "x"})
        assert f"{line} (text-line), {rich} (text-rich)" in said
        assert f"column_{line}" in said
        assert (await hand.values())["Ödd line"] == "Ünï 🚀"
        assert (await hand.values())[str(rich)] == "# r\n**b**"


async def test_a_new_row_must_have_what_is_mandatory_and_gets_no_defaults(sandbox: Sandbox) -> None:
    async with at_hand(sandbox) as hand:
        said = await hand.refusal("insert_row", table_id=hand.table, data={"Ödd number": 1})
        assert "needs a value for 'Ödd line'" in said
        assert hand.sent() == [f"GET 1/tables/{hand.table}/columns"]
        row = await hand.ask("insert_row", table_id=hand.table, data={"Ödd line": "alone", "Ödd rich": None})
        assert row["values"] == await hand.values(row["id"]) == {"Ödd line": "alone"}


async def test_what_only_nextcloud_can_know_is_its_own_refusal(sandbox: Sandbox) -> None:
    async with at_hand(sandbox) as hand:
        said = await hand.refusal("insert_row", table_id=hand.table, data={"Ödd line": "Ünï 🚀"})
        assert 'Column "Ödd line" contains a non-unique value.' in said
        said = await hand.refusal("update_row", row_id=hand.row, data={"Ödd usergroup": "nobody-here"})
        assert "User not found" in said


async def test_a_cell_of_a_type_that_nobody_knows_is_shown_and_not_written(sandbox: Sandbox) -> None:
    async with at_hand(sandbox) as hand:
        body = {"title": "Elsewhere", "type": "relation", "mandatory": False}
        made = await hand.raw("POST", f"/index.php/apps/tables/api/1/tables/{hand.table}/columns", json=body)
        column = made.json()["id"]
        await hand.raw("PUT", f"/index.php/apps/tables/api/1/rows/{hand.row}", json={"data": {str(column): 7}})
        assert (await hand.values())["Elsewhere"] == 7
        said = await hand.refusal("update_row", row_id=hand.row, data={"Elsewhere": 8})
        assert "is of the type relation, which this server does not know" in said
