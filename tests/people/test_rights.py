"""Scopes, umbrellas and modes."""

import pytest

from aboveboard.kit.mode import Mode
from aboveboard.kit.people.rights import Rights, Scopes
from aboveboard.kit.policy import Policy
from aboveboard.kit.service import Catalogue
from aboveboard.nextcloud.server import SERVICE

SCOPES = Scopes({"notes": "Notes", "files": "Files"})
READS = {"notes.read", "files.read", "access.read"}


@pytest.mark.parametrize(
    ("granted", "covers"),
    [
        ("", {"access.read"}),
        ("notes.read", {"notes.read", "access.read"}),
        ("notes.write", {"notes.read", "notes.write", "access.read"}),
        ("read", READS),
        ("read notes.write", {*READS, "notes.write"}),
        ("write", {*READS, "notes.write", "files.write", "access.write"}),
    ],
)
def test_writing_includes_reading_and_an_umbrella_every_area(granted: str, covers: set[str]) -> None:
    assert SCOPES.expanded(SCOPES.known(granted)) == covers


@pytest.mark.parametrize(
    ("asked", "known"),
    [
        (None, set[str]()),
        (" offline_access", set[str]()),
        ("read offline_access openid", {"read"}),
        ("notes:write files:read", {"notes.write", "files.read"}),
        ("calendar.read NOTES.READ", set[str]()),
    ],
)
def test_what_is_not_known_is_left_out_and_colons_are_dots(asked: str | None, known: set[str]) -> None:
    assert SCOPES.known(asked) == known


def test_a_choice_of_all_areas_is_the_umbrella_so_that_new_areas_are_covered() -> None:
    assert SCOPES.preset(Mode.READ_ONLY, ["notes", "files"]) == Rights(frozenset({"read"}), Mode.READ_ONLY)
    assert SCOPES.preset(Mode.ADDITIVE, ["files", "notes"]) == Rights(frozenset({"write"}), Mode.ADDITIVE)
    assert SCOPES.preset(Mode.FULL, ["notes", "nonsense"]) == Rights(frozenset({"notes.write"}), Mode.FULL)


def test_nobody_is_offered_more_than_the_operator_allows() -> None:
    careful = Scopes({"notes": "Notes"}, ceiling=Mode.ADDITIVE)
    assert careful.modes == [Mode.READ_ONLY, Mode.ADDITIVE]
    assert careful.preset(Mode.FULL, ["notes"]).mode is Mode.ADDITIVE
    assert careful.asked(frozenset({"write"})) == (Mode.ADDITIVE, ["notes"])


def test_an_area_that_the_operator_switched_off_is_no_right_to_ask_for() -> None:
    off = Scopes.of(Catalogue(SERVICE, Policy(exclude=["notes"])))
    assert "notes" not in off.areas
    assert off.known("notes.read files.read") == {"files.read"}


def test_who_asks_for_nothing_is_offered_reading() -> None:
    assert SCOPES.asked(frozenset()) == (Mode.READ_ONLY, ["notes", "files"])
    assert SCOPES.asked(frozenset({"files.write"})) == (Mode.FULL, ["files"])
