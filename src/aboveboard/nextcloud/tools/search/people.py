"""Whose documents are searched: each client's own, in the index that the operator chose."""

from functools import cache
from typing import Final
from weakref import WeakKeyDictionary

import anyio

from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.tools.search.sources import sources_of
from aboveboard.search.models import Embedder
from aboveboard.search.person import Advice, Person
from aboveboard.search.places import IN_MEMORY
from aboveboard.search.settings import SearchSettings
from aboveboard.search.store import Store

BUDGET: Final = 60.0
"""Seconds that one look for changes may take beside the calls of a server."""
PAUSE: Final = 300.0
ADVICE: Final = Advice(
    service="Nextcloud",
    update="Call nc_update_search_index, or let the operator run `aboveboard index nextcloud`.",
    set_up="The operator runs `aboveboard search setup` once, then `aboveboard index nextcloud`.",
)
_people: WeakKeyDictionary[NextcloudClient, Person] = WeakKeyDictionary()


async def person_of(nextcloud: NextcloudClient) -> Person:
    """Return the person whose client this is."""
    if nextcloud not in _people:
        name = f"{nextcloud.url}#{await nextcloud.principal()}"
        settings = _settings(nextcloud)
        # What is in memory is this client's alone; what is kept is one for all who are served here.
        store = settings.open_store() if settings.index == IN_MEMORY else _store(settings.index)
        _people[nextcloud] = Person(name, store, _model(settings), sources_of(nextcloud), ADVICE)
    return _people[nextcloud]


async def keep_fresh(nextcloud: NextcloudClient, *, stays: bool) -> None:
    """Bring the index of one who has one up to date: once and not for long, or over and over in a server that stays."""
    person = await person_of(nextcloud)
    while await person.has_index():
        await person.update(seconds=BUDGET)
        if not stays:
            return
        await anyio.sleep(PAUSE)


def _settings(nextcloud: NextcloudClient) -> SearchSettings:
    if nextcloud.search_settings is not None:
        return nextcloud.search_settings()
    import os

    return SearchSettings.read(os.environ)


@cache
def _store(index: str) -> Store:
    return SearchSettings(index=index).open_store()


@cache
def _model(settings: SearchSettings) -> Embedder | None:
    return settings.open_model()
