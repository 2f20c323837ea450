"""Credentials at rest."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from aboveboard.errors import BadInput
from aboveboard.kit.people.sealing import Keys, Unreadable, new_line

SECRET = {"login": "ada", "password": "wachtwoord-ü"}


def keys(folder: Path, *lines: str) -> Keys:
    file = folder / "keys"
    file.write_text("\n".join(lines) + "\n")
    return Keys.read(file)


def test_what_was_sealed_for_one_row_opens_for_no_other(tmp_path: Path) -> None:
    ring = keys(tmp_path, new_line())
    sealed = ring.seal(SECRET, "grant-1")
    assert ring.open(sealed, "grant-1") == SECRET
    assert b"wachtwoord" not in sealed
    with pytest.raises(Unreadable):
        ring.open(sealed, "grant-2")


def test_one_changed_bit_anywhere_is_noticed(tmp_path: Path) -> None:
    ring = keys(tmp_path, new_line())
    sealed = ring.seal(SECRET, "grant-1")
    for place in range(len(sealed)):
        changed = sealed[:place] + bytes([sealed[place] ^ 1]) + sealed[place + 1 :]
        with pytest.raises(Unreadable):
            ring.open(changed, "grant-1")
    with pytest.raises(Unreadable):
        ring.open(b"", "grant-1")


def test_two_seals_of_the_same_secret_differ(tmp_path: Path) -> None:
    ring = keys(tmp_path, new_line())
    assert ring.seal(SECRET, "grant-1") != ring.seal(SECRET, "grant-1")


def test_an_old_key_still_opens_and_the_first_one_seals(tmp_path: Path) -> None:
    old, new = new_line(), new_line()
    sealed = keys(tmp_path, old).seal(SECRET, "grant-1")
    both = keys(tmp_path, new, old)
    assert both.open(sealed, "grant-1") == SECRET
    assert not both.is_current(sealed)
    assert both.is_current(both.seal(SECRET, "grant-1"))
    with pytest.raises(Unreadable):
        keys(tmp_path, new).open(sealed, "grant-1")


def test_a_missing_key_file_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "new" / "keys"
    sealed = Keys.read(file).seal(SECRET, "grant-1")
    assert file.stat().st_mode & 0o777 == 0o600
    assert Keys.read(file).open(sealed, "grant-1") == SECRET


def test_servers_that_start_together_make_one_key_file(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as several:
        rings = list(several.map(Keys.read, [tmp_path / "new" / "keys"] * 8))
    sealed = rings[0].seal(SECRET, "grant-1")
    assert [ring.open(sealed, "grant-1") for ring in rings] == [SECRET] * 8
    assert [one.name for one in (tmp_path / "new").iterdir()] == ["keys"]


def test_two_keys_of_one_id_are_refused_since_one_of_them_would_never_be_used(tmp_path: Path) -> None:
    ident = new_line().partition(":")[0]
    lines = [f"{ident}:{new_line().partition(':')[2]}" for _ in range(2)]
    with pytest.raises(BadInput, match="two keys of the same id"):
        keys(tmp_path, *lines)


@pytest.mark.parametrize("text", ["", "k1", "k1:AAAA", "k1:not base64!", "k 1:" + "A" * 44, "a" * 17 + ":" + "A" * 44])
def test_a_file_that_holds_no_key_is_refused_in_words(tmp_path: Path, text: str) -> None:
    with pytest.raises(BadInput, match="ABOVEBOARD_STORE_KEYS"):
        keys(tmp_path, text)
