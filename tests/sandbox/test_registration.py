"""Whoever adds a module to a sandbox has added its routes, its tables and its seed: nothing is listed by hand."""

import subprocess
import sys
from pathlib import Path

import pytest

_TABLE = """
from aboveboard.sandbox.store import Seed
from aboveboard.sandbox.table import Table

PLANTS = Table("plants", "id INTEGER PRIMARY KEY, name TEXT")
seed = Seed(lambda store: store.insert("plants", name="Fern"))
routes = Routes()
"""
_LIGHTDASH = """
from aboveboard.lightdash.sandbox.routes import Call, Routes
{table}
@routes.get("/api/v1/plants", public=True)
def list_plants(call: Call) -> object:
    return [row["name"] for row in call.store.all("SELECT * FROM plants")]
"""
_NEXTCLOUD = """
from aboveboard.nextcloud.sandbox.calls import Call, Routes
{table}
@routes.ocs("GET", "/apps/garden/plants", public=True)
def list_plants(call: Call) -> object:
    return [row["name"] for row in call.store.all("SELECT * FROM plants")]
"""
# In a process of its own: the modules of a sandbox are looked for once.
_PROGRAM = """
import sys, anyio, httpx2
import aboveboard.{service}.sandbox as package

package.__path__.append(sys.argv[1])

async def ask() -> None:
    sandbox = package.Sandbox()
    transport = httpx2.ASGITransport(sandbox.app)
    async with httpx2.AsyncClient(transport=transport, base_url="http://sandbox") as client:
        for path in sys.argv[2:]:
            headers = {{"ocs-apirequest": "true", "accept": "application/json"}}
            print((await client.get(path, headers=headers)).text)
    print({{key: value for key, value in sandbox.dump().items() if key.startswith("plants/")}})

anyio.run(ask)
"""


@pytest.mark.parametrize(
    ("service", "module", "paths"),
    [
        ("lightdash", _LIGHTDASH, ["/api/v1/plants"]),
        ("nextcloud", _NEXTCLOUD, ["/ocs/v2.php/apps/garden/plants", "/ocs/v2.php/cloud/capabilities"]),
    ],
)
def test_a_folder_with_a_module_is_all_it_takes(tmp_path: Path, service: str, module: str, paths: list[str]) -> None:
    folder = tmp_path / "garden"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "plants.py").write_text(module.format(table=_TABLE))
    program = [sys.executable, "-c", _PROGRAM.format(service=service), str(tmp_path), *paths]
    ran = subprocess.run(program, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert "Fern" in ran.stdout.splitlines()[0]
    assert ran.stdout.splitlines()[-1] == "{'plants/1/name': 'Fern'}"
