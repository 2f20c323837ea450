"""A real server in the place of the sandbox: the dump that our page gives, and plans that name no id of the sandbox."""

import json
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

from tests.snippets import snippets_of

from aboveboard.audit.verify.backend_file import load_bookkeeping
from aboveboard.audit.verify.state import covered, facts
from aboveboard.cli.services import NAMES, bookkeeping_file, plan_folder

ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-")
TABLES = """
create table oc_share (id integer primary key, share_with text);
create table oc_preferences (userid text, appid text, configkey text, configvalue text,
                             primary key (userid, appid, configkey));
create table oc_storages (numeric_id integer primary key, id text);
create table oc_filecache (fileid integer primary key, storage integer, path text, parent integer, name text,
                           etag text, mtime integer);
insert into oc_share values (7, 'bob');
insert into oc_preferences values ('ada', 'files', 'lastSeenQuotaUsage', '12');
insert into oc_storages values (1, 'home::ada'), (2, 'local::/data/');
insert into oc_filecache values (3, 1, 'files/plan.md', 2, 'plan.md', 'e1', 1),
                                (4, 1, 'files_trashbin/files/old.md.d1', 2, 'old.md.d1', 'e2', 1),
                                (5, 2, 'appdata/x', 2, 'x', 'e3', 1);
"""


def test_rows_are_facts_by_table_key_and_column_and_files_by_their_id(tmp_path: Path) -> None:
    (script,) = [one for one in snippets_of("docs/proving-on-a-real-server.md") if one.name == "state.py"]
    (tmp_path / "state.py").write_text(script.text, encoding="utf-8")
    data = tmp_path / "data"
    (data / "ada" / "files").mkdir(parents=True)
    (data / "ada" / "files" / "plan.md").write_text("# Plan\n", encoding="utf-8")
    with sqlite3.connect(data / "nextcloud.db") as db:
        db.executescript(TABLES)
    done = subprocess.run([sys.executable, str(tmp_path / "state.py"), str(data)], capture_output=True, check=True)
    found = facts(json.loads(done.stdout))
    assert found["oc_share/7/share_with"] == "bob"
    assert found["nodes/3/content"] == "# Plan\n"
    assert "nodes/4" in found, "what is in the bin is not gone for good"
    assert found["trash/4/name"] == "old.md.d1"
    assert not any("appdata" in str(value) for value in found.values())
    known = load_bookkeeping(bookkeeping_file("nextcloud"))
    counted = {path for path in found if not covered(path, known)}
    assert {"oc_share/7/share_with", "nodes/3/content", "nodes/4", "files/3/name"} <= counted
    quiet = {"oc_preferences/ada files lastSeenQuotaUsage/configvalue", "files/3/etag", "trash/4/name"}
    assert not counted & quiet


def test_no_area_of_a_plan_names_a_record_by_an_id_of_the_sandbox() -> None:
    areas = [file for service in NAMES for file in plan_folder(service).glob("*.yaml") if file.name != "base.yaml"]
    assert areas
    assert [file for file in areas if ID.search(file.read_text(encoding="utf-8"))] == []
