"""`aboveboard audit` and `aboveboard rules`, as they are typed."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.audit.corpus import ROOT
from tests.audit.liars.stage import DELETE, GET, LIST, READS, tool
from tests.audit.web_stage import Site, serving
from tests.cli.command import environment, in_process
from tests.patience import patience

from aboveboard.audit.rules import RULES

Ran = subprocess.CompletedProcess[str]
Run = Callable[..., Ran]
LIE = tool("delete_note", "Delete a note for good.", READS)
BARE = {**GET, "annotations": None}


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Run the command in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))

    def go(*arguments: str) -> Ran:
        return in_process(*arguments, capsys=capsys)

    return go


def saved(*tools: object, name: str = "tools.json") -> str:
    Path(name).write_text(json.dumps({"tools": tools}), encoding="utf-8")
    return name


def liar(name: str) -> list[str]:
    return ["--", sys.executable, "-m", f"tests.audit.liars.{name}"]


def test_a_clean_server_is_0_a_lie_is_1_and_an_unreadable_target_is_2(run: Run) -> None:
    assert run("audit", saved(GET, DELETE)).returncode == 0
    assert run("audit", saved(BARE)).returncode == 1
    assert run("audit", "nowhere.json").returncode == 2
    assert run("audit").returncode == 2
    assert run("audit", "--", "no-such-program").returncode == 2


def test_the_limit_is_the_callers(run: Run) -> None:
    file = saved(LIE)
    assert run("audit", file).returncode == 0
    assert run("audit", file, "--fail-on", "warning").returncode == 1
    assert run("audit", saved(BARE), "--fail-on", "never").returncode == 0


def test_a_command_after_two_dashes_is_started_with_its_own_options(run: Run) -> None:
    found = run("audit", "--format", "json", *liar("pro01_banner"), "--format", "of its own")
    assert found.returncode == 1
    (finding,) = [one for one in json.loads(found.stdout)["findings"] if one["severity"] == "error"]
    assert (finding["rule"], finding["server"], finding["tool"]) == ("PRO01", "notes", None)
    assert "Welcome to notes 1.0!" in finding["message"]


def test_a_command_without_its_dashes_is_told_as_a_whole(run: Run) -> None:
    Path("server.py").write_text("", encoding="utf-8")
    told = {
        "audit -- python server.py 'two words'": ["audit", saved(GET), "python", "server.py", "two words"],
        "audit -- npx -y some-server": ["audit", "npx -y some-server"],
        "check -- npx": ["check", "npx"],
    }
    for line, given in told.items():
        found = run(*given)
        assert found.returncode == 2
        assert found.stderr.endswith(f"put it after two dashes: aboveboard {line}\n")


def test_a_listing_is_not_saved_over_a_plan(run: Run) -> None:
    Path("plan.yaml").write_text("tools: {}\n", encoding="utf-8")
    found = run("audit", saved(GET), "--save", "plan.yaml")
    assert found.returncode == 2
    assert "plan.yaml may be a plan and is not written over. Name another file." in found.stderr
    assert Path("plan.yaml").read_text(encoding="utf-8") == "tools: {}\n"


def test_a_url_takes_headers_and_a_token(run: Run) -> None:
    with serving(Site(token="t-1")) as site:
        assert run("audit", site.url).returncode == 2
        assert run("audit", site.url, "--token", "t-1", "--header", "X-Team: notes").returncode == 0
    ours = [headers for _, _, headers in site.asked if headers.get("authorization") == "Bearer t-1"]
    assert ours
    assert {headers.get("x-team") for headers in ours} == {"notes"}
    assert "takes name:value" in run("audit", "http://127.0.0.1:9", "--header", "nonsense").stderr


def test_several_servers_share_names_and_a_budget(run: Run) -> None:
    one, two = saved(GET, name="one.json"), saved(GET, LIST, name="two.json")
    found = run("audit", one, two, "--token-budget", "100", "--format", "json")
    rules = {(finding["rule"], finding["server"]): finding for finding in json.loads(found.stdout)["findings"]}
    assert rules["NAM07", "two"]["message"] == "is also a tool of one"
    assert "over the budget of 100 (two " in rules["SIZ01", ""]["message"]
    again = run("audit", one, one)
    assert "one-2" in again.stdout


def test_what_can_be_read_is_reported_beside_what_cannot(run: Run) -> None:
    entry = {"command": sys.executable, "args": ["-m", "tests.audit.liars.honest_plain"]}
    config = {"mcpServers": {"good": entry, "bad": {"command": "no-such-program"}}}
    Path("mcp.json").write_text(json.dumps(config), encoding="utf-8")
    found = run("audit", "mcp.json")
    assert found.returncode == 2
    assert "good  4 tools" in found.stdout
    assert "bad  could not be read: 'no-such-program' cannot be started" in found.stdout


def test_what_changed_since_the_baseline_is_told(run: Run) -> None:
    assert run("audit", saved(DELETE, GET), "--save", "before.json").returncode == 0
    mild = {**DELETE, "annotations": {**DELETE["annotations"], "destructiveHint": False}}
    found = run("audit", saved(mild, LIST), "--baseline", "before.json", "--format", "json")
    assert found.returncode == 1
    told = {(one["rule"], one["tool"]): one["message"] for one in json.loads(found.stdout)["findings"]}
    assert told["ANN10", "delete_note"] == "destructiveHint was true in the baseline and is false now"
    assert ("DRF02", "list_notes") in told
    assert ("DRF03", "get_note") in told
    assert run("audit", saved(DELETE, GET), "--baseline", "before.json", "--fail-on", "warning").returncode == 0


def test_baselines_of_several_servers_are_paired_by_name(run: Run) -> None:
    one, two = saved(GET, name="one.json"), saved(LIST, name="two.json")
    run("audit", one, two, "--save", "both.json")
    found = run("audit", saved(LIST, GET, name="two.json"), one, "--baseline", "both.json", "--format", "json")
    drifted = [(one["rule"], one["server"], one["tool"]) for one in json.loads(found.stdout)["findings"]]
    assert ("DRF02", "two", "get_note") in drifted
    assert not [one for one in drifted if one[0] == "DRF03"]


def test_rules_are_chosen_and_left_out(run: Run) -> None:
    file = saved(BARE, LIE)
    chosen = json.loads(run("audit", file, "--select", "ANN06", "--format", "json").stdout)
    assert {one["rule"] for one in chosen["findings"]} == {"ANN06"}
    ignored = run("audit", file, "--ignore", "ANN06:delete_*", "--ignore", "ANN01", "--format", "json")
    assert ignored.returncode == 0
    assert {one["rule"] for one in json.loads(ignored.stdout)["ignored"]} == {"ANN01", "ANN06"}
    assert "has no rule 'ANN77'" in run("audit", file, "--ignore", "ANN77").stderr


def test_the_settings_of_the_project_count(run: Run) -> None:
    text = '[tool.aboveboard.audit]\nfail-on = "never"\nignore = { ANN01 = "Old clients." }\nprofiles = ["strict"]\n'
    Path("pyproject.toml").write_text(text)
    found = run("audit", saved(BARE), "--format", "json")
    document = json.loads(found.stdout)
    assert (found.returncode, document["profiles"]) == (0, ["strict"])
    assert document["ignored"][0]["reason"] == "Old clients."
    Path("other.toml").write_text("[audit]\n")
    assert run("audit", saved(BARE), "--config", "other.toml").returncode == 1


def test_hints_that_only_the_source_has_are_told(run: Run) -> None:
    source = ROOT / "tests" / "audit" / "liars" / "ann09_source"
    found = run("audit", "--source", str(source), "--format", "json", *liar("ann09_hints_in_source_only"))
    (told,) = [
        one["message"]
        for one in json.loads(found.stdout)["findings"]
        if one["hint"] == "readOnlyHint" and one["rule"] == "ANN09"
    ]
    assert told == "readOnlyHint seems to be true at server.ts:5, and is not on the wire"
    assert run("audit", saved(GET), "--source", "nowhere").returncode == 2


def test_a_report_is_written_in_several_forms_at_once(run: Run) -> None:
    found = run("audit", saved(BARE), "--write", "sarif=a.sarif", "--write", "markdown=a.md", "-o", "a.txt")
    assert (found.stdout, found.returncode) == ("", 1)
    (run_of,) = json.loads(Path("a.sarif").read_text())["runs"]
    location = run_of["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert location == {"uri": "tools.json"}
    assert "has no annotations" in Path("a.md").read_text()
    assert "\x1b" not in Path("a.txt").read_text()
    assert "cannot be written" in run("audit", saved(GET), "-o", "no/such/folder.txt").stderr
    assert "has no format 'pdf'" in run("audit", saved(GET), "--write", "pdf=a.pdf").stderr


def test_code_scanning_is_led_to_the_line_of_the_tool(run: Run) -> None:
    Path("tools.json").write_text(json.dumps({"tools": [GET, BARE | {"name": "bare_note"}]}, indent=1))
    Path("code").mkdir()
    Path("code/server.py").write_text("# tools\n\nasync def bare_note() -> None: ...\n")

    def place(*options: str) -> tuple[str, int]:
        (found,) = json.loads(run("audit", "tools.json", "--format", "sarif", *options).stdout)["runs"]
        at = next(one for one in found["results"] if one["ruleId"] == "ANN01")["locations"][0]["physicalLocation"]
        return at["artifactLocation"]["uri"], at["region"]["startLine"]

    listed = Path("tools.json").read_text().splitlines().index('   "name": "bare_note",') + 1
    assert place() == ("tools.json", listed)
    assert place("--source", "code") == ("code/server.py", 3)


def test_colours_go_to_a_terminal_and_nowhere_else(run: Run) -> None:
    assert "\x1b" not in run("audit", saved(BARE)).stdout


def test_an_audit_that_is_stopped_leaves_no_server_behind() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(patience(15))
        port = str(listener.getsockname()[1])
        server = [sys.executable, "-m", "tests.audit.broken.waits_with_a_socket", port]
        command = [sys.executable, "-m", "aboveboard", "audit", "--", *server]
        with subprocess.Popen(command, env=environment(), cwd=ROOT, stdout=subprocess.PIPE) as audit:
            connection, _ = listener.accept()
            with connection:
                os.kill(audit.pid, signal.SIGTERM)
                connection.settimeout(patience(15))
                assert connection.recv(1) == b""
            assert audit.wait(timeout=patience(15)) == 128 + signal.SIGTERM


def test_the_rules_are_listed_and_explained(run: Run) -> None:
    listed = run("rules").stdout
    assert all(f"{rule.id}  " in listed for rule in RULES)
    assert f"{len(RULES)} rules" in listed
    explained = run("rules", "ann04")
    assert "ANN04  A tool is declared read-only and destructive at once." in explained.stdout
    for part in ("Why: One of the two is false.", "Fix: Decide", "Bad", "Good", '"destructiveHint": true'):
        assert part in explained.stdout
    assert run("rules", "read-only-and-destructive").stdout == explained.stdout
    unknown = run("rules", "ANN4")
    assert unknown.returncode == 2
    assert "'ANN04'" in unknown.stderr
    assert {one["id"] for one in json.loads(run("rules", "--json").stdout)} == {rule.id for rule in RULES}
