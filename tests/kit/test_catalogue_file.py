"""Tools that are found by walking their package, or read from a file that is not believed when it is out of date."""

import importlib
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from textwrap import dedent
from typing import Any

import grimp
import pytest
from mcp import Client

from aboveboard.cli.services import NAMES, server_module
from aboveboard.kit.catalogue_file import NAME, fingerprint, published_toolsets
from aboveboard.kit.catalogue_writer import catalogue_text
from aboveboard.kit.package import load_toolsets
from aboveboard.kit.policy import Policy
from aboveboard.kit.provider import OneClient
from aboveboard.kit.server import build_server
from aboveboard.kit.service import Catalogue, Service
from aboveboard.kit.toolset import Toolset

AREA = """
    from aboveboard.kit.toolset import Toolset
    tools = Toolset("{area}", title="Things", icon="M0 0h1", prefix="{area}_", app={app!r}, default={default})
"""
TOOL = '''
    from typing import Annotated
    from pydantic import BaseModel, Field
    from aboveboard.effects import ADD, READ
    from farm.tools.{area} import tools

    class Answer(BaseModel):
        """An answer."""
        name: str | None = None

    @tools.tool("Do {name}", {effect}, example=Answer(name="x"), aliases=["old_{name}"], core=True)
    async def {name}(client: object, count: Annotated[int, Field(description="How many.", ge=1)] = 3) -> Answer:
        """Do it."""
        return Answer(name="{name}" * count)
'''
LIBRARY = '''
    from typing import Annotated
    from pydantic import Field
    from farm.tools.barn import tools

    async def names(client: object, typed: str) -> list[str]:
        return [typed + "!"]

    @tools.resource("farm://cows/{cow}", "Cow", mime_type="text/plain", area="field", completers={"cow": names})
    async def cow(client: object, cow: str) -> str:
        """A cow."""
        return f"Moo, says {cow}."

    @tools.prompt("Feed All")
    def feed(food: Annotated[str, Field(description="What.")] = "hay") -> str:
        """Feed them."""
        return f"Give them {food}."
'''


class Farm:
    """A service's package in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "farm"
        self.write("__init__.py", "")
        self.write("client/__init__.py", "")
        self.write("tools/__init__.py", "AREAS = ('field', 'barn')\nFIRST = ('deeper.zebras',)\n")
        self.write("tools/barn.py", AREA.format(area="barn", app=None, default=True))
        self.write("tools/field.py", AREA.format(area="field", app="tractor", default=False))
        self.write("tools/apples.py", TOOL.format(area="field", name="pick", effect="ADD.reaching_out()"))
        self.write("tools/deeper/__init__.py", "")
        self.write("tools/deeper/zebras.py", TOOL.format(area="field", name="ride", effect="READ"))
        self.write("tools/shelf.py", LIBRARY)

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text))

    def generate(self) -> None:
        text = catalogue_text("farm.tools", str(self.folder), load_toolsets("farm.tools"))
        (self.folder / NAME).write_text(text)
        self.forget()

    def forget(self) -> None:
        """Let nothing be imported."""
        for name in [name for name in sys.modules if name.partition(".")[0] == "farm"]:
            del sys.modules[name]
        importlib.invalidate_caches()


@pytest.fixture
def farm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Farm]:
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # a file that is written twice in a second must be read twice
    made = Farm(tmp_path)
    yield made
    made.forget()


def names(toolsets: Any) -> list[str]:
    return [tool.name for toolset in toolsets for tool in toolset.tools]


def imported() -> set[str]:
    return {name for name in sys.modules if name.startswith("farm.tools.")}


def test_tools_are_found_in_every_module_and_folder_in_the_order_of_areas(farm: Farm) -> None:
    farm.write("tools/milk.py", TOOL.format(area="barn", name="milk", effect="ADD"))
    assert names(load_toolsets("farm.tools")) == ["ride", "pick", "milk"]


def test_only_the_module_that_is_named_comes_first(farm: Farm) -> None:
    farm.write("tools/shed/__init__.py", "")
    farm.write("tools/shed/zebras.py", TOOL.format(area="barn", name="lead", effect="READ"))
    farm.write("tools/milk.py", TOOL.format(area="barn", name="milk", effect="ADD"))
    assert names(load_toolsets("farm.tools")) == ["ride", "pick", "milk", "lead"]
    farm.write("tools/__init__.py", "AREAS = ('field', 'barn')\nFIRST = ('zebras',)\n")
    farm.forget()
    with pytest.raises(TypeError, match=r"farm\.tools\.zebras is not a module: FIRST in farm\.tools is wrong"):
        load_toolsets("farm.tools")


def test_tools_of_an_area_that_nobody_named_are_an_error_that_names_the_module(farm: Farm) -> None:
    farm.write("tools/pond.py", AREA.format(area="pond", app=None, default=True))
    with pytest.raises(TypeError, match=r"farm\.tools\.pond has tools of the area 'pond', which AREAS in farm\.tools"):
        load_toolsets("farm.tools")


def test_what_the_file_says_is_what_is_declared_and_costs_no_import(farm: Farm) -> None:
    declared = load_toolsets("farm.tools")
    farm.generate()
    read = published_toolsets("farm")
    assert imported() == set()
    for toolset, own in zip(read, declared, strict=True):
        for part in ("area", "title", "drawing", "prefix", "app", "default"):
            assert getattr(toolset, part) == getattr(own, part)
        for kind in ("tools", "resources", "prompts"):
            for one, other in zip(getattr(toolset, kind), getattr(own, kind), strict=True):
                assert one == replace(other, toolset=toolset, load=one.load)
    assert read[0].tools[1].aliases == ("old_pick",)


def test_a_tools_module_is_imported_when_it_is_first_called_and_no_other(farm: Farm) -> None:
    farm.generate()
    ride = published_toolsets("farm")[0].tools[0]
    assert ride.load().arguments.check({}) == {"count": 3}
    assert ride.load() is ride.load()
    assert imported() == {"farm.tools.deeper", "farm.tools.deeper.zebras", "farm.tools.field"}


@pytest.mark.parametrize("stale", ["added", "changed", "in the client", "removed", "no file"])
def test_a_file_that_is_out_of_date_is_not_believed(farm: Farm, stale: str) -> None:
    farm.generate()
    expected = ["ride", "pick"]
    if stale == "added":
        farm.write("tools/milk.py", TOOL.format(area="barn", name="milk", effect="ADD"))
        expected = ["ride", "pick", "milk"]
    elif stale == "changed":
        farm.write("tools/apples.py", TOOL.format(area="field", name="pull", effect="ADD"))
        expected = ["ride", "pull"]
    elif stale == "in the client":
        farm.write("client/models.py", "")
    elif stale == "removed":
        (farm.folder / "tools" / "apples.py").unlink()
        expected = ["ride"]
    else:
        (farm.folder / NAME).unlink()
    assert names(published_toolsets("farm")) == expected
    assert "farm.tools.shelf" in imported()


@pytest.mark.parametrize("service", NAMES)
def test_all_of_the_kit_that_tools_are_declared_with_is_among_the_sources(service: str) -> None:
    graph = grimp.build_graph("aboveboard")
    tools = graph.find_descendants(f"aboveboard.{service}.tools")
    used = {name for one in tools for name in graph.find_modules_directly_imported_by(one)}
    kit = {name.removeprefix("aboveboard.").replace(".", "/") + ".py" for name in used if ".kit." in name}
    sources = fingerprint(importlib.import_module(f"aboveboard.{service}").__path__[0])
    assert kit - {"kit/call.py", "kit/caller.py"} <= sources.keys()  # who calls is not published


class Nobody:
    async def aclose(self) -> None: ...


@pytest.mark.anyio
async def test_a_server_made_from_the_file_answers_like_one_made_from_the_modules(farm: Farm) -> None:
    answers: list[object] = []
    made = load_toolsets("farm.tools")
    farm.generate()
    for toolsets in (made, published_toolsets("farm")):
        everything = Policy(toolsets=["all", "field"])
        service = Service[Nobody](
            name="farm", title="Farm", prefix="", open_world=False, instructions="", toolsets=toolsets
        )
        async with Client(build_server(Catalogue(service, everything), OneClient(Nobody()))) as client:
            answers.append(
                [
                    (await client.list_tools()).tools,
                    (await client.list_resource_templates()).resource_templates,
                    (await client.list_prompts()).prompts,
                    await client.call_tool("field_pick", {"count": 2}),
                    await client.call_tool("field_old_ride", {"count": 0}),
                    await client.read_resource("farm://cows/Berta"),
                    await client.get_prompt("feed", {"food": "oats"}),
                ]
            )
    assert answers[0] == answers[1]


@pytest.mark.parametrize("service", NAMES)
def test_our_services_start_without_importing_a_tool(service: str) -> None:
    script = f"""
        import sys
        import aboveboard.{service}.server as server
        assert len(server.SERVICE.tools) > 40
        print([name for name in sys.modules if name.startswith("aboveboard.{service}.tools")])
    """
    ran = subprocess.run([sys.executable, "-c", dedent(script)], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]", "make docs writes the catalogue anew"


@pytest.mark.parametrize("service", NAMES)
def test_everything_in_our_catalogues_can_be_loaded(service: str) -> None:
    toolsets: list[Toolset[Any]] = [*server_module(service).SERVICE.toolsets]
    for toolset in toolsets:
        for one in (*toolset.tools, *toolset.resources, *toolset.prompts):
            assert callable(one.load().function)


def test_sources_with_other_line_ends_are_the_same_sources(tmp_path: Path) -> None:
    """Git may write them so on a machine of its own kind; the file would never be believed there."""
    found: list[dict[str, int]] = []
    for name, text in (("unix", b"a = 1\nb = 2\n"), ("windows", b"a = 1\r\nb = 2\r\n"), ("other", b"a = 1\n")):
        for part in ("client", "tools/deep"):
            folder = tmp_path / name / part
            folder.mkdir(parents=True)
            (folder / "one.py").write_bytes(text)
        found.append(fingerprint(str(tmp_path / name)))
    assert found[0] == found[1] != found[2]
    assert {"client/one.py", "tools/deep/one.py"} < found[0].keys()
