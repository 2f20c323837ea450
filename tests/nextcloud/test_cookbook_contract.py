"""What we send to the Cookbook, held to its OpenAPI document.

Two things of it are recorded otherwise, and the recording is right: a recipe needs no more than a name (cookbook:
recipes/create-minimal), and what is not known of one is null as often as it is missing.
"""

import json
from functools import cached_property
from typing import Any, Final, cast

import httpx2
import pytest
import yaml
from tests.contract import Contract, Schema
from tests.nextcloud.calls import VALUES
from tests.nextcloud.sandbox.recordings import load
from tests.nextcloud.sessions import connected, serving
from tests.plans import arrange, plain_cases
from tests.shared import SHARED, absence

from aboveboard.nextcloud.sandbox import Sandbox

OPENAPI: Final = SHARED / "data" / "nextcloud-cookbook-openapi.yaml"
OBJECTS: Final = SHARED / "data" / "nextcloud-cookbook-objects.yaml"
pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(not OPENAPI.is_file(), reason=absence(OPENAPI)),
]
METHODS: Final = ("get", "post", "put", "delete")
API: Final = "/index.php/apps/cookbook/api/v1"


class _InTwoFiles(Contract):
    """A document whose objects stand in a file of their own."""

    @cached_property
    def document(self) -> Schema:
        named = yaml.safe_load(OBJECTS.read_text().replace('"#/', '"#/components/schemas/'))
        paths: Schema = yaml.safe_load(OPENAPI.read_text())["paths"]
        return {
            "components": {"schemas": _as_recorded(named)},
            "paths": {
                f"/index.php{path}": {method: _told(every[method]) for method in METHODS if method in every}
                for path, every in paths.items()
            },
        }


def _told(operation: Schema) -> Schema:
    answers = {str(status): answer for status, answer in operation["responses"].items()}
    return {**operation, "responses": answers}


def _as_recorded(schema: Any) -> Any:
    """Nothing is required, and null is nothing."""
    if isinstance(schema, list):
        return [_as_recorded(one) for one in cast("list[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    parts = {name: _as_recorded(part) for name, part in cast("Schema", schema).items() if name != "required"}
    if isinstance(parts.get("properties"), dict):
        parts["properties"] = {name: {**one, "nullable": True} for name, one in parts["properties"].items()}
    return parts


CONTRACT: Final = _InTwoFiles("Cookbook", OPENAPI)


def _wrong(method: str, target: str, content: bytes) -> list[str]:
    if CONTRACT.route_of(method, target.partition("?")[0]) is None:
        return [f"{method} {target} is not in the document"]
    return list(CONTRACT.wrong_request(method, target, content))


async def test_every_request_of_every_case_is_one_of_the_document(sandbox: Sandbox) -> None:
    service, wrong, bodies = serving(sandbox), list[str](), 0
    async with connected(service) as session:
        for case in (case for case in plain_cases("nextcloud") if case.tool.startswith("nc_cookbook_")):
            arguments = await arrange(session, case, VALUES)
            service.arrived.clear()
            await session.ask(case.tool, **arguments)
            for request in (
                one for one in service.arrived if one.method != "PROPFIND"
            ):  # of the bin, which is no recipe
                wrong += _wrong(request.method, request.url.raw_path.decode(), request.content)
                bodies += bool(request.content)
            sandbox.reset()
    assert wrong == []
    assert bodies >= 8


def test_what_the_real_app_took_and_answered_keeps_the_contract() -> None:
    # An id is taken as a number too, and a form for JSON; instructions are taken in all forms of schema.org.
    taken = {"recipes/15-create-form", "full-recipe/01-create", "full-recipe/09-put-partial"}
    # What an import answers has a list for no nutrition.
    unlike = {"search-and-config/31-import"}
    judged = 0
    for step in load():
        if "cookbook" not in step.area or step.status >= 300 or not CONTRACT.route_of(step.method, step.path):
            continue
        judged += 1
        target = f"{step.path}?{step.query}" if step.query else step.path
        body = step.body.encode() if isinstance(step.body, str) else step.body
        name = f"{step.scenario}/{step.name}"
        asked = ["a form"] if body and b"{" not in body else _wrong(step.method, target, body)
        assert bool(asked) is (name in taken), (name, asked)
        recorded: Any = step.answer
        answer = recorded["json"] if "json" in (recorded or ()) else None
        said = list(CONTRACT.wrong_answer(step.method, target, json.dumps(answer).encode()))
        assert bool(said) is (name in unlike), (name, said)
    assert judged > 60


@pytest.mark.parametrize(
    ("method", "path", "body", "wrong"),
    [
        ("POST", "recipes", {"name": "x", "recipeYield": "many"}, ".recipeYield"),
        ("POST", "recipes", {"name": "x", "recipeIngredient": "water"}, ".recipeIngredient"),
        ("PUT", "recipes/7", {"id": 7, "name": "x"}, ".id"),
        ("POST", "config", {"update_interval": "often"}, ".update_interval"),
        ("PATCH", "recipes/7", {}, "not in the document"),
        ("GET", "recipes?limit=1", None, "the query has limit"),
    ],
)
def test_what_the_document_does_not_know_is_found(method: str, path: str, body: object, wrong: str) -> None:
    request = httpx2.Request(method, f"http://x{API}/{path}", json=body)
    assert wrong in " ".join(_wrong(method, f"{API}/{path}", request.content))
