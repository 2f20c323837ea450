"""How tools take ids: snake_case names, UUIDs in any case, and slugs that may stand in several projects."""

import re
from typing import Any, cast

import pytest
from tests.lightdash import places
from tests.lightdash.sessions import TOOLS, connected, raw_path, serving

from aboveboard.lightdash.sandbox import Sandbox

pytestmark = pytest.mark.anyio

SAVED = [
    ("get_chart", "chart", places.CHART_SLUG, places.MAIN_CHART, places.PREVIEW_CHART),
    ("get_dashboard", "dashboard", places.DASHBOARD_SLUG, places.MAIN_DASHBOARD, places.PREVIEW_DASHBOARD),
]


def test_every_name_in_a_definition_is_snake_case() -> None:
    for tool, about in TOOLS.items():
        names = [
            tool,
            *(name for schema in (about.input_schema, about.output_schema) for name in property_names(schema)),
        ]
        assert [name for name in names if not re.fullmatch(r"[a-z]+(_[a-z]+)*|[xywh]", name)] == [], tool
        assert len(names) > 1


@pytest.mark.parametrize(("tool", "parameter", "slug", "main", "preview"), SAVED)
async def test_a_chart_or_dashboard_is_found_by_uuid_and_by_slug_with_and_without_its_project(
    sandbox: Sandbox, tool: str, parameter: str, slug: str, main: str, preview: str
) -> None:
    async with connected(serving(sandbox)) as session:
        for project, uuid in ((places.MAIN, main), (places.PREVIEW, preview)):
            by_uuid = await session.ask(tool, **{parameter: uuid})
            assert (by_uuid["uuid"], by_uuid["slug"], by_uuid["project_uuid"]) == (uuid, slug, project)
            assert await session.ask(tool, **{parameter: uuid}, project_uuid=project) == by_uuid
            assert await session.ask(tool, **{parameter: slug}, project_uuid=project) == by_uuid
        # Lightdash itself takes the one that was changed last, the preview's: here the only real project is meant.
        assert (await session.ask(tool, **{parameter: slug}))["uuid"] == main


@pytest.mark.parametrize(("tool", "parameter", "slug", "main", "preview"), SAVED)
async def test_a_uuid_of_another_project_is_not_found_in_this_one(
    sandbox: Sandbox, tool: str, parameter: str, slug: str, main: str, preview: str
) -> None:
    async with connected(serving(sandbox)) as session:
        for project, uuid in ((places.MAIN, preview), (places.PREVIEW, main)):
            assert "Lightdash answered 404" in await session.refusal(tool, **{parameter: uuid}, project_uuid=project)


@pytest.mark.surprise(46)
async def test_a_slug_with_a_slash_travels_as_one_part_of_the_path(sandbox: Sandbox) -> None:
    service = serving(sandbox)
    async with connected(service) as session:
        for project in ({}, {"project_uuid": places.MAIN}):
            found = await session.ask("get_chart", chart="cafe/regulars", **project)
            assert found["name"] == "Café regulars ☕"
    saved = [raw_path(request) for request in service.arrived if "/saved/" in raw_path(request)]
    assert [path.rpartition("/")[2] for path in saved] == ["cafe%2Fregulars"] * 2


async def test_a_search_may_hold_any_text_and_arrives_as_it_was_given(sandbox: Sandbox) -> None:
    service = serving(sandbox)
    texts = ["常連さん", "&projectUuids=x", "a=b&page=7", "100 % ?#+", "\N{PILE OF POO}"]
    async with connected(service) as session:
        found = [await session.ask("list_charts", project_uuid=places.MAIN, search=text) for text in texts]
    assert [chart["slug"] for chart in found[0]["items"]] == ["cafe/regulars"]
    asked = [request.url.params for request in service.arrived if raw_path(request) == "/api/v2/content"]
    assert [params.get_list("search") for params in asked] == [[text] for text in texts]
    assert {params["page"] for params in asked} == {"1"}


def property_names(schema: Any) -> list[str]:
    if isinstance(schema, list):
        return [name for part in cast("list[Any]", schema) for name in property_names(part)]
    if not isinstance(schema, dict):
        return []
    parts = cast("dict[str, Any]", schema)
    return [*parts.get("properties", {}), *(name for part in parts.values() for name in property_names(part))]
