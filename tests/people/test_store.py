"""The store, on SQLite and PostgreSQL alike: one winner, rights that act at once, nothing left of who is forgotten."""

import base64
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection
from tests.people.stores import NOW, every_row, keys, some_grant

from aboveboard.errors import BadInput
from aboveboard.kit.mode import Mode
from aboveboard.kit.people import grants, housekeeping, pending, tokens
from aboveboard.kit.people.adapter import Identity
from aboveboard.kit.people.housekeeping import Rekeyed
from aboveboard.kit.people.pending import SignInRequest
from aboveboard.kit.people.rights import Rights
from aboveboard.kit.people.sealing import Keys, Unreadable
from aboveboard.kit.people.store import Store, put_row
from aboveboard.kit.people.tables import clients, metadata
from aboveboard.kit.people.tokens import ACCESS, ACCESS_LIFE, CODE_LIFE, GRACE, REFRESH, REFRESH_LIFE, Pair

T = TypeVar("T")


def at_once(store: Store, times: int, work: Callable[[Connection], T]) -> list[T]:
    """Do the same several times at the same time, each in a transaction of its own."""
    with ThreadPoolExecutor(times) as several:
        return [one.result() for one in [several.submit(store.now_write, work) for _ in range(times)]]


def test_the_migrations_make_the_tables_that_the_code_knows(empty: str) -> None:
    def differences(db: Connection) -> object:
        context = MigrationContext.configure(db, opts={"compare_type": True})
        return compare_metadata(context, metadata)

    store = Store(empty)
    assert store.now_read(differences) == []
    store.close()


def test_replicas_that_start_together_all_find_the_tables(empty: str) -> None:
    with ThreadPoolExecutor(4) as several:
        opened = list(several.map(Store, [empty] * 4))
    assert {name for one in opened for name in every_row(one)} == set(metadata.tables)
    for one in opened:
        one.close()


def test_a_person_who_comes_twice_at_once_is_one_person(store: Store) -> None:
    ids = at_once(store, 8, lambda db: grants.remember(db, "https://cloud", Identity("ada", "Ada"), NOW))
    assert len(set(ids)) == 1


def test_of_twenty_exchanges_of_one_code_one_succeeds(store: Store) -> None:
    grant = some_grant(store)
    code = store.now_write(lambda db: tokens.new_code(db, grant.id, "c", "https://r", explicit=True, now=NOW))
    pairs = at_once(store, 20, lambda db: tokens.take_code(db, code, NOW))
    assert len([pair for pair in pairs if pair]) == 1
    assert store.now_read(lambda db: tokens.look_up_code(db, code, NOW)) is None


def test_a_code_that_is_a_minute_old_is_worth_nothing(store: Store) -> None:
    grant = some_grant(store)
    code = store.now_write(lambda db: tokens.new_code(db, grant.id, "c", "https://r", explicit=True, now=NOW))
    assert store.now_write(lambda db: tokens.take_code(db, code, NOW + CODE_LIFE)) is None


def issued(store: Store) -> Pair:
    grant = some_grant(store)
    return store.now_write(lambda db: tokens.issue(db, grant, NOW))


def test_a_token_is_known_until_it_expires_and_only_as_what_it_is(store: Store) -> None:
    pair = issued(store)
    for token, kind, life in ((pair.access, ACCESS, ACCESS_LIFE), (pair.refresh, REFRESH, REFRESH_LIFE)):
        assert store.now_read(lambda db, t=token, k=kind, e=life: tokens.look_up(db, t, k, NOW + e - 1)) is not None
        assert store.now_read(lambda db, t=token, k=kind, e=life: tokens.look_up(db, t, k, NOW + e)) is None
    assert store.now_read(lambda db: tokens.look_up(db, pair.refresh, ACCESS, NOW)) is None


def test_what_is_kept_of_tokens_and_credentials_tells_nobody_what_they_are(store: Store) -> None:
    pair = issued(store)
    kept = repr(every_row(store))
    assert pair.access not in kept
    assert pair.refresh not in kept
    assert "secret of ada" not in kept


def test_processes_that_share_a_refresh_token_all_get_a_pair_within_the_grace(store: Store) -> None:
    pair = issued(store)
    made = at_once(store, 5, lambda db: tokens.rotate(db, pair.refresh, NOW))
    assert all(isinstance(one, Pair) for one in made)
    assert isinstance(store.now_write(lambda db: tokens.rotate(db, pair.refresh, NOW + GRACE - 1)), Pair)


def test_a_refresh_token_that_comes_again_after_the_grace_ends_the_grant(store: Store) -> None:
    pair = issued(store)
    fresh = store.now_write(lambda db: tokens.rotate(db, pair.refresh, NOW))
    assert isinstance(fresh, Pair)
    stolen = store.now_write(lambda db: tokens.rotate(db, pair.refresh, NOW + GRACE))
    assert isinstance(stolen, grants.Grant)
    assert store.now_read(lambda db: tokens.look_up(db, fresh.access, ACCESS, NOW + GRACE)) is None
    assert store.now_read(lambda db: grants.find(db, stolen.id)) is None


def test_a_change_of_rights_acts_on_the_next_look(store: Store) -> None:
    pair = issued(store)
    wider = Rights(frozenset({"write"}), Mode.ADDITIVE)
    store.now_write(lambda db: grants.set_rights(db, pair.grant, wider, NOW))
    known = store.now_read(lambda db: tokens.look_up(db, pair.access, ACCESS, NOW))
    assert known is not None
    assert known.grant.rights == wider


def test_a_dead_credential_ends_its_tokens(store: Store) -> None:
    pair = issued(store)
    store.now_write(lambda db: grants.mark_dead(db, pair.grant, NOW))
    assert store.now_read(lambda db: tokens.look_up(db, pair.access, ACCESS, NOW)) is None
    assert store.now_write(lambda db: tokens.rotate(db, pair.refresh, NOW)) is None


def test_people_are_those_whose_credentials_live_and_whoever_was_there_once_can_still_be_found(store: Store) -> None:
    ada, bob = some_grant(store, "ada"), some_grant(store, "bob")
    some_grant(store, "bob", "cursor")
    store.now_write(lambda db: grants.mark_dead(db, ada, NOW))
    assert store.now_read(lambda db: grants.people(db, "https://cloud")) == [bob.person]
    store.now_write(lambda db: grants.end(db, ada, "a test", NOW))
    assert store.now_read(lambda db: grants.person_of(db, "https://cloud", "ada")) == ada.person
    assert store.now_read(lambda db: grants.person_of(db, "https://other", "ada")) is None


def test_of_all_who_want_to_renew_a_credential_one_may(store: Store) -> None:
    grant = some_grant(store)
    told = at_once(store, 10, lambda db: grants.claim(db, grant, NOW, NOW + 30))
    assert told.count(True) == 1
    assert store.now_write(lambda db: grants.claim(db, grant, NOW + 31, NOW + 60)), "who took it on was killed"
    store.now_write(lambda db: grants.set_credential(db, grant, b"x"))
    assert not store.now_write(lambda db: grants.claim(db, grant, NOW + 99, NOW + 120)), "it was renewed by another"


def test_whoever_is_forgotten_leaves_no_row_and_others_stay(store: Store) -> None:
    ada, bob = some_grant(store, "ada"), some_grant(store, "bob")
    for grant in (ada, bob):
        store.now_write(lambda db, grant=grant: tokens.issue(db, grant, NOW))
        store.now_write(lambda db, g=grant: tokens.new_code(db, g.id, "c", "https://r", explicit=True, now=NOW))
    store.now_write(lambda db: grants.forget(db, ada.person))
    left = repr(every_row(store))
    assert ada.person not in left
    assert ada.id not in left
    assert bob.id in left


def test_what_has_expired_goes_and_a_grant_that_nobody_used_for_a_month_is_to_end(store: Store) -> None:
    idle, fresh = some_grant(store, "ada"), some_grant(store, "bob")
    store.now_write(lambda db: tokens.issue(db, idle, NOW))
    later = NOW + housekeeping.IDLE
    store.now_write(lambda db: grants.set_used(db, fresh.id, later))
    assert store.now_write(lambda db: housekeeping.tidy(db, later - 1, "https://cloud")) == []
    assert [grant.id for grant in store.now_write(lambda db: housekeeping.tidy(db, later, "https://cloud"))] == [
        idle.id
    ]
    assert every_row(store)["tokens"] == []


def test_a_database_that_several_instances_share_keeps_their_people_apart(store: Store) -> None:
    mine = some_grant(store, "ada")
    assert [one.id for one in store.now_read(lambda db: grants.everyone(db, "https://cloud"))] == [mine.id]
    later = NOW + housekeeping.IDLE
    for nothing in (
        store.now_read(lambda db: grants.everyone(db, "https://dash")),
        store.now_read(lambda db: grants.people(db, "https://dash")),
        store.now_write(lambda db: housekeeping.tidy(db, later, "https://dash")),
    ):
        assert nothing == []
    assert store.now_write(lambda db: housekeeping.rekey(db, Keys({"k2": b"2" * 32}), "https://dash")) == Rekeyed(0, 0)


def test_a_credential_whose_key_is_gone_is_counted_and_keeps_nobody_elses_from_a_new_seal(store: Store) -> None:
    lost, kept = some_grant(store, "ada"), some_grant(store, "bob")
    old = Keys({"old": b"3" * 32}).seal({"password": "x"}, lost.id)
    store.now_write(lambda db: grants.set_credential(db, lost, old))
    ring = Keys({"k2": b"2" * 32, "k1": b"1" * 32})
    assert store.now_write(lambda db: housekeeping.rekey(db, ring, "https://cloud")) == Rekeyed(1, 1)
    sealed = store.now_read(lambda db: grants.find(db, kept.id))
    assert sealed is not None
    assert Keys({"k2": b"2" * 32}).open(sealed.credential, kept.id) == {"password": "secret of bob"}


def test_a_credential_copied_to_another_row_does_not_open(store: Store) -> None:
    ada, bob = some_grant(store, "ada"), some_grant(store, "bob")
    store.now_write(lambda db: grants.set_credential(db, bob, ada.credential))
    moved = store.now_read(lambda db: grants.find(db, bob.id))
    assert moved is not None
    with pytest.raises(Unreadable):
        keys().open(moved.credential, moved.id)


@pytest.mark.parametrize("place", ["mysql://host/name", "postgresql://127.0.0.1:1/none"])
def test_a_store_that_cannot_be_opened_says_so(place: str) -> None:
    with pytest.raises(BadInput, match="ABOVEBOARD_STORE"):
        Store(place)


@pytest.mark.parametrize("scheme", ["", "sqlite:///"])
def test_a_new_file_is_for_its_owner_alone(tmp_path: Path, scheme: str) -> None:
    file = tmp_path / "deep" / "people.db"
    store = Store(f"{scheme}{file}")
    some_grant(store)
    assert {one.stat().st_mode & 0o777 for one in file.parent.iterdir()} == {0o600}
    store.close()


def test_what_several_keep_under_one_key_at_the_same_time_is_kept_by_each(store: Store) -> None:
    client = {"id": "https://claude.ai/client.json", "kind": "document", "document": "{}", "created": NOW}
    at_once(store, 8, lambda db: put_row(db, clients, {**client, "fresh_until": NOW}))
    at_once(store, 8, lambda db: put_row(db, clients, {**client, "fresh_until": NOW + 1}))
    assert every_row(store)["clients"] == [(*client.values(), NOW + 1)]
    grant = some_grant(store)
    at_once(store, 8, lambda db: tokens.introduce(db, grant.id, "ada at claude", NOW))
    assert store.now_read(lambda db: tokens.look_up(db, "ada at claude", tokens.IDENTITY, NOW)) is not None


def test_a_credential_that_was_renewed_while_others_were_sealed_anew_stays_as_it_is(store: Store) -> None:
    read = some_grant(store)
    store.now_write(lambda db: grants.set_credential(db, read, b"renewed"))
    store.now_write(lambda db: housekeeping.replace(db, read, b"the old one, sealed anew"))
    kept = store.now_read(lambda db: grants.find(db, read.id))
    assert kept is not None
    assert kept.credential == b"renewed"


def test_a_client_that_registered_and_came_no_further_is_forgotten_and_one_in_use_is_not(store: Store) -> None:
    some_grant(store, client="in use")
    for ident in ("in use", "unused"):
        row = {"id": ident, "kind": "registered", "document": "{}", "created": NOW, "fresh_until": NOW}
        store.now_write(lambda db, row=row: put_row(db, clients, row))
    store.now_write(lambda db: housekeeping.tidy(db, NOW + housekeeping.UNUSED - 1, "https://cloud"))
    assert len(every_row(store)["clients"]) == 2
    store.now_write(lambda db: housekeeping.tidy(db, NOW + housekeeping.UNUSED, "https://cloud"))
    assert [row[0] for row in every_row(store)["clients"]] == ["in use"]


def test_a_client_whose_access_ended_can_still_ask_for_it_again(store: Store) -> None:
    row = {"id": "claude", "kind": "registered", "document": "{}", "created": NOW, "fresh_until": NOW}
    store.now_write(lambda db: put_row(db, clients, row))
    grant = some_grant(store, client="claude")
    store.now_write(lambda db: grants.end(db, grant, "the person ended it", NOW + 1))
    store.now_write(lambda db: housekeeping.tidy(db, NOW + grants.REMEMBERED - 1, "https://cloud"))
    assert [row[0] for row in every_row(store)["clients"]] == ["claude"], "clients keep their ids for good"
    store.now_write(lambda db: housekeeping.tidy(db, NOW + grants.REMEMBERED, "https://cloud"))
    assert every_row(store)["clients"] == []


def test_the_secret_of_a_client_is_sealed_anew_as_well(store: Store) -> None:
    sealed = base64.b64encode(keys().seal({"secret": "s"}, "it")).decode()
    row = {"id": "it", "kind": "registered", "document": json.dumps({"sealed": sealed}), "created": NOW}
    store.now_write(lambda db: put_row(db, clients, {**row, "fresh_until": NOW}))
    store.now_write(lambda db: housekeeping.rekey(db, Keys({"k2": b"2" * 32, "k1": b"1" * 32}), "https://cloud"))
    document = json.loads(str(every_row(store)["clients"][0][2]))
    assert Keys({"k2": b"2" * 32}).open(base64.b64decode(document["sealed"]), "it") == {"secret": "s"}


ASKED = SignInRequest(
    client="c", client_name="C", client_home=None, redirect="", explicit=False, state=None, challenge=""
)


def test_more_sign_ins_than_can_be_are_a_flood_until_some_are_over(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pending, "MOST", 2)
    begun = [store.now_write(lambda db: pending.begin(db, ASKED, NOW)) for _ in range(3)]
    assert [one is None for one in begun] == [False, False, True]
    assert store.now_write(lambda db: pending.begin(db, ASKED, NOW + pending.LIFE)) is not None


def test_of_several_who_wait_for_one_sign_in_one_asks_the_service_each_second(store: Store) -> None:
    ident = store.now_write(lambda db: pending.begin(db, ASKED, NOW)) or ""
    assert at_once(store, 8, lambda db: pending.may_poll(db, ident, NOW)).count(True) == 1
    assert not store.now_write(lambda db: pending.may_poll(db, ident, NOW + 0.9))
    assert store.now_write(lambda db: pending.may_poll(db, ident, NOW + 1))


def test_a_code_of_a_credential_that_died_is_worth_nothing(store: Store) -> None:
    grant = some_grant(store)
    code = store.now_write(lambda db: tokens.new_code(db, grant.id, "c", "https://r", explicit=True, now=NOW))
    store.now_write(lambda db: grants.mark_dead(db, grant, NOW))
    assert store.now_write(lambda db: tokens.take_code(db, code, NOW)) is None
