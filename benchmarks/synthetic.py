"""A service with as many tools as one likes, to see what a start costs by their number.

Its package is written like ours, catalogue and all; a tool takes four parameters and answers a model, as ours do on
average.
"""

import gc
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # loaded by main(), as our command line loads it
    from mcp.server.lowlevel import Server

PER_AREA = 10

_AREA = '''
from typing import Annotated

from pydantic import BaseModel, Field

from aboveboard.effects import READ
from aboveboard.kit.toolset import Toolset

tools = Toolset("{area}", title="Area {area}", icon="M4 20V10h4v10zm6 0V4h4v16zm6 0v-7h4v7z")


class Item(BaseModel):
    """One of many."""

    uuid: str
    name: str
    description: str | None = None
    count: int | None = None


class Items(BaseModel):
    """A page of them."""

    items: list[Item]
    total: int
    next_page: int | None = None


ITEMS = Items(items=[Item(uuid="9165ffb9-...", name="Sales", count=3)], total=1)
'''
_TOOL = '''

@tools.tool("List Items Number {number}", READ, example=ITEMS)
async def list_items_{number}(
    client: object,
    project_uuid: Annotated[str | None, Field(description="Project, as list_projects shows it.")] = None,
    search: Annotated[str | None, Field(description="Part of the name, in upper or lower case.", min_length=1)] = None,
    limit: Annotated[int, Field(description="How many at most.", ge=1, le=1000)] = 50,
    page: Annotated[int, Field(description="Which page: next_page of the one before.", ge=1)] = 1,
) -> Items:
    """List the items of a project with their names and how often they are used, page by page, the newest first."""
    return ITEMS
'''


class _Nobody:
    async def aclose(self) -> None:
        """Hold nothing."""


def write(folder: Path, count: int) -> str:
    """Write the package of a service with so many tools into a folder that can be imported from; return its name."""
    from aboveboard.kit.catalogue_file import NAME
    from aboveboard.kit.catalogue_writer import catalogue_text
    from aboveboard.kit.package import load_toolsets

    name = f"synthetic_{count}"
    tools = folder / name / "tools"
    areas = [f"area{number}" for number in range(-(-count // PER_AREA))]
    for package in (folder / name, folder / name / "client", tools):
        package.mkdir(parents=True)
        (package / "__init__.py").write_text("")
    (tools / "__init__.py").write_text(f"AREAS = {areas!r}\n")
    for place, area in enumerate(areas):
        numbers = range(place * PER_AREA, min(count, (place + 1) * PER_AREA))
        text = _AREA.format(area=area) + "".join(_TOOL.format(number=number) for number in numbers)
        (tools / f"{area}.py").write_text(text)
    sys.path.insert(0, str(folder))
    text = catalogue_text(f"{name}.tools", str(folder / name), load_toolsets(f"{name}.tools"))
    (folder / name / NAME).write_text(text)
    return name


def main() -> None:
    """Serve the package that the first argument names; with a port as the second, over HTTP."""
    gc.disable()  # this and the next lines are what our command line does
    gc.set_threshold(50_000, 20, 20)
    import_module("aboveboard.kit.start")
    gc.freeze()
    gc.enable()
    server = _server(sys.argv[1])
    if len(sys.argv) == 2:
        from aboveboard.kit.serving.stdio import serve_stdio

        serve_stdio(server)
        return
    from aboveboard.kit.serving.web import WebSettings, serve_web, web_app

    settings = WebSettings(port=int(sys.argv[2]))
    serve_web(web_app(server, settings, _ready), settings, lambda _: None)


def _server(package: str) -> "Server[None]":
    from aboveboard.kit.catalogue_file import published_toolsets
    from aboveboard.kit.policy import Policy
    from aboveboard.kit.provider import OneClient
    from aboveboard.kit.server import build_server
    from aboveboard.kit.service import Catalogue, Service

    service = Service[_Nobody](
        name="synthetic",
        title="Synthetic",
        prefix="synthetic__",
        open_world=False,
        instructions="",
        toolsets=published_toolsets(package),
    )
    return build_server(Catalogue(service, Policy()), OneClient(_Nobody()))


async def _ready() -> None: ...
