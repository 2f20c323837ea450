"""A query's rows as a file."""

import base64
import csv
import io
import zipfile

import httpx2
import mcp_types as mcp
import pytest
from mcp.shared.exceptions import MCPError
from tests.lightdash import places
from tests.lightdash.analyst import analyst
from tests.lightdash.scripted import (
    BY_STATUS,
    QUERY,
)
from tests.lightdash.sessions import (
    ERAS,
    Era,
    Session,
    ok,
    serving,
)

from aboveboard.lightdash.sandbox import Sandbox

pytestmark = pytest.mark.anyio


@pytest.mark.surprise(70)
@pytest.mark.parametrize("era", ERAS)
async def test_an_export_can_be_read_as_a_resource(sandbox: Sandbox, era: Era) -> None:
    async with analyst(sandbox, era=era) as session:
        query = (await session.ask("run_metric_query", **BY_STATUS, sort=["-orders_order_count"]))["query_uuid"]
        sheet = await session.ask("export_query", query_uuid=query)
        again = await session.ask("export_query", query_uuid=query)
        book = await session.ask("export_query", query_uuid=query, file_format="xlsx")
        page = (await session.client.read_resource(sheet["resource"])).contents[0]
        assert isinstance(page, mcp.TextResourceContents)
        text = page.text
        workbook = await blob(session, book["resource"])
    assert (sheet["format"], book["format"], sheet["truncated"]) == ("csv", "xlsx", False)
    assert sheet["file_url"].endswith("/" + sheet["resource"].removeprefix("lightdash://exports/"))
    assert sheet["resource"] != again["resource"]
    assert next(csv.reader(io.StringIO(text))) == ["Status", "Order count"]
    assert list(csv.reader(io.StringIO(text)))[1] == ["completed", "331"]
    with zipfile.ZipFile(io.BytesIO(workbook)) as archive:
        assert archive.testzip() is None


@pytest.mark.surprise(4, 69)
async def test_an_export_that_fails_says_why_and_a_file_that_is_not_there_is_not_found(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        text = await session.refusal("export_query", query_uuid=QUERY)
        odd = await session.refusal("export_query", query_uuid="not-a-uuid")
        with pytest.raises(MCPError, match="Lightdash answered 404") as missing:
            await session.client.read_resource("lightdash://exports/nothing-here")
    assert text.startswith(f"The job failed: Query {QUERY} not found for project {places.MAIN}. Before that")
    # Lightdash itself would answer with SQL of its own database.
    assert odd.startswith("The query 'not-a-uuid' is not a UUID.")
    assert missing.value.error.code == mcp.INVALID_PARAMS


async def test_an_export_that_gets_lost_is_an_error() -> None:
    def exporting(request: httpx2.Request) -> httpx2.Response:
        if request.method == "POST":
            return ok({"jobId": "7"})
        return ok({"status": "completed", "details": {}})

    async with analyst(exporting) as session:
        text = await session.refusal("export_query", query_uuid=QUERY)
    assert text.startswith("Lightdash exported the query and does not say where. Before that, this was done: POST")


@pytest.mark.surprise(70)
async def test_only_who_exported_a_file_can_read_it(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        query = (await session.ask("run_metric_query", **BY_STATUS))["query_uuid"]
        resource = (await session.ask("export_query", query_uuid=query))["resource"]
    async with analyst(sandbox, person="editor") as session:
        with pytest.raises(MCPError, match="Lightdash answered 404"):
            await session.client.read_resource(resource)


async def test_where_only_some_projects_may_be_touched_only_what_was_exported_here_is_read(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        query = (await session.ask("run_metric_query", **BY_STATUS))["query_uuid"]
        elsewhere = (await session.ask("export_query", query_uuid=query))["resource"]
    service = serving(sandbox)
    async with analyst(service, project=places.PREVIEW, allowed=[places.PREVIEW]) as session:
        with pytest.raises(MCPError, match=r"not exported here.*export_query writes it anew"):
            await session.client.read_resource(elsewhere)
        assert service.lines == []
        query = (await session.ask("run_metric_query", **BY_STATUS))["query_uuid"]
        here = (await session.ask("export_query", query_uuid=query))["resource"]
        assert (await session.client.read_resource(here)).contents


async def blob(session: Session, uri: str) -> bytes:
    (content,) = (await session.client.read_resource(uri)).contents
    assert isinstance(content, mcp.BlobResourceContents)
    assert content.mime_type == "application/octet-stream"
    return base64.b64decode(content.blob)
