"""The one place where Nextcloud's client and tools meet."""

import os
from collections.abc import Mapping
from contextlib import aclosing
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import httpx2
from starlette.types import ASGIApp

from aboveboard.http import Session
from aboveboard.kit.caller import Caller
from aboveboard.kit.catalogue_file import published_toolsets
from aboveboard.kit.service import Service
from aboveboard.kit.upkeep import Upkeep
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.doctor import checkup
from aboveboard.nextcloud.settings import Place, Settings
from aboveboard.search.places import may_have_index

if TYPE_CHECKING:  # a server of one person does not load what many need, nor what search needs
    from aboveboard.nextcloud.sign_in import NextcloudSignIn
    from aboveboard.search.settings import SearchSettings

__all__ = ["SERVICE", "checkup", "connect", "ready", "sign_in"]


async def _has_app(client: NextcloudClient, app: str) -> bool:
    return await client.account.has_app(app)


async def _with_ids(client: NextcloudClient, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    return await client.names.ids(tool, arguments)


async def _refresh(client: NextcloudClient, caller: Caller, seconds: float) -> None:
    from aboveboard.nextcloud.tools.search.people import refresh

    await refresh(client, caller, seconds)


async def _forget(instance: str, principal: str) -> None:
    from aboveboard.nextcloud.tools.search.people import forget

    await forget(instance, principal)


_INDEX: Final = Upkeep[NextcloudClient](
    area="semantic", is_wanted=lambda: may_have_index(os.environ), look=_refresh, forget=_forget
)
"""The search index is kept up to date, where there is one."""


SERVICE = Service[NextcloudClient](
    name="nextcloud",
    title="Nextcloud",
    prefix="nc_",
    open_world=True,
    instructions=(
        "Nextcloud holds a person's files, notes, calendars, tasks, contacts, Deck boards, tables, recipes and "
        "news. Start with nc_get_context: it tells whose account this is and which apps there are. Paths are "
        "relative to the person's own files, without a leading slash: 'Documents/plan.md'. Find before you read: "
        "nc_semantic_search over everything, nc_webdav_search_files, nc_notes_search_notes, "
        "nc_contacts_search_contacts. Times without a zone are in the person's own, which answers name; when "
        "several people are free, nc_calendar_find_availability tells. What you change needs the etag of what you "
        "read, so that nobody's work is lost: on a conflict, read again. Deleted files go to the trash "
        "(nc_webdav_list_trash), older versions are kept (nc_webdav_list_versions). Ask before calling a tool that "
        "deletes, replaces, invites or shares something."
    ),
    toolsets=published_toolsets("aboveboard.nextcloud"),
    has_app=_has_app,
    with_ids=_with_ids,
    upkeep=_INDEX,
)


def connect(environment: Mapping[str, str], backend: ASGIApp | None = None) -> NextcloudClient:
    """Make the client of the instance that the environment names, or of a backend in this process."""
    settings = Settings.read(environment)
    return NextcloudClient(
        settings.host,
        settings.username,
        settings.password,
        transport=_transport(backend),
        search_settings=partial(_search_settings, environment, backend),
    )


def sign_in(environment: Mapping[str, str], backend: ASGIApp | None = None) -> "NextcloudSignIn":
    """Make what lets many people sign in with the instance that the environment names."""
    from aboveboard.nextcloud.sign_in import NextcloudSignIn

    return NextcloudSignIn(Place.read(environment), _transport(backend))


async def ready(environment: Mapping[str, str], backend: ASGIApp | None = None) -> None:
    """Ask Nextcloud, as nobody, whether it is up; a failure says why it is not."""
    from aboveboard.nextcloud.client.status import check_status

    place, transport = Place.read(environment), _transport(backend)
    # The password is not sent, and yet kept out of what anyone may read: something between may know it.
    secrets = [environment.get("NEXTCLOUD_PASSWORD", "").strip()]
    async with aclosing(Session("Nextcloud", place.host, headers={}, secrets=secrets, transport=transport)) as nobody:
        await check_status(nobody)


def _search_settings(environment: Mapping[str, str], backend: ASGIApp | None) -> "SearchSettings":
    """Read where the index is; that of a backend in this process ends with it."""
    from aboveboard.search.settings import SearchSettings

    settings = SearchSettings.read(environment)
    return settings if backend is None else settings.in_memory()


def _transport(backend: ASGIApp | None) -> httpx2.AsyncBaseTransport | None:
    return None if backend is None else httpx2.ASGITransport(app=backend)
