"""A real server in the place of the sandbox: the dump that our page gives, and plans that name no id of the sandbox."""

import json
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.search.servers import postgres_url, stop_servers
from tests.snippets import snippets_of

from aboveboard.audit.facts import Facts
from aboveboard.audit.verify.backend_file import load_bookkeeping
from aboveboard.audit.verify.state import facts, is_covered
from aboveboard.cli.services import NAMES, bookkeeping_file, plan_folder

ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-")
TABLES = """
create table oc_share (id integer primary key, share_with text);
create table oc_preferences (userid text, appid text, configkey text, configvalue text,
                             primary key (userid, appid, configkey));
create table oc_deck_cards (id integer primary key, title text, archived BOOLEAN, deleted_at integer);
create table oc_news_items (id integer primary key, unread BOOLEAN, starred BOOLEAN);
create table oc_cards (id integer primary key, carddata BLOB);
create table oc_storages (numeric_id integer primary key, id text);
create table oc_filecache (fileid integer primary key, storage integer, path text, parent integer, name text,
                           etag text, mtime integer);
insert into oc_share values (7, 'bob');
insert into oc_preferences values ('ada', 'files', 'lastSeenQuotaUsage', '12');
insert into oc_deck_cards values (1, 'Door', 0, 0), (2, 'Roof', 1, 0), (3, 'Gone', 0, 1794856154);
insert into oc_news_items values (1, 1, 0), (2, 0, 1);
insert into oc_cards values (1, X'464EC3BC'), (2, X'FF00');
insert into oc_storages values (1, 'home::ada'), (2, 'local::/data/');
insert into oc_filecache values (3, 1, 'files/plan.md', 2, 'plan.md', 'e1', 1),
                                (4, 1, 'files_trashbin/files/old.md.d1', 2, 'old.md.d1', 'e2', 1),
                                (6, 1, 'files/film.mp4', 2, 'film.mp4', 'e4', 1),
                                (5, 2, 'appdata/x', 2, 'x', 'e3', 1);
"""


@pytest.fixture(scope="session")
def database() -> Iterator[str]:
    yield postgres_url()
    stop_servers()


@pytest.fixture
def found(tmp_path: Path) -> dict[str, Any]:
    """Return the facts of a small Nextcloud, as the script of our page tells them."""
    (script,) = [one for one in snippets_of("docs/proving-on-a-real-server.md") if one.name == "state.py"]
    (tmp_path / "state.py").write_text(script.text, encoding="utf-8")
    data = tmp_path / "data"
    (data / "ada" / "files").mkdir(parents=True)
    (data / "ada" / "files" / "plan.md").write_text("# Plan\n", encoding="utf-8")
    (data / "ada" / "files" / "film.mp4").write_bytes(b"\xff" * 2_000_000)
    with sqlite3.connect(data / "nextcloud.db") as db:
        db.executescript(TABLES)
    done = subprocess.run([sys.executable, str(tmp_path / "state.py"), str(data)], capture_output=True, check=True)
    return dict(facts(json.loads(done.stdout)))


def test_rows_are_facts_by_table_key_and_column_and_files_by_their_id(found: dict[str, Any]) -> None:
    assert found["oc_share/7/share_with"] == "bob"
    assert found["nodes/3/content"] == "# Plan\n"
    assert "nodes/4" in found, "what is in the bin is not gone for good"
    assert found["trash/4/name"] == "old.md.d1"
    assert not any("appdata" in str(value) for value in found.values())
    known = load_bookkeeping(bookkeeping_file("nextcloud"))
    counted = {path for path in found if not is_covered(path, known)}
    assert {"oc_share/7/share_with", "nodes/3/content", "nodes/4", "files/3/name"} <= counted
    quiet = {"oc_preferences/ada files lastSeenQuotaUsage/configvalue", "files/3/etag", "trash/4/name"}
    assert not counted & quiet


def test_of_a_film_a_digest_is_told_and_of_a_text_all_of_it(found: dict[str, Any]) -> None:
    assert len(found["nodes/6/content"]) == 64
    assert found["nodes/3/content"] == "# Plan\n"


def test_a_flag_is_a_fact_where_it_is_set_and_what_is_in_a_bin_is_not_at_its_place(found: dict[str, Any]) -> None:
    assert "oc_deck_cards/1/archived" not in found
    assert found["oc_deck_cards/2/archived"] == 1
    assert "oc_deck_cards/3" not in found
    assert found["trash/oc_deck_cards 3/title"] == "Gone"
    assert found["trash/4/name"] == "old.md.d1", "the files' bin is told beside it"
    assert "oc_news_items/1/read" not in found
    assert (found["oc_news_items/2/read"], found["oc_news_items/2/starred"]) == (1, 1)


def test_what_a_database_keeps_as_bytes_is_told_as_the_text_that_it_is(found: dict[str, Any]) -> None:
    assert (found["oc_cards/1/carddata"], found["oc_cards/2/carddata"]) == ("FNü", "ff00")


LIGHTDASH = """
create table saved_queries (saved_query_id serial primary key, name text, deleted_at timestamptz,
  search text generated always as (name) stored);
create table saved_queries_versions (saved_queries_version_id serial primary key, saved_query_id int references
  saved_queries, created_at timestamptz default clock_timestamp(), row_limit int);
create table saved_queries_version_fields (saved_queries_version_field_id serial primary key,
  saved_queries_version_id int references saved_queries_versions, name text, "order" int);
create schema graphile_worker;
create table graphile_worker.jobs (id serial, task text);
insert into saved_queries (name) values ('Revenue/month');
insert into saved_queries_versions (saved_query_id, row_limit) values (1, 500);
insert into saved_queries_version_fields (saved_queries_version_id, name) values (1, 'orders_status');
"""
LATER = """
insert into saved_queries_versions (saved_query_id, row_limit) values (1, 7);
insert into graphile_worker.jobs (task) values ('sendEmail');
update saved_queries set name = 'x', deleted_at = now();
"""


def test_a_lightdashs_rows_are_facts_with_what_holds_now_and_are_put_back(tmp_path: Path, database: str) -> None:
    psql = ["psql", "-d", database, "-qAtX", "-v", "ON_ERROR_STOP=1"]
    for script in snippets_of("docs/proving-on-a-real-server.md"):
        (tmp_path / (script.name or "other")).write_text(script.text, encoding="utf-8")

    def run(sql: str) -> None:
        subprocess.run(psql, input=sql.encode(), check=True, capture_output=True)

    def look() -> Facts:
        done = subprocess.run([sys.executable, str(tmp_path / "dump.py"), *psql], capture_output=True, check=True)
        return facts(json.loads(done.stdout))

    run(LIGHTDASH)
    run((tmp_path / "first.sql").read_text(encoding="utf-8"))
    before = look()
    assert before["saved_queries/1/name"] == "Revenue/month"
    assert before["now/saved_query_id 1/row_limit"] == 500
    assert "now/saved_query_id 1/saved_queries_version_fields/orders_status/order" in before
    run(LATER)
    after = look()
    assert after["now/saved_query_id 1/row_limit"] == 7, "versions stay: what holds is the newest"
    assert after["saved_queries_versions/1/row_limit"] == 500
    assert not any(path.startswith("now/saved_query_id 1/saved_queries_version_fields") for path in after)
    assert (after["trash/saved_queries/1/name"], "saved_queries/1/name" in after) == ("x", False)
    known = load_bookkeeping(bookkeeping_file("lightdash"))
    (job,) = [path for path in after if path.startswith("graphile_worker.jobs/") and path.endswith("/task")]
    assert is_covered(job, known)
    run("select first.restore()")
    assert look() == before
    run("select first.restore(); insert into saved_queries (name) values ('Next')")
    assert look()["saved_queries/2/name"] == "Next", "numbers start again where they stood"


def test_no_area_of_a_plan_names_a_record_by_an_id_of_the_sandbox() -> None:
    areas = [file for service in NAMES for file in plan_folder(service).glob("*.yaml") if file.name != "base.yaml"]
    assert areas
    assert [file for file in areas if ID.search(file.read_text(encoding="utf-8"))] == []
