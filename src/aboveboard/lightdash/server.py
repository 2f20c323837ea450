"""The one place where Lightdash's client and tools meet."""

from collections.abc import Mapping
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

import httpx2
from starlette.types import ASGIApp

from aboveboard.errors import ApiError
from aboveboard.http import Session
from aboveboard.kit.catalogue_file import published_toolsets
from aboveboard.kit.service import Service
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.doctor import checkup
from aboveboard.lightdash.settings import Place, Settings

if TYPE_CHECKING:  # a server of one person does not load what many need
    from aboveboard.lightdash.sign_in import LightdashSignIn

__all__ = ["SERVICE", "checkup", "connect", "ready", "sign_in"]


async def _with_ids(lightdash: LightdashClient, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    return await lightdash.names.ids(tool, arguments)


SERVICE = Service[LightdashClient](
    name="lightdash",
    title="Lightdash",
    prefix="lightdash_tools__",
    open_world=False,
    instructions=(
        "Lightdash is a BI platform: a project holds explores (tables to query), charts and dashboards, sorted into "
        "spaces. Start with get_context. Most tools take a project_uuid (list_projects; prefer DEFAULT to PREVIEW), "
        "which can be left out where there is a default. To answer a question, look for what is saved first "
        "(search_content, run_chart, run_dashboard); otherwise find fields (search_fields, get_explore), check the "
        "values to filter by (search_field_values), and call run_metric_query. A query that takes long answers status "
        "running: go on with get_query_result. Lists come in pages: total says how many there are, next_page which "
        "page to ask for next. Ask before calling a tool that deletes or replaces something."
    ),
    toolsets=published_toolsets("aboveboard.lightdash"),
    with_ids=_with_ids,
)


def connect(environment: Mapping[str, str], backend: ASGIApp | None = None) -> LightdashClient:
    """Make the client of the instance that the environment names, or of a backend in this process."""
    settings = Settings.read(environment)
    return LightdashClient(
        settings.url,
        settings.token,
        allowed_projects=settings.allowed_projects,
        default_project=settings.default_project,
        transport=_transport(backend),
    )


def sign_in(environment: Mapping[str, str], backend: ASGIApp | None = None) -> "LightdashSignIn":
    """Make what lets many people sign in with the instance that the environment names."""
    from aboveboard.lightdash.sign_in import LightdashSignIn

    return LightdashSignIn(Place.read(environment), _transport(backend))


async def ready(environment: Mapping[str, str], backend: ASGIApp | None = None) -> None:
    """Ask Lightdash, as nobody, whether it is well; a failure says why it is not."""
    from aboveboard.lightdash.client.api import Api
    from aboveboard.lightdash.client.instance import Instance

    place, transport = Place.read(environment), _transport(backend)
    # The token is not sent, and yet kept out of what anyone may read: something between may know it.
    secrets = [environment.get("LIGHTDASH_API_KEY", "").strip()]
    async with aclosing(Session("Lightdash", place.url, headers={}, secrets=secrets, transport=transport)) as nobody:
        if not (await Instance(Api(nobody)).health()).healthy:
            raise ApiError("Lightdash says that it is not healthy.")


def _transport(backend: ASGIApp | None) -> httpx2.AsyncBaseTransport | None:
    return None if backend is None else httpx2.ASGITransport(app=backend)
