"""Search by words and meaning: find, read around a hit, and keep the index up to date."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Final, Literal

from pydantic import Field

from aboveboard import effects
from aboveboard.effects import ENSURE, READ
from aboveboard.errors import BadInput, Refused, explain_unknown
from aboveboard.kit.call import Call
from aboveboard.kit.toolset import Toolset
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.tools.files.search import add_zone
from aboveboard.nextcloud.tools.search.people import person_of, readable_by
from aboveboard.nextcloud.tools.search.sources import AREAS
from aboveboard.nextcloud.tools.search.views import (
    DocumentPart,
    FoundDocument,
    FoundDocuments,
    IndexStatus,
    IndexUpdate,
    SourceStatus,
    SourceUpdate,
    join_notes,
)
from aboveboard.search.entries import Where
from aboveboard.search.ranking import SearchMode
from aboveboard.search.syncing import Report

tools = Toolset[NextcloudClient](
    "semantic",
    title="Search",
    icon="M10 3a7 7 0 105 12l5 5 1-1-5-5A7 7 0 0010 3zm0 2a5 5 0 110 10 5 5 0 010-10z",
    prefix="nc_",
)

BEFORE: Final = 500
"""Characters shown before the start of a hit."""
_HIT: Final = FoundDocument(
    source="note",
    id="235",
    title="Heating",
    place="Home",
    snippet="The boiler is serviced each May.",
    start=0,
    end=32,
    modified=datetime(2026, 1, 31, 9, tzinfo=UTC),
    url="https://cloud.example/.../235",
    score=1.21,
    found_by="words and meaning",
)
_STATUS: Final = IndexStatus(
    items=[SourceStatus(source="note", documents=120, passages=310, waiting=0, failed=0)], complete=True, model="USE"
)
_UPDATE: Final = IndexUpdate(items=[SourceUpdate(source="note", indexed=3, removed=1, failed=0, waiting=0)], done=True)
_PART: Final = DocumentPart(
    source="note", id="235", title="Heating", text="The boiler ...", start=0, end=14, length=14, url=_HIT.url
)

SourceName = Literal["note", "file", "event", "task", "contact", "card", "recipe", "news"]
Sources = Annotated[list[SourceName] | None, Field(description="Only these kinds.")]
Kind = Annotated[str, Field(description="The hit's source.")]
DocumentId = Annotated[str, Field(description="The hit's id.", min_length=1)]
Limit = Annotated[int, Field(description="How many at most.", ge=1, le=50)]


@tools.tool("Semantic Search", READ, example=FoundDocuments(items=[_HIT]), core=True)
async def semantic_search(
    nextcloud: NextcloudClient,
    call: Call,
    query: Annotated[str, Field(description="What it is about, in any language.", min_length=1, max_length=1000)],
    sources: Sources = None,
    folder: Annotated[str | None, Field(description="Only in this folder, category or calendar, and below.")] = None,
    modified_after: Annotated[datetime | None, Field(description="UTC unless it says.")] = None,
    modified_before: Annotated[datetime | None, Field(description="UTC unless it says.")] = None,
    limit: Limit = 10,
    mode: Annotated[Literal["hybrid", "keyword", "meaning"], Field(description="What counts.")] = "hybrid",
) -> FoundDocuments:
    """Find notes, files, events, tasks, contacts, cards, recipes and news by meaning and words, with the passage.

    Every hit is checked with Nextcloud before it is shown; what changed since the last update may be missing.
    """
    person = await person_of(nextcloud)
    after, before = add_zone(modified_after), add_zone(modified_before)
    where = Where(
        sources=_allowed(call, sources),
        folder=folder or "",
        after=None if after is None else int(after.timestamp()),
        before=None if before is None else int(before.timestamp()),
    )
    answer = await person.search(query, SearchMode(mode), where, limit)
    return await FoundDocuments.of(person, answer, query)


@tools.tool("Find Related Documents", READ, example=FoundDocuments(items=[_HIT]))
async def semantic_find_related(
    nextcloud: NextcloudClient,
    call: Call,
    source: Kind,
    document_id: DocumentId,
    sources: Sources = None,
    limit: Limit = 10,
) -> FoundDocuments:
    """Find documents that are about the same as one of them, the nearest first."""
    _allowed(call, [source])
    person = await person_of(nextcloud)
    answer = await person.related(source, document_id, Where(sources=_allowed(call, sources)), limit)
    return await FoundDocuments.of(person, answer, "")


@tools.tool("Get Indexed Document", READ, example=_PART)
async def semantic_get_document(
    nextcloud: NextcloudClient,
    call: Call,
    source: Kind,
    document_id: DocumentId,
    offset: Annotated[int, Field(description="The hit's start; a little before it is shown too.", ge=0)] = 0,
    limit: Annotated[int, Field(description="Most characters to show.", ge=100, le=50_000)] = 4000,
) -> DocumentPart:
    """Read what is around a hit, as it was indexed: of a PDF or an office document, its text."""
    _allowed(call, [source])
    person = await person_of(nextcloud)
    stored = await person.document(source, document_id)
    if offset > len(stored.text):
        raise BadInput(f"The text has {len(stored.text)} characters.", next_step="Use a smaller offset.")
    start = max(0, offset - BEFORE)
    return await DocumentPart.of(person, stored, start, start + limit)


@tools.tool("Check Indexing Status", READ, example=_STATUS)
async def get_vector_sync_status(nextcloud: NextcloudClient, call: Call) -> IndexStatus:
    """Tell how much is indexed for search, what waits, what could not be read and why, and when it was up to date."""
    found = await (await person_of(nextcloud)).status(_allowed(call, None))
    items = [SourceStatus.of(state) for state in found.states]
    return IndexStatus(items=items, complete=found.is_complete, model=found.model, note=join_notes(found.notes))


# It writes nothing but our own index, which loses nothing that is still there.
@tools.tool("Update Search Index", ENSURE, example=_UPDATE)
async def update_search_index(
    nextcloud: NextcloudClient,
    call: Call,
    sources: Sources = None,
    full: Annotated[bool, Field(description="List everything again, and try again what could not be read.")] = False,
    seconds: Annotated[
        int, Field(description="Time to spend; what is left waits for the next call.", ge=1, le=300)
    ] = 25,
) -> IndexUpdate:
    """Index what changed in Nextcloud, for search: only this server's own index is written, nothing in Nextcloud."""
    if effects.in_force().dry_run:
        return IndexUpdate(items=[], done=False)

    async def progress(report: Report) -> None:
        await call.progress(report.indexed, report.indexed + report.waiting, report.source)

    person = await person_of(nextcloud)
    reports = await person.update(
        _allowed(call, sources), whole=not sources, seconds=seconds, full=full, progress=progress
    )
    done = all(report.is_done for report in reports)
    note = None if done else "Not everything is indexed yet: call again to go on."
    return IndexUpdate(items=[SourceUpdate.of(report) for report in reports], done=done, note=note)


def _allowed(call: Call, asked: Sequence[str] | None) -> list[str]:
    """Return the kinds to search: those asked for, or all, as far as the caller may read what is in their areas."""
    open_to_all = [name for name in AREAS if AREAS[name] not in call.excluded]
    readable = [name for name in readable_by(call.caller) if name in open_to_all]
    way_out = call.caller.way_out.strip()
    if not readable:
        raise Refused("You were not granted to read anything that is searched.", next_step=way_out)
    if not asked:
        return readable
    if strange := [name for name in asked if name not in AREAS]:
        raise BadInput(explain_unknown("source", strange[0], list(AREAS), of="This index"))
    if excluded := [name for name in asked if name not in open_to_all]:
        raise BadInput(
            f"The operator of this server excluded {AREAS[excluded[0]]} (--exclude), to which {excluded[0]} belongs."
        )
    if refused := [name for name in asked if name not in readable]:
        lacking = f"You were not granted {AREAS[refused[0]]}.read, which {refused[0]} needs."
        raise Refused(lacking, next_step=way_out or "Leave it out.")
    return list(asked)
