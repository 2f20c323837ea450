"""Tables when others write at the same time, when answers are lost or poor, and when the app is not there."""

from collections.abc import Callable

import httpx2
import pytest
from tests.nextcloud.sessions import Watched, connected
from tests.nextcloud.tables_at_hand import at_hand, send

from aboveboard.errors import DOUBT
from aboveboard.http import retry
from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio

V1 = "/index.php/apps/tables/api/1"


async def test_what_somebody_else_writes_meanwhile_into_other_cells_stays(sandbox: Sandbox) -> None:
    async with at_hand(sandbox) as hand:
        number = hand.ids["number column"]

        class Meanwhile(Watched):
            async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
                if request.method == "PUT":
                    await send(sandbox, "PUT", f"{V1}/rows/{hand.row}", json={"data": {str(number): 33}})
                return await super().handle_async_request(request)

        async with connected(Meanwhile(httpx2.ASGITransport(sandbox.app))) as session:
            await session.ask("nc_tables_update_row", row_id=hand.row, data={"Ödd line": "mine"})
        values = await hand.values()
        assert (values["Ödd line"], values["Ödd number"]) == ("mine", 33)


async def test_a_column_is_written_from_what_it_is_at_the_last_moment(sandbox: Sandbox) -> None:
    async with at_hand(sandbox) as hand:
        line = hand.ids["line column"]
        at = f"{V1}/columns/{line}"

        class Meanwhile(Watched):
            async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
                answer = await super().handle_async_request(request)
                if request.url.path.endswith("/columns"):  # between the look at the titles and the last read
                    await send(
                        sandbox, "PUT", at, json={"description": "theirs", "mandatory": True, "textMaxLength": 9}
                    )
                return answer

        async with connected(Meanwhile(httpx2.ASGITransport(sandbox.app))) as session:
            await session.ask("nc_tables_update_column", column_id=line, title="mine")
        after = (await hand.raw("GET", at)).json()
        assert (after["title"], after["description"], after["textMaxLength"]) == ("mine", "theirs", 9)


async def test_what_nextcloud_did_not_keep_although_it_said_so_is_a_warning(sandbox: Sandbox) -> None:
    async with at_hand(sandbox) as hand:
        cells = [{"columnId": hand.ids["date column"], "value": None}]
        forgotten = {"id": hand.row, "tableId": hand.table, "data": cells}

        class Forgetful(Watched):
            async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
                if request.method == "PUT":
                    return httpx2.Response(200, json=forgotten)
                return await super().handle_async_request(request)

        async with connected(Forgetful(httpx2.ASGITransport(sandbox.app))) as session:
            data = {"Ödd date": "2026-12-24"}
            written = await session.ask("nc_tables_update_row", row_id=hand.row, data=data)
        assert written["warning"] == "Nextcloud kept nothing for 'Ödd date': read the row."


async def test_an_app_that_is_not_there_is_not_taken_for_a_table_that_is_not_there() -> None:
    def bare(request: httpx2.Request) -> httpx2.Response:
        if request.url.path.startswith("/ocs/"):
            meta = {"status": "failure", "statuscode": 998, "message": "Invalid query, please check the syntax."}
            return httpx2.Response(404, json={"ocs": {"meta": meta, "data": []}})
        return httpx2.Response(404, headers={"content-type": "text/html"})

    async with connected(bare) as session:
        for tool, arguments in (
            ("list_tables", {}),
            ("read_table", {"table_id": 1}),
            ("read_view", {"view_id": 1}),
            ("delete_row", {"row_id": 1}),
            ("delete_column", {"column_id": 1}),
            ("delete_table", {"table_id": 1}),
        ):
            said = await session.refusal(f"nc_tables_{tool}", **arguments)
            assert said.startswith("The app 'tables' is not installed on this Nextcloud"), tool


Spoil = Callable[[httpx2.Request], bool]


class Breaking(Watched):
    """Breaks the connection after the app has done what a request asks for."""

    def __init__(self, sandbox: Sandbox, spoilt: Spoil) -> None:
        super().__init__(httpx2.ASGITransport(sandbox.app))
        self._spoilt = spoilt

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        answer = await super().handle_async_request(request)
        if self._spoilt(request):
            raise httpx2.ReadError("lost")
        return answer


async def test_a_lost_answer_to_a_new_column_makes_no_second_one(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retry, "pause", lambda *_: 0.0)  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
    async with at_hand(sandbox) as hand:
        async with connected(Breaking(sandbox, lambda request: request.method == "POST")) as session:
            said = await session.refusal("nc_tables_add_column", table_id=hand.table, title="Once", type="number")
        assert DOUBT in said
        columns = (await hand.ask("get_schema", table_id=hand.table))["columns"]
        assert [column["title"] for column in columns if column["title"].startswith("Once")] == ["Once"]
