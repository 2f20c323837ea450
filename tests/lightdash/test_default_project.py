"""The default project: what is meant where none is named."""

from collections.abc import Mapping
from typing import Any, Final

import pytest
from tests.lightdash import places
from tests.lightdash.analyst import analyst
from tests.lightdash.scripted import BY_STATUS
from tests.lightdash.sessions import TOOLS, connected, raw_path, serving

from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.sandbox import Sandbox
from aboveboard.lightdash.server import connect

pytestmark = pytest.mark.anyio


ASKED: Final[Mapping[str, Mapping[str, Any]]] = {
    "list_explores": {},
    "get_explore": {"explore": "orders"},
    "list_dimensions": {"explore": "orders"},
    "list_metrics": {},
    "search_fields": {"pattern": "status"},
    "search_field_values": {"explore": "orders", "field": "orders_status"},
    "get_field_lineage": {"explore": "orders", "field": "orders_status"},
    "get_table_analytics": {"table": "orders"},
    "run_metric_query": BY_STATUS,
    "compile_query": BY_STATUS,
    "run_sql": {"sql": "select 1"},
    "list_sql_tables": {},
    "list_sql_fields": {"table": "orders", "schema_name": "shop"},
    "list_charts": {},
    "list_dashboards": {},
    "list_spaces": {},
}


@pytest.mark.parametrize("tool", ASKED)
async def test_a_default_project_is_meant_wherever_none_is_named(sandbox: Sandbox, tool: str) -> None:
    service = serving(sandbox)
    async with analyst(service) as session:
        answer = await session.ask(tool, **ASKED[tool])
        assert answer.keys() == (await session.ask(tool, **ASKED[tool], project_uuid=places.MAIN)).keys()
    assert any(places.MAIN in str(request.url) for request in service.arrived)


@pytest.mark.parametrize("tool", ASKED)
async def test_without_a_default_project_one_must_be_named_and_the_error_says_how(sandbox: Sandbox, tool: str) -> None:
    service = serving(sandbox)
    async with connected(service) as session:
        text = await session.refusal(tool, **ASKED[tool])
    assert text == "Give a project_uuid: list_projects shows them. (LIGHTDASH_PROJECT_UUID sets a default.)"
    assert all(raw_path(request) == "/api/v1/health" for request in service.arrived)


def test_no_tool_requires_the_project_that_a_default_can_stand_for() -> None:
    requiring = {name for name, tool in TOOLS.items() if "project_uuid" in tool.input_schema.get("required", [])}
    assert requiring <= {"get_project"}


async def test_the_default_project_comes_from_the_environment() -> None:
    environment = {
        "LIGHTDASH_URL": "https://lightdash.example",
        "LIGHTDASH_API_KEY": "ldpat_x",
        "LIGHTDASH_PROJECT_UUID": places.MAIN.upper(),
    }
    client: LightdashClient = connect(environment)
    assert client.project(None) == places.MAIN
    assert client.project(places.PREVIEW) == places.PREVIEW
    await client.aclose()
