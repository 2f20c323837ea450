"""Fills a Lightdash over its API with what the plan's cases expect: the shop of our sandbox, copied from there.

It speaks HTTP itself, and uses nothing of the client that is to be proven.
"""

from collections.abc import Mapping
from typing import Any, Final

import anyio
import httpx2

from aboveboard.errors import BadInput
from aboveboard.lightdash.sandbox import Sandbox
from aboveboard.lightdash.seed.filling import Filling
from aboveboard.lightdash.seed.instance import Instance

NEEDED: Final = ("host", "port", "user", "password", "database")
"""How the Lightdash itself reaches the PostgreSQL that is the warehouse."""


def fill_lightdash(
    url: str,
    environment: Mapping[str, str],
    seed: Mapping[str, str],
    values: Mapping[str, object],
    transport: httpx2.AsyncBaseTransport | None = None,
) -> tuple[list[str], dict[str, str]]:
    """Fill an instance; return what was made, and those of the plan's values that have other ids there."""
    token = environment.get("LIGHTDASH_API_KEY")
    if not token:
        raise BadInput("The seed needs LIGHTDASH_API_KEY: give it under `env` of the backend file.")
    warehouse = _warehouse(seed)

    async def fill() -> Filling:
        shop = Sandbox()
        embedded = httpx2.ASGITransport(app=shop.app)
        async with Instance("http://sandbox", shop.token, embedded) as ours, Instance(url, token, transport) as theirs:
            filling = Filling(ours, theirs, warehouse)
            await filling.run()
        shop.close()
        return filling

    done = anyio.run(fill)
    ids = {name: done.ids[value] for name, value in values.items() if isinstance(value, str) and value in done.ids}
    return done.made, ids


def _warehouse(seed: Mapping[str, str]) -> dict[str, Any]:
    missing = [name for name in NEEDED if name not in seed]
    if missing:
        wanted = f"{', '.join(missing)} of a PostgreSQL that the Lightdash reaches"
        raise BadInput(f"The seed needs {wanted}: give it under `seed` of the backend file.")
    if not seed["port"].isdigit():
        raise BadInput(f"seed.port of the backend file must be a number, not {seed['port']!r}.")
    place = {name: seed[name] for name in ("host", "user", "password")}
    usual = {"type": "postgres", "schema": seed.get("schema", "public"), "sslmode": seed.get("sslmode", "disable")}
    return usual | place | {"dbname": seed["database"], "port": int(seed["port"])}
