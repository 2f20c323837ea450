"""Arguments: what is wrong is said by name and in our words, and nothing is sent."""

import json
from datetime import date, datetime
from typing import Annotated, Any, Literal

import pytest
from mcp.server.lowlevel import Server
from pydantic import BaseModel, ConfigDict, Field
from tests.kit.shop import Shop, ShopClient, Thing, both_eras, call, said, serving, toolset

from aboveboard.effects import ADD

pytestmark = pytest.mark.anyio


class Address(BaseModel):
    model_config = ConfigDict(extra="forbid")
    street: str
    number: int = 1


def ordering(shop: Shop) -> Server[None]:
    """Serve a tool with a parameter of every kind, which answers what it was given."""
    tools = toolset()

    @tools.tool("Order Things", ADD, example=Thing(name="Teapot"))
    async def order_things(
        shop: ShopClient,
        name: Annotated[str, Field(description="It.", min_length=2, max_length=20)] = "Teapot",
        count: Annotated[int, Field(description="It.", ge=1, le=99)] = 1,
        price: Annotated[float | None, Field(description="It.", gt=0, lt=1000)] = None,
        urgent: Annotated[bool, Field(description="It.")] = False,  # noqa: FBT002 (a tool's parameters are passed by name)
        colour: Annotated[Literal["red", "green"] | None, Field(description="It.")] = None,
        labels: Annotated[list[str] | None, Field(description="It.", max_length=2, min_length=1)] = None,
        extras: Annotated[dict[str, int] | None, Field(description="It.")] = None,
        address: Annotated[Address | None, Field(description="It.")] = None,
        day: Annotated[date | None, Field(description="It.")] = None,
        moment: Annotated[datetime | None, Field(description="It.")] = None,
        code: Annotated[str | None, Field(description="It.", pattern="^[A-Z]+$")] = None,
        dozen: Annotated[int | None, Field(description="It.", multiple_of=12)] = None,
        size: Annotated[Literal["S", "L"] | int | None, Field(description="It.")] = None,
        either: Annotated[str | int | None, Field(description="It.")] = None,
    ) -> Thing:
        """Order things."""
        given = {key: value for key, value in locals().items() if key not in ("shop", "tools") and value is not None}
        await shop.send("POST", body={"name": name})
        return Thing(name=json.dumps(given, default=str))

    @tools.tool("Get Thing", ADD, example=Thing(name="Teapot"))
    async def get_thing(
        shop: ShopClient,
        thing_id: Annotated[str, Field(description="It.")],
        note: Annotated[str | None, Field(description="It.")] = None,
    ) -> Thing:
        """Get a thing."""
        return await shop.send("GET", thing_id)

    return serving(tools, shop=shop)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"name": 5}, "name must be text."),
        ({"name": None}, "name must be text."),
        ({"name": "a"}, "name must have at least 2 characters."),
        ({"name": "a" * 21}, "name must have at most 20 characters."),
        ({"count": "many"}, "count must be a whole number."),
        ({"count": 1.5}, "count must be a whole number."),
        ({"count": []}, "count must be a whole number."),
        ({"count": 0}, "count must be at least 1."),
        ({"count": "100"}, "count must be at most 99."),
        ({"price": "cheap"}, "price must be a number."),
        ({"price": 0}, "price must be more than 0.0."),
        ({"price": 1000}, "price must be less than 1000.0."),
        ({"price": "nan"}, "price must be a finite number."),
        ({"price": "inf"}, "price must be a finite number."),
        ({"urgent": "perhaps"}, "urgent must be true or false."),
        ({"colour": "blue"}, "colour must be one of 'red' or 'green'."),
        ({"labels": "new"}, "labels must be a list."),
        ({"labels": []}, "labels must have at least 1 item."),
        ({"labels": ["a", "b", "c"]}, "labels must have at most 2 items."),
        ({"labels": ["a", 5]}, "labels.1 must be text."),
        ({"extras": []}, "extras must be an object."),
        ({"extras": {"milk": "some"}}, "extras.milk must be a whole number."),
        ({"address": "here"}, "address must be an object."),
        ({"address": {}}, "address.street is required."),
        ({"address": {"street": "A", "number": "x"}}, "address.number must be a whole number."),
        ({"day": "tomorrow"}, "day must be a date such as 2026-01-31."),
        ({"day": "2026-02-30"}, "day must be a date such as 2026-01-31."),
        ({"moment": "noon"}, "moment must be a date and time such as 2026-01-31T09:00:00Z."),
        ({"code": "abc"}, "code must match ^[A-Z]+$."),
        ({"dozen": 13}, "dozen must be a multiple of 12."),
        ({"either": []}, "either must be text or a whole number."),
        ({"size": "huge"}, "size must be one of the values it names or a whole number."),
        ({"count": 0, "name": 5}, "name must be text. count must be at least 1."),
    ],
    ids=str,
)
async def test_a_wrong_argument_is_told_by_name_and_nothing_is_sent(arguments: dict[str, Any], sentence: str) -> None:
    shop = Shop()
    result = await call(ordering(shop), "shop_order_things", arguments)
    assert result.is_error
    assert said(result) == sentence
    assert shop.arrived == []


@both_eras
async def test_no_word_of_the_validator_reaches_the_model(mode: str) -> None:
    arguments: dict[str, Any] = {
        "name": 5,
        "count": {},
        "address": {"street": None, "x": 1},
        "day": [],
        "secret": "hunter2",
    }
    result = await call(ordering(Shop()), "shop_order_things", arguments, mode=mode)
    text = said(result)
    for foreign in ("pydantic", "Input should", "http", "validation", "input_value", "type=", "hunter2"):
        assert foreign not in text
    for name in ("name", "count", "address.street", "day", "secret"):
        assert name in text


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"thing": "7"}, "get_thing has no parameter 'thing': did you mean 'thing_id'?"),
        ({"thing_id": "7", "zzz": 1}, "get_thing has no parameter 'zzz'; it has thing_id, note."),
        ({"thing_id": "7", "": 1}, "get_thing has no parameter ''; it has thing_id, note."),
        ({"thing_id": "7", "shop": 1}, "get_thing has no parameter 'shop'; it has thing_id, note."),
    ],
)
async def test_an_unknown_argument_is_refused_with_the_nearest_name(arguments: dict[str, Any], sentence: str) -> None:
    shop = Shop()
    result = await call(ordering(shop), "shop_get_thing", arguments)
    assert result.is_error
    assert sentence in said(result)
    assert shop.arrived == []


@pytest.mark.parametrize("arguments", [None, {}])
async def test_a_missing_argument_is_told_by_name(arguments: dict[str, Any] | None) -> None:
    assert said(await call(ordering(Shop()), "shop_get_thing", arguments)) == "thing_id is required."


@both_eras
async def test_null_for_an_optional_parameter_is_the_same_as_leaving_it_out(mode: str) -> None:
    shop = Shop()
    nulls = dict.fromkeys(["price", "colour", "labels", "extras", "address", "day", "moment", "code", "either"])
    result = await call(ordering(shop), "shop_order_things", nulls, mode=mode)
    assert not result.is_error
    assert result.structured_content is not None
    assert json.loads(result.structured_content["name"]) == {"name": "Teapot", "count": 1, "urgent": False}
    assert shop.lines == ["POST /things/1"]


@pytest.mark.parametrize(
    ("arguments", "taken"),
    [
        ({"count": "5"}, {"count": 5}),
        ({"count": 5.0}, {"count": 5}),
        ({"price": "2.5"}, {"price": 2.5}),
        ({"urgent": "true"}, {"urgent": True}),
        ({"day": "2026-01-31"}, {"day": "2026-01-31"}),
        ({"either": "5"}, {"either": "5"}),
        ({"either": 5}, {"either": 5}),
        ({"extras": {"milk": "2"}}, {"extras": {"milk": 2}}),
    ],
    ids=str,
)
async def test_a_number_may_come_as_text(arguments: dict[str, Any], taken: dict[str, Any]) -> None:
    result = await call(ordering(Shop()), "shop_order_things", arguments)
    assert result.structured_content is not None
    assert json.loads(result.structured_content["name"]).items() >= taken.items()


async def test_an_argument_reaches_the_service_as_one_segment_whatever_it_holds() -> None:
    shop = Shop()
    await call(ordering(shop), "shop_get_thing", {"thing_id": "../admin?x#y"})
    assert [request.url.raw_path for request in shop.arrived] == [b"/things/..%2Fadmin%3Fx%23y"]
    result = await call(ordering(shop), "shop_get_thing", {"thing_id": ".."})
    assert said(result) == "'..' cannot be the id of a thing. Use the id that a list tool shows."
    assert len(shop.arrived) == 1
