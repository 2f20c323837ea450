"""What the sandbox takes of a body, and what it finds wrong with it, in the words of the real server's validator."""

from typing import Any

import pytest
from tests.lightdash.sandbox.choices import CUSTOMERS, MAIN, PROJECT, person

from aboveboard.lightdash.sandbox import Sandbox
from aboveboard.lightdash.sandbox.contracts import (
    FLAG,
    NUMBER,
    TEXT,
    Kind,
    List,
    Maybe,
    Nullable,
    Object,
    Optional,
    Union,
    read,
)
from aboveboard.lightdash.sandbox.wire import ServiceError

pytestmark = pytest.mark.anyio

QUERY: dict[str, object] = {
    "exploreName": "orders",
    "dimensions": [],
    "metrics": [],
    "sorts": [],
    "tableCalculations": [],
    "limit": 1,
}
NO_TEXT: dict[str, Any] = {"metrics": [1]}
NO_GROUP: dict[str, Any] = {"filters": {"dimensions": {}}}
NO_VERSION: dict[str, Any] = {"config": {"type": "line", "metadata": {}}}
CHART: dict[str, object] = {
    "spaceUuid": CUSTOMERS,
    "limit": 1,
    "sql": "select 1 as a",
    "description": None,
    "name": "N",
}


@pytest.mark.parametrize(
    ("kind", "value", "taken"),
    [
        (NUMBER, "5", 5),
        (NUMBER, 2.0, 2),
        (FLAG, "false", False),
        (List(TEXT), "one", ["one"]),
        (Union(NUMBER, TEXT), "x", "x"),
    ],
)
def test_values_are_taken_as_the_server_takes_them(kind: Kind, value: object, taken: object) -> None:
    found = read({"a": value, "more": 1}, Object(a=kind))
    assert (found, type(found["a"])) == ({"a": taken, "more": 1}, type(taken))


@pytest.mark.parametrize(
    ("kind", "body", "problems"),
    [
        (TEXT, {}, {"body.a": "'a' is required"}),
        (Maybe(TEXT), {"a": None}, {}),
        (Optional(TEXT), {}, {}),
        (Optional(TEXT), {"a": None}, {"body.a": "invalid string value"}),
        (Nullable(TEXT), {"a": None}, {}),
        (Nullable(TEXT), {}, {"body.a": "'a' is required"}),
        (NUMBER, {"a": True}, {"body.a": "invalid float number"}),
        (List(TEXT), {"a": ["x", 1]}, {"a.$1": "invalid string value"}),
    ],
)
def test_null_is_not_absent_and_an_item_is_named_by_its_place(
    kind: Kind, body: dict[str, object], problems: dict[str, str]
) -> None:
    found: dict[str, Any] = {}
    try:
        read(body, Object(a=kind))
    except ServiceError as error:
        found = dict(error.data)
    assert {place: problem["message"] for place, problem in found.items()} == problems


@pytest.mark.parametrize(
    ("path", "body", "words"),
    [
        (
            f"/api/v2/projects/{MAIN}/query/metric-query",
            {"query": QUERY | NO_TEXT},
            "metrics.$0",
        ),
        (f"{PROJECT}/explores/orders/compileQuery", QUERY | NO_GROUP, "'or' is required"),
        (f"{PROJECT}/sqlRunner/saved", CHART | {"config": {"type": "line"}}, "'metadata' is required"),
        (f"{PROJECT}/sqlRunner/saved", CHART | NO_VERSION, "'version' is required"),
    ],
)
async def test_what_the_api_document_wants_is_wanted(path: str, body: dict[str, object], words: str) -> None:
    sandbox = Sandbox()
    async with person(sandbox) as admin:
        status, message = await admin.refused("POST", path, body)
    sandbox.close()
    assert status == 422
    assert words in message
