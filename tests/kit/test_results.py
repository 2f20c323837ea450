"""What a client is shown of a result: its JSON, words of its own, pictures beside it."""

from collections.abc import Sequence

import mcp_types as mcp
import pytest
from mcp import Client
from tests.kit.shop import ShopClient, Thing, both_eras, serving, toolset

from aboveboard.effects import READ
from aboveboard.kit.library import Content
from aboveboard.kit.toolset import Toolset

pytestmark = pytest.mark.anyio


class Told(Thing):
    """A thing that has words of its own."""

    def as_text(self) -> str:
        return f"A {self.name}, no less."


class Drawn(Thing):
    """A thing with a picture."""

    def blocks(self) -> Sequence[mcp.ContentBlock]:
        return [mcp.ImageContent(data="AAAA", mime_type="image/png")]


def window() -> Toolset[ShopClient]:
    tools = toolset()

    @tools.tool("Tell Thing", READ, example=Told(name="Teapot"))
    async def tell(shop: ShopClient) -> Told:
        """Tell of it."""
        del shop
        return Told(name="Teapot")

    @tools.tool("Draw Thing", READ, example=Drawn(name="Teapot"))
    async def draw(shop: ShopClient) -> Drawn:
        """Draw it."""
        del shop
        return Drawn(name="Teapot")

    @tools.resource("shop://pictures/{name}", "Picture")
    async def picture(shop: ShopClient, name: str) -> Content:
        """A picture, or what is written under it."""
        del shop
        return Content("Teapot", "text/markdown") if name == "title" else Content(b"\x89PNG", "image/png")

    assert all(map(callable, (tell, draw, picture)))
    return tools


@both_eras
async def test_a_result_may_have_words_and_pictures_beside_its_structure(mode: str) -> None:
    async with Client(serving(window()), mode=mode) as client:
        told = await client.call_tool("shop_tell")
        drawn = await client.call_tool("shop_draw")
    assert told.content == [mcp.TextContent(text="A Teapot, no less.")]
    assert drawn.content == [
        mcp.ImageContent(data="AAAA", mime_type="image/png"),
        mcp.TextContent(text='{"name":"Teapot"}'),
    ]
    assert told.structured_content == drawn.structured_content == {"name": "Teapot"}


@both_eras
async def test_what_is_read_may_have_a_type_of_its_own(mode: str) -> None:
    async with Client(serving(window()), mode=mode) as client:
        (text,) = (await client.read_resource("shop://pictures/title")).contents
        (picture,) = (await client.read_resource("shop://pictures/front")).contents
    assert isinstance(text, mcp.TextResourceContents)
    assert (text.text, text.mime_type) == ("Teapot", "text/markdown")
    assert isinstance(picture, mcp.BlobResourceContents)
    assert (picture.blob, picture.mime_type) == ("iVBORw==", "image/png")
