"""Whose documents are searched: each client's own, in the index that the operator chose."""

import logging
import os
from functools import cache
from typing import Final

import anyio.to_thread

from aboveboard.kit.caller import Caller
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.tools.search.sources import AREAS, sources_of
from aboveboard.search.models import Embedder
from aboveboard.search.person import Advice, Person
from aboveboard.search.places import IN_MEMORY
from aboveboard.search.settings import SearchSettings
from aboveboard.search.store import Store

logger = logging.getLogger("aboveboard")

QUIET: Final = 240.0
"""Seconds in which nobody looks for changes beside calls after one did: less than a server waits between two looks."""
ADVICE: Final = Advice(
    service="Nextcloud",
    update="Call nc_update_search_index, or let the operator run `aboveboard index nextcloud`.",
    set_up="The operator installs aboveboard[search] and runs `aboveboard search setup`, then indexes again.",
)
PERSON: Final = "who is searched for"


async def person_of(nextcloud: NextcloudClient) -> Person:
    """Return the person whose client this is."""
    name = _name(nextcloud.url, await nextcloud.principal())
    if PERSON not in nextcloud.remembered:  # nothing is awaited from here on: two who come at once share one
        settings = _settings(nextcloud)
        # What is in memory is this client's alone; what is kept is one for all who are served here.
        store = settings.open_store() if settings.index == IN_MEMORY else _store(settings.index)
        nextcloud.remembered[PERSON] = Person(name, store, _model(settings), sources_of(nextcloud), ADVICE)
    return nextcloud.remembered[PERSON]


def readable_by(caller: Caller) -> list[str]:
    """Return the kinds of documents that a caller may read."""
    return [name for name, area in AREAS.items() if caller.holds(f"{area}.read")]


async def refresh(nextcloud: NextcloudClient, caller: Caller, seconds: float) -> None:
    """Bring the index of one who has one up to date; what they let nobody read is left out."""
    person = await person_of(nextcloud)
    for report in await person.refresh(readable_by(caller), seconds=seconds, quiet=QUIET):
        if report.problem is not None:
            logger.warning("The search index lacks what is new of kind %s: %s", report.source, report.problem)


async def forget(instance: str, principal: str) -> None:
    """Delete the index of a person."""
    index = SearchSettings.read(os.environ).index
    if index != IN_MEMORY:
        await anyio.to_thread.run_sync(_store(index).erase, _name(instance, principal))


def _name(instance: str, principal: str) -> str:
    return f"{instance}#{principal}"


def _settings(nextcloud: NextcloudClient) -> SearchSettings:
    return SearchSettings.read(os.environ) if nextcloud.search_settings is None else nextcloud.search_settings()


@cache
def _store(index: str) -> Store:
    return SearchSettings(index=index).open_store()


@cache
def _model(settings: SearchSettings) -> Embedder | None:
    return settings.open_model()
