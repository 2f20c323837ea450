"""CSV into a table: all of it is checked before a row is written, and what was written is said in any case."""

from typing import Any

import httpx2
import pytest
from tests.nextcloud.sessions import Session, Watched, connected, facts, serving
from tests.nextcloud.tables_at_hand import at_hand

from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio

HEAD = "Ödd line,Ödd number,Ödd select,Ödd multi,Ödd check,Ödd date,Ödd usergroup,Ödd link"
LINES = (
    'first,1.5,röt,"röt, blau",yes,2026-12-24,bob,https://example.org',
    '"second\nline",,,,,,,',
    "",
    'third,2,5,5,false,,"bob, team",',
)


async def test_every_kind_of_value_is_read_and_empty_cells_and_lines_are_left_out(sandbox: Sandbox) -> None:
    async with at_hand(sandbox) as hand:
        text = "\ufeff" + "\r\n".join((HEAD, *LINES[:3]))
        done = await hand.ask("import_csv", table_id=hand.table, content=text)
        assert (done["rows"], done["written"], len(done["row_ids"])) == (2, 2, 2)
        assert "problems" not in done
        first, second = [await hand.values(row) for row in done["row_ids"]]
        assert first == {
            "Ödd line": "first",
            "Ödd number": 1.5,
            "Ödd select": "röt",
            "Ödd multi": ["röt", "blau"],
            "Ödd check": True,
            "Ödd date": "2026-12-24",
            "Ödd usergroup": [{"id": "bob", "type": "user", "name": "Bob"}],
            "Ödd link": {"title": "https://example.org", "url": "https://example.org"},
        }
        assert second == {"Ödd line": "second\nline"}


async def test_one_wrong_line_keeps_all_from_being_written_and_each_is_named(sandbox: Sandbox) -> None:
    async with at_hand(sandbox) as hand:
        before = facts(sandbox)
        text = 'Ödd line,Ödd number\nok,1\n,2\n"a\nb",many\nlast,1,2,3\n'
        said = await hand.refusal("import_csv", table_id=hand.table, content=text)
        assert said.startswith("Nothing was written: 3 of 4 lines are wrong.")
        assert "Line 3: Every row of Table" in said
        assert "Line 4: Column 'Ödd number' takes a number, and not 'many'." in said
        assert "Line 6: It has 4 values, and the header 2 columns." in said
        look = await hand.ask("import_csv", table_id=hand.table, content=text, check_only=True)
        assert [problem["line"] for problem in look["problems"]] == [3, 4, 6]
        assert (look["rows"], look["written"], look["problems_total"]) == (1, 0, 3)
        assert facts(sandbox) == before


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "The file has no header."),
        ("Ödd line\n", "There are no lines to import."),
        ("Ödd lines\nx\n", "did you mean 'Ödd line'"),
        ("Ödd line,Ödd line\nx,y\n", "The header names 'Ödd line' twice."),
        ('Ödd line\n"x\n', "This is not CSV: line 2"),
        ("Ödd line\n" + "x\n" * 2001, "The file has more than 2000 rows."),
    ],
)
async def test_a_file_that_cannot_be_meant_is_refused_in_words(sandbox: Sandbox, text: str, words: str) -> None:
    async with at_hand(sandbox) as hand:
        assert words in await hand.refusal("import_csv", table_id=hand.table, content=text)


async def test_a_file_may_have_as_many_rows_as_are_taken_at_once(sandbox: Sandbox) -> None:
    async with at_hand(sandbox) as hand:
        text = "Ödd line\n" + "x\n" * 2000
        look = await hand.ask("import_csv", table_id=hand.table, content=text, check_only=True)
    assert look["rows"] == 2000


class Failing(Watched):
    """Lets so many rows be written, and then fails."""

    def __init__(self, sandbox: Sandbox, good: int, *, lost: bool) -> None:
        super().__init__(httpx2.ASGITransport(sandbox.app))
        self._good, self._lost = good, lost

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        if request.method == "POST" and self._good == 0:
            if not self._lost:
                meta = {"status": "failure", "statuscode": 403, "message": "no"}
                return httpx2.Response(403, json={"ocs": {"meta": meta, "data": []}})
            await super().handle_async_request(request)
            raise httpx2.ReadError("lost")
        self._good -= request.method == "POST"
        return await super().handle_async_request(request)


@pytest.mark.parametrize("lost", [False, True])
async def test_an_import_that_stops_says_which_rows_were_written_and_how_to_go_on(sandbox: Sandbox, lost: bool) -> None:  # noqa: FBT001
    text = "Ödd line\n" + "\n".join(f"line {number}" for number in range(5))
    async with at_hand(sandbox) as hand:
        async with connected(Failing(sandbox, 2, lost=lost)) as session:
            said = await session.refusal("nc_tables_import_csv", table_id=hand.table, content=text)
        assert said.startswith("The import stopped at line 4:")
        assert ("Whether it was done is unknown" in said) is lost
        assert "Before it, 2 of 5 rows were written" in said
        assert "go on with start_line=4." in said
        assert f"tables/{hand.table}/rows (2 times); look before trying again." in said
        rows = (await hand.ask("read_table", table_id=hand.table))["items"]
        written = [row["id"] for row in rows if row["values"]["Ödd line"] in ("line 0", "line 1")]
        assert f"(ids {written[0]}, {written[1]})" in said
        start = 5 if lost else 4  # a look at the table shows that the row in doubt is there
        done = await hand.ask("import_csv", table_id=hand.table, content=text, start_line=start)
        assert done["written"] == (2 if lost else 3)
        titles = [row["values"]["Ödd line"] for row in (await hand.ask("read_table", table_id=hand.table))["items"]]
        assert titles[1:] == [f"line {number}" for number in range(5)]


async def test_a_first_row_that_fails_is_a_plain_failure(sandbox: Sandbox) -> None:
    async with at_hand(sandbox) as hand, connected(serving(sandbox), user="bob") as bob:
        said = await bob.refusal("nc_tables_import_csv", table_id=hand.table, content="Ödd line\nx\ny\n")
        assert said.startswith(f"This user may not do that with table {hand.table}.")


async def test_a_file_of_the_user_is_read_in_its_own_encoding(sandbox: Sandbox) -> None:
    async with at_hand(sandbox) as hand:
        await _put(sandbox, "sizes.csv", "Ödd line;Ödd number\r\nGröße;1.5\r\n".encode("windows-1252"))
        await _put(sandbox, "picture.bin", bytes(range(256)))
        done = await hand.ask("import_csv", table_id=hand.table, path="sizes.csv")
        assert (await hand.values(done["row_ids"][0])) == {"Ödd line": "Größe", "Ödd number": 1.5}
        assert "is not text" in await hand.refusal("import_csv", table_id=hand.table, path="picture.bin")
        assert "Give either content or path." in await hand.refusal("import_csv", table_id=hand.table)


async def test_progress_tells_how_many_rows_are_written(sandbox: Sandbox) -> None:
    told: list[tuple[float, float | None]] = []

    async def tell(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total))

    async with at_hand(sandbox) as hand:
        text = "Ödd line\na\nb\nc\n"
        arguments: dict[str, Any] = {"table_id": hand.table, "content": text}
        session: Session = hand.session
        await session.client.call_tool("nc_tables_import_csv", arguments, progress_callback=tell)
    assert told == [(1, 3), (2, 3), (3, 3)]


async def _put(sandbox: Sandbox, path: str, content: bytes) -> None:
    auth = (sandbox.username, sandbox.token)
    transport = httpx2.ASGITransport(sandbox.app)
    async with httpx2.AsyncClient(transport=transport, auth=auth, base_url="http://sandbox") as client:
        await client.put(f"/remote.php/dav/files/admin/{path}", content=content)
