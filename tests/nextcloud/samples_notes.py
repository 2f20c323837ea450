"""For every tool of the notes a call that works and one that does not."""

from typing import Any, Final

from tests.nextcloud.sampling import Arguments, Refusals, Refused, Sample, Samples, plain
from tests.nextcloud.sessions import Session

NO_NOTE: Final = 99_999_999
MISSING: Final = f"There is no note {NO_NOTE}."


async def note_named(session: Session, title: str) -> dict[str, Any]:
    """Find one of the sandbox's notes."""
    notes = (await session.ask("nc_notes_list_notes"))["items"]
    return next(note for note in notes if note["title"] == title)


def about(title: str, /, **arguments: Any) -> Sample:
    """Make a sample about a note of the sandbox."""

    async def sample(session: Session) -> Arguments:
        return {"note_id": (await note_named(session, title))["id"], **arguments}

    return sample


def guarded(title: str, /, **arguments: Any) -> Sample:
    """Make a sample about a note of the sandbox as it is now."""

    async def sample(session: Session) -> Arguments:
        note = await note_named(session, title)
        return {"note_id": note["id"], "etag": note["etag"], **arguments}

    return sample


GOOD: Final[Samples] = {
    "nc_notes_create_note": plain(title="Büro 📈", content="# Plan\n", category="Work/Öffnung"),
    "nc_notes_update_note": guarded("Repairs", title="Repaired", content="All done.\n", category=""),
    "nc_notes_append_content": about("Ideas", content="A pond."),
    "nc_notes_search_notes": plain(query="milk", limit=5),
    "nc_notes_get_note": about("Reading", offset=2, limit=5),
    "nc_notes_list_notes": plain(category="Home", limit=1),
    "nc_notes_list_categories": plain(),
    "nc_notes_set_favorite": about("Paint colours", favorite=False),
    "nc_notes_delete_note": about("Paint colours"),
    "nc_notes_get_attachment": about("Paint colours", attachment_filename="swatch.png"),
    "nc_notes_add_attachment": about("Shed", filename="size #1.txt", content="2 x 3"),
}

BAD: Final[Refusals] = {
    "nc_notes_create_note": Refused(plain(title="", content=""), "title must have at least 1 character"),
    "nc_notes_update_note": Refused(about("Repairs", etag="0a1b2c", content="lost?"), "Nothing was written."),
    "nc_notes_append_content": Refused(plain(note_id=NO_NOTE, content="x"), MISSING),
    "nc_notes_search_notes": Refused(plain(query="  "), "There is nothing to search for."),
    "nc_notes_get_note": Refused(plain(note_id=NO_NOTE), MISSING),
    "nc_notes_list_notes": Refused(plain(cursor="2"), "'2' is no cursor."),
    "nc_notes_list_categories": Refused(plain(category="Home"), "category"),
    "nc_notes_set_favorite": Refused(plain(note_id=NO_NOTE, favorite=True), MISSING),
    "nc_notes_delete_note": Refused(plain(note_id=NO_NOTE), MISSING),
    "nc_notes_get_attachment": Refused(
        about("Paint colours", attachment_filename="none.png"), "Its attachments folder has: swatch.png."
    ),
    "nc_notes_add_attachment": Refused(
        about("Paint colours", filename="swatch.png", content="AAAA"), "has another attachment 'swatch.png' already"
    ),
}
