"""What we send to the Cookbook, held to its OpenAPI document.

Two things of it are recorded otherwise, and the recording is right: a recipe needs no more than a name (cookbook:
recipes/create-minimal), and what is not known of a recipe is null as often as it is missing.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final, cast
from urllib.parse import unquote

import httpx2
import pytest
import yaml
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012
from tests.lightdash.contract import REQUEST, translated
from tests.nextcloud.calls import VALUES
from tests.nextcloud.sandbox.recordings import SHARED
from tests.nextcloud.sessions import connected, serving
from tests.plans import arrange, good_cases
from tests.sessions import raw_path

from aboveboard.nextcloud.sandbox import Sandbox

OPENAPI: Final = SHARED / "data" / "nextcloud-cookbook-openapi.yaml"
pytestmark = [pytest.mark.anyio, pytest.mark.skipif(not OPENAPI.is_file(), reason=f"no document at {OPENAPI}")]


@cache
def _document(name: str) -> dict[str, Any]:
    return yaml.safe_load((OPENAPI.parent / f"nextcloud-cookbook-{name}.yaml").read_text())


@cache
def _registry() -> Registry[Any]:
    objects = {name: _as_recorded(translated(schema, REQUEST)) for name, schema in _document("objects").items()}
    whole = Resource.from_contents(objects, default_specification=DRAFT202012)
    named = [(f"{REQUEST}:{name}", f"objects.yaml#/{name}") for name in objects]
    resources = [(uri, Resource.from_contents({"$ref": to}, default_specification=DRAFT202012)) for uri, to in named]
    return Registry().with_resources([("objects.yaml", whole), *resources])  # pyright: ignore


def _as_recorded(schema: Any) -> Any:
    """Nothing is required, and null is nothing."""
    if isinstance(schema, list):
        return [_as_recorded(one) for one in cast("list[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    known = cast("dict[str, Any]", schema)
    parts = {name: _as_recorded(part) for name, part in known.items() if name != "required"}
    if isinstance(parts.get("properties"), dict):
        properties = cast("dict[str, Any]", parts["properties"])
        parts["properties"] = {name: {"anyOf": [one, {"type": "null"}]} for name, one in properties.items()}
    return parts


def _operation(request: httpx2.Request) -> Mapping[str, Any] | None:
    path = unquote(raw_path(request)).removeprefix("/index.php")
    for template, operations in _document("openapi")["paths"].items():
        if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", template), path):
            return operations.get(request.method.lower())
    return None


def _wrong(request: httpx2.Request) -> Iterator[str]:
    operation = _operation(request)
    if operation is None:
        yield f"{request.method} {raw_path(request)} is not in the document"
        return
    known = {one["name"] for one in operation.get("parameters", ()) if one["in"] == "query"}
    yield from (f"{request.url}: {name} is no parameter" for name in request.url.params if name not in known)
    if "requestBody" not in operation:
        yield from [f"{request.url} takes no body"] if request.content else []
        return
    schema = translated(operation["requestBody"]["content"]["application/json"]["schema"], REQUEST)
    validator = Draft202012Validator(schema, registry=_registry())
    for error in validator.iter_errors(json.loads(request.content)):  # pyright: ignore
        yield f"{request.method} {request.url.path}: {error.json_path} {error.message}"


async def test_every_request_of_every_case_is_one_of_the_document(sandbox: Sandbox) -> None:
    service, wrong, bodies = serving(sandbox), list[str](), 0
    async with connected(service) as session:
        for case in (case for case in good_cases("nextcloud") if case.tool.startswith("nc_cookbook_")):
            arguments = await arrange(session, case, VALUES)
            service.arrived.clear()
            await session.ask(case.tool, **arguments)
            for request in service.arrived:
                wrong += _wrong(request)
                bodies += bool(request.content)
            sandbox.reset()
    assert wrong == []
    assert bodies >= 8


@pytest.mark.parametrize(
    ("method", "path", "body", "wrong"),
    [
        ("POST", "recipes", {"name": "x", "recipeYield": "many"}, "$.recipeYield"),
        ("POST", "recipes", {"name": "x", "recipeIngredient": "water"}, "$.recipeIngredient"),
        ("PUT", "recipes/7", {"id": 7, "name": "x"}, "$.id"),
        ("POST", "config", {"update_interval": "often"}, "$.update_interval"),
        ("PATCH", "recipes/7", {}, "not in the document"),
        ("GET", "recipes?limit=1", None, "limit is no parameter"),
    ],
)
def test_what_the_document_does_not_know_is_found(method: str, path: str, body: object, wrong: str) -> None:
    request = httpx2.Request(method, f"http://x/index.php/apps/cookbook/api/v1/{path}", json=body)
    assert wrong in " ".join(_wrong(request))
