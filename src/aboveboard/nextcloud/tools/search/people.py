"""Whose documents are searched: each client's own, in the index that the operator chose."""

from functools import cache
from typing import Final
from weakref import WeakKeyDictionary

from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.tools.search.sources import sources_of
from aboveboard.search.models import Embedder
from aboveboard.search.person import Advice, Person
from aboveboard.search.settings import IN_MEMORY, SearchSettings
from aboveboard.search.store import Store

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
