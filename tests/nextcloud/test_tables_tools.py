"""Tables through MCP: what people get of the app's surprises, how much is asked for it, and what is said at the end."""

import json
from typing import Any

import httpx2
import pytest
from tests.nextcloud.sessions import Watched, connected, facts, serving
from tests.nextcloud.tables_at_hand import at_hand

from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio

V1 = "/index.php/apps/tables/api/1"


async def test_each_tool_asks_for_no_more_than_it_needs(sandbox: Sandbox) -> None:
    async with at_hand(sandbox) as hand:
        table, row, number = hand.table, hand.row, hand.ids["number column"]

        async def cost(tool: str, **arguments: Any) -> list[str]:
            await hand.ask(tool, **arguments)
            return hand.sent()

        columns, rows = f"GET 1/tables/{table}/columns", f"GET 1/tables/{table}/rows"
        assert await cost("list_tables") == ["GET 2/tables"]
        assert await cost("get_schema", table_id=table) == [f"GET 2/tables/{table}", columns]
        assert await cost("list_views") == ["GET 2/init"]
        assert await cost("list_views", table_id=table) == [f"GET 2/tables/{table}"]
        assert await cost("read_table", table_id=table) == [columns, rows]
        assert await cost("read_table", table_id=table, limit=1) == [columns, rows, f"GET 2/tables/{table}"]
        assert await cost("find_rows", table_id=table, query="x") == [columns, rows]
        view = hand.ids["view"]
        assert await cost("read_view", view_id=view) == [f"GET 1/views/{view}/columns", f"GET 1/views/{view}/rows"]
        assert await cost("insert_row", table_id=table, data={"Ödd line": "b"}) == [
            columns,
            f"POST 2/tables/{table}/rows",
        ]
        one = f"1/rows/{row}"
        assert await cost("update_row", row_id=row, data={"Ödd line": "c"}) == [f"GET {one}", columns, f"PUT {one}"]
        assert await cost("delete_row", row_id=row) == [f"GET {one}", f"DELETE {one}"]
        assert await cost("delete_row", row_id=row) == [f"GET {one}"]
        made = await cost("create_table", title="New")
        assert made == ["POST 2/tables"]
        assert await cost("update_table", table_id=table, title="x") == [f"PUT 2/tables/{table}"]
        added = await cost("add_column", table_id=table, title="More", type="number")
        assert added == [columns, f"POST 1/tables/{table}/columns"]
        at = f"1/columns/{number}"
        assert await cost("update_column", column_id=number, minimum=1) == [f"GET {at}", f"PUT {at}"]
        assert await cost("update_column", column_id=number, title="N") == [
            f"GET {at}",
            columns,
            f"GET {at}",
            f"PUT {at}",
        ]
        assert await cost("delete_column", column_id=number) == [f"GET {at}", f"GET 2/tables/{table}", f"DELETE {at}"]
        assert await cost("delete_column", column_id=number) == [f"GET {at}"]
        csv = "Ödd line\nd\ne\n"
        written = await cost("import_csv", table_id=table, content=csv)
        assert written == [columns, *[f"POST 2/tables/{table}/rows"] * 2]
        assert await cost("delete_table", table_id=table) == [f"GET 2/tables/{table}", f"DELETE 2/tables/{table}"]


async def test_a_thousand_rows_are_read_in_pages_that_say_how_many_there_are(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        table = (await session.ask("nc_tables_create_table", title="Many"))["id"]
        await session.ask("nc_tables_add_column", table_id=table, title="Größe", type="number")
        numbers = "\n".join(map(str, range(1000)))
        done = await session.ask("nc_tables_import_csv", table_id=table, content=f"Größe\n{numbers}")
        assert (done["written"], len(set(done["row_ids"]))) == (1000, 1000)
        seen, offset = list[int](), 0
        while True:
            page = await session.ask("nc_tables_read_table", table_id=table, limit=300, offset=offset)
            seen += [item["values"]["Größe"] for item in page["items"]]
            assert page["total"] == 1000
            if "next_offset" not in page:
                break
            offset = page["next_offset"]
        assert seen == list(range(1000))
        past = await session.ask("nc_tables_read_table", table_id=table, offset=5000)
        assert past == {"items": [], "total": 1000}
        found = await session.ask("nc_tables_find_rows", table_id=table, query="99", limit=5, offset=5)
        assert (found["total"], found["searched"], found["next_offset"]) == (19, 1000, 10)
        assert [item["values"]["Größe"] for item in found["items"]] == [599, 699, 799, 899, 990]


@pytest.mark.parametrize("limit", [0, -1, 501])
async def test_a_limit_that_nextcloud_answers_with_an_error_is_refused_in_words(sandbox: Sandbox, limit: int) -> None:
    async with at_hand(sandbox) as hand:
        assert "limit must be at" in await hand.refusal("read_table", table_id=hand.table, limit=limit)
        assert hand.sent() == []


async def test_rows_are_found_by_words_of_any_case_and_by_what_their_columns_hold(sandbox: Sandbox) -> None:
    async with at_hand(sandbox) as hand:
        others = [
            {"Ödd line": "Straße", "Ödd select": "5", "Ödd number": 5, "Ödd usergroup": ["bob"]},
            {"Ödd line": "url", "Ödd multi": ["röt", "blau"], "Ödd check": False, "Ödd link": "https://example.com"},
        ]
        first, second = [(await hand.ask("insert_row", table_id=hand.table, data=data))["id"] for data in others]

        async def found(**arguments: Any) -> list[int]:
            return [item["id"] for item in (await hand.ask("find_rows", table_id=hand.table, **arguments))["items"]]

        assert await found(query="STRASSE") == [first]
        assert await found(query="ünï 🚀 röt") == [hand.row]
        assert await found(query="url") == [second]  # and not where a link merely has one
        assert await found(where={"Ödd select": "5"}) == [first]
        assert await found(where={"Ödd number": 5.0, "Ödd check": None}) == [first]
        assert await found(where={"Ödd multi": "blau"}) == [hand.row, second]
        assert await found(where={"Ödd usergroup": "bob"}) == [hand.row, first]
        assert await found(where={"Ödd link": "https://example.com"}) == [hand.row, second]
        assert await found(where={"Ödd link": None}) == [first]
        assert await found(query="bob", where={"Ödd check": True}) == [hand.row]
        assert await found(query="nowhere") == []
        assert "has no option" in await hand.refusal("find_rows", table_id=hand.table, where={"Ödd select": "grün"})


async def test_one_setting_of_a_column_keeps_its_defaults_limits_and_width(sandbox: Sandbox) -> None:
    async with at_hand(sandbox) as hand:
        at = f"{V1}/columns/{hand.ids['usergroup column']}"
        before = (await hand.raw("GET", at)).json()
        await hand.ask("update_column", column_id=before["id"], title="Who")
        after = (await hand.raw("GET", at)).json()
        assert {key for key in after if after[key] != before[key]} <= {"title", "lastEditAt"}
        assert (after["showUserStatus"], after["usergroupDefault"]) == (True, [{"id": "bob", "type": 0}])
        assert after["customSettings"] == {"width": 222}


async def test_options_that_stay_keep_their_cells_and_a_new_one_takes_no_old_ones(sandbox: Sandbox) -> None:
    async with at_hand(sandbox) as hand:
        column = hand.ids["select column"]
        shown = await hand.ask("update_column", column_id=column, options=["neu", "röt"])
        assert shown["options"] == ["neu", "röt"]
        assert "default" not in shown  # it was an option that is gone
        stored = (await hand.raw("GET", f"{V1}/columns/{column}")).json()["selectionOptions"]
        assert stored == [{"id": 10, "label": "neu"}, {"id": 3, "label": "röt", "hue": 7}]
        assert (await hand.values())["Ödd select"] == "röt"
        said = await hand.refusal("update_column", column_id=column, options=["a", "a"])
        assert "Options need different labels" in said


class Naming(Watched):
    """Tables since 2.2.1 (lib/Model/SelectionOption.php): each option has a UUID, and nobody else may give it one."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        if request.method == "PUT" and "uuid" in (json.loads(request.content).get("selectionOptions") or ""):
            return httpx2.Response(500, json={"message": "It is forbidden to set the Uuid from external"})
        answer = await super().handle_async_request(request)
        content = json.loads(await answer.aread())
        if "/columns/" in request.url.path:
            for option in content["selectionOptions"]:
                option["uuid"] = f"01a1e295-1ff5-7049-817d-{option['id']:012d}"
        return httpx2.Response(answer.status_code, json=content)


@pytest.mark.parametrize(
    ("change", "title", "labels", "default"),
    [
        ({"title": "Colour"}, "Colour", ["röt", "5", "blau"], "5"),
        ({"mandatory": True}, "Ödd select", ["röt", "5", "blau"], "5"),
        ({"default": "blau"}, "Ödd select", ["röt", "5", "blau"], "9"),
        ({"clear": ["default"]}, "Ödd select", ["röt", "5", "blau"], "null"),
        ({"options": ["5", "neu"]}, "Ödd select", ["5", "neu"], "5"),
    ],
    ids=str,
)
async def test_options_to_which_the_app_gave_uuids_are_changed_and_kept(
    sandbox: Sandbox, change: dict[str, Any], title: str, labels: list[str], default: str
) -> None:
    async with at_hand(sandbox) as hand, connected(Naming(httpx2.ASGITransport(sandbox.app))) as session:
        column = hand.ids["select column"]
        await session.ask("nc_tables_update_column", column_id=column, **change)
        after = (await hand.raw("GET", f"{V1}/columns/{column}")).json()
        assert (after["title"], after["selectionDefault"]) == (title, default)
        assert [one["label"] for one in after["selectionOptions"]] == labels


async def test_another_title_leaves_an_archived_table_archived_and_an_empty_description_clears_it(
    sandbox: Sandbox,
) -> None:
    async with at_hand(sandbox) as hand:
        table = await hand.ask("update_table", table_id=hand.table, title="Other", description="")
        assert (table["title"], table["archived"], "description" in table) == ("Other", True, False)
        said = await hand.refusal("update_table", table_id=hand.table, title="ü" * 101)
        assert said == "The title has 202 bytes; 200 are allowed. Shorten it."


async def test_a_column_title_that_is_taken_is_refused_and_not_numbered(sandbox: Sandbox) -> None:
    async with at_hand(sandbox) as hand:
        line, number = hand.ids["line column"], hand.ids["number column"]
        said = await hand.refusal("add_column", table_id=hand.table, title="Ödd line", type="number")
        assert f"has a column 'Ödd line' already: {line} (text-line). Nothing was changed." in said
        assert f"{line} (text-line)" in await hand.refusal("update_column", column_id=number, title="Ödd line")
        await hand.ask("update_column", column_id=line, title="Ödd line")  # its own title


async def test_deleting_a_column_names_the_views_that_show_more_from_then_on(sandbox: Sandbox) -> None:
    async with at_hand(sandbox) as hand:
        await hand.ask("insert_row", table_id=hand.table, data={"Ödd line": "ü", "Ödd number": 2})
        await hand.ask("insert_row", table_id=hand.table, data={"Ödd line": "no", "Ödd number": 2})
        rows = (await hand.ask("read_view", view_id=hand.ids["view"]))["items"]
        assert [row["values"] for row in rows] == [
            {"Ödd line": "Ünï 🚀", "Ödd number": 12.25},
            {"Ödd line": "ü", "Ödd number": 2},
        ]
        gone = await hand.ask("delete_column", column_id=hand.ids["line column"])
        assert (gone["gone"], gone["widened_views"]) == ("Ödd line", ["Ödd view"])
        again = await hand.ask("delete_column", column_id=hand.ids["line column"])
        assert (again["id"], again["already_gone"]) == (hand.ids["line column"], True)


async def test_a_row_is_already_gone_only_where_a_read_proves_it(sandbox: Sandbox) -> None:
    async with at_hand(sandbox) as hand, connected(serving(sandbox), user="bob") as bob:
        said = await bob.refusal("nc_tables_delete_row", row_id=hand.row)
        assert "already" not in said
        assert "already_gone" not in await hand.ask("delete_row", row_id=hand.row)
        assert (await hand.ask("delete_row", row_id=hand.row))["already_gone"]
        assert (await bob.ask("nc_tables_delete_row", row_id=hand.row))["already_gone"]


async def test_a_table_that_is_gone_cannot_be_told_from_one_of_others_and_the_error_says_so(sandbox: Sandbox) -> None:
    async with at_hand(sandbox) as hand:
        await hand.ask("delete_table", table_id=hand.table)
        said = await hand.refusal("delete_table", table_id=hand.table)
        assert said.startswith(f"There is no table {hand.table} to do that with. It is gone, or not shared")


async def test_someone_with_whom_a_table_is_shared_for_reading_is_told_that_it_is_not_theirs(sandbox: Sandbox) -> None:
    async with at_hand(sandbox) as hand, connected(serving(sandbox), user="bob") as bob:
        before = facts(sandbox)
        listed = (await bob.ask("nc_tables_list_tables"))["items"]
        shared = next(table for table in listed if table["id"] == hand.table)
        assert (shared["owner"], shared["may"]) == ("admin", ["read"])
        assert (await bob.ask("nc_tables_read_table", table_id=hand.table))["total"] == 1
        line = {"Ödd line": "x"}
        refusals = [
            await bob.refusal("nc_tables_insert_row", table_id=hand.table, data=line),
            await bob.refusal("nc_tables_update_row", row_id=hand.row, data=line),
            await bob.refusal("nc_tables_delete_row", row_id=hand.row),
            await bob.refusal("nc_tables_update_table", table_id=hand.table, title="x"),
            await bob.refusal("nc_tables_delete_table", table_id=hand.table),
            await bob.refusal("nc_tables_add_column", table_id=hand.table, title="x", type="number"),
            await bob.refusal("nc_tables_update_column", column_id=hand.ids["line column"], mandatory=False),
            await bob.refusal("nc_tables_delete_column", column_id=hand.ids["line column"]),
        ]
        assert [said for said in refusals if "shared with this user" not in said] == []
        assert not [said for said in refusals if "SELECT" in said or "OCA" in said]
        assert facts(sandbox) == before
