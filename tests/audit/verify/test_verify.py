"""A real server with a real backend behind it, watched: every verdict, and the finding that goes with it."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, chdir, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from tests.audit.corpus import ROOT
from tests.audit.watched import WATCHED, watch
from tests.forked import forked
from tests.patience import patience

from aboveboard.audit.evidence import HINTS, Behaviour, ServerSession
from aboveboard.audit.judge import judge
from aboveboard.audit.rule import Profile
from aboveboard.audit.verdict import Ruling, Verdict
from aboveboard.audit.verify import ConnectOptions, Proof, load_plan, parse_plan, verify
from aboveboard.audit.verify.plan import Backend, Record, Restart, Shell, Step
from aboveboard.audit.verify.processes import free_port
from aboveboard.audit.verify.reporting import without_repeats
from aboveboard.errors import BadInput, Failure

MARKS = {
    "+": Ruling.HOLDS,
    "!": Ruling.VIOLATED,
    ".": Ruling.NOT_OBSERVED,
    "o": Ruling.UNTRIED,
    "?": Ruling.UNVERIFIABLE,
}
EXPECTED = {
    "list_notes": "++++",
    "search_notes": "++++",
    "get_note": "++++",
    "peek_note": "!!!+",
    "create_note": "++++",
    "create_note_once": "++!+",
    "tag_note": "++++",
    "rewrite_note": "++++",
    "amend_note": "+!++",
    "delete_note": "++++",
    "draw_note": "???!",
    "remembered_notes": "????",
    "half_move_note": "++??",
    "manage_note": "oooo",
    "count_notes": "....",
    "unplanned": "????",
    "shout_notes": "++++",
    "late_note": "????",
    "sleepy_notes": "????",
    "ever_failing": "????",
}


def _of(proof: Proof, tool: str, hint: str) -> Verdict:
    return next(one for one in proof.verdicts if (one.tool, one.hint) == (tool, hint))


def test_every_hint_of_every_tool_gets_the_verdict_that_is_true(proof: Proof) -> None:
    assert [(one.tool, one.hint) for one in proof.verdicts] == [(tool, hint) for tool in EXPECTED for hint in HINTS]
    seen = {
        tool: "".join(
            mark for hint in HINTS for mark, ruling in MARKS.items() if _of(proof, tool, hint).verdict is ruling
        )
        for tool in EXPECTED
    }
    assert seen == EXPECTED


@pytest.mark.parametrize(
    ("tool", "hint", "cause"),
    [
        ("peek_note", "readOnlyHint", "GET /notes/{id}/view overwrote notes/1/views"),
        ("create_note", "readOnlyHint", "POST /notes added notes/"),
        ("create_note_once", "idempotentHint", " again when repeated"),
        ("amend_note", "destructiveHint", "PUT /notes/{id} overwrote notes/1/text, in case 'replaces'"),
        ("delete_note", "destructiveHint", "DELETE /notes/{id} removed notes/"),
        ("draw_note", "openWorldHint", "it sent POST render.example.net/pictures, outside the service"),
        ("get_note", "readOnlyHint", "2 trials (GET /notes/{id}), none changed anything; bookkeeping apart: log"),
        ("search_notes", "readOnlyHint", "2 trials (POST /search), none changed anything"),
        ("draw_note", "readOnlyHint", "POST /pictures suggests a write, by its verb: a suspicion only"),
        ("remembered_notes", "readOnlyHint", "never reached the upstream"),
        (
            "manage_note",
            "destructiveHint",
            "1 case, 1 of 3 values of action: add a case for action=delete, action=archive",
        ),
        ("ever_failing", "readOnlyHint", "every call failed: There is no such note."),
        ("unplanned", "readOnlyHint", "no case in the plan"),
    ],
)
def test_the_cause_names_the_route_and_the_facts(proof: Proof, tool: str, hint: str, cause: str) -> None:
    assert cause in _of(proof, tool, hint).cause


def test_a_verdict_says_who_told_the_state_and_what_was_asked(proof: Proof) -> None:
    amended = _of(proof, "amend_note", "destructiveHint")
    assert amended.oracle == "backend"
    assert amended.arguments == ["grows: id: 1, text: Milk and honey", "replaces: id: 1, text: Honey"]
    assert _of(proof, "draw_note", "openWorldHint").oracle == "recorder"
    counted = _of(proof, "count_notes", "openWorldHint")
    assert (counted.declared, counted.explained) == (None, "The notes never leave this machine.")
    assert counted.settled
    assert not _of(proof, "count_notes", "readOnlyHint").settled


def test_the_rules_find_what_the_verdicts_say(proof: Proof) -> None:
    found = {(one.rule, one.tool) for one in without_repeats(judge(proof.evidence))}
    assert found == {
        ("BEH01", "peek_note"),
        ("BEH02", "amend_note"),
        ("BEH03", "create_note_once"),
        ("BEH04", "draw_note"),
        ("BEH05", "count_notes"),
        ("BEH06", "half_move_note"),
        ("PRO01", None),
    }
    strictly = {(one.rule, one.tool) for one in judge(proof.evidence, [Profile.STRICT])}
    assert ("BEH01", "get_note") in strictly, "a strict profile counts bookkeeping"


def test_only_a_strict_judge_counts_bookkeeping(proof: Proof) -> None:
    strictly = {(one.tool, one.hint): one.verdict for one in proof.judged(count_derived=True)}
    assert strictly["get_note", "readOnlyHint"] is Ruling.VIOLATED
    assert strictly["list_notes", "readOnlyHint"] is Ruling.HOLDS


def test_lines_that_a_call_writes_to_stdout_are_told_with_the_call(proof: Proof) -> None:
    (session,) = [one for one in proof.evidence if isinstance(one, ServerSession)]
    assert list(session.stray) == ["during shout_notes: listing all notes"]


def test_a_request_belongs_to_the_call_that_sent_it(proof: Proof) -> None:
    sent = {
        behaviour.tool.name: {
            (one.method, one.route, one.status) for trial in behaviour.trials for one in trial.requests
        }
        for behaviour in proof.evidence
        if isinstance(behaviour, Behaviour)
    }
    assert sent["list_notes"] == {("GET", "/notes", 200)}
    assert sent["delete_note"] == {("DELETE", "/notes/{id}", 204), ("DELETE", "/notes/{id}", 404)}
    assert sent["draw_note"] == {("POST", "/pictures", 403)}


def _variant(notes_plan: Path, *changes: tuple[str, str], keep: str = "list_notes: [{}]") -> str:
    head = notes_plan.read_text(encoding="utf-8").partition("tools:\n")[0]
    for old, new in changes:
        assert old in head
        head = head.replace(old, new)
    return f"{head}tools:\n  {keep}\n"


def _run(notes_plan: Path, *changes: tuple[str, str], keep: str = "list_notes: [{}]", repeats: int = 2) -> Proof:
    return verify(parse_plan(_variant(notes_plan, *changes, keep=keep), here=notes_plan.parent), repeats=repeats)


def test_what_moves_by_itself_is_measured_and_left_out(notes_plan: Path) -> None:
    proof = _run(notes_plan, ('"${port}"]', '"${port}", ticking]'), keep="create_note: [{arguments: {text: Eggs}}]")
    assert proof.noise == ["ticks"]
    verdict = _of(proof, "create_note", "destructiveHint")
    assert verdict.verdict is Ruling.HOLDS, verdict.cause


def test_a_server_that_writes_after_its_answer_is_given_time_to_be_seen(
    notes_plan: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ABOVEBOARD_LATE", "1")  # so that a busy machine has time for it
    cases = "late_note: [{arguments: {id: 1}}]\n  list_notes: [{}]"
    proof = _run(notes_plan, keep=cases, repeats=1)
    late = _of(proof, "late_note", "readOnlyHint")
    assert late.verdict is Ruling.VIOLATED
    assert re.match(r"PUT /notes/\{id\} overwrote notes/1/text, up to 0\.", late.cause), "not as long as is looked"
    assert _of(proof, "list_notes", "readOnlyHint").verdict is Ruling.HOLDS, "an innocent neighbour is cleared"
    assert proof.noise == []


@pytest.mark.parametrize(
    ("broken", "ruling", "cause"),
    [
        ("= 2", Ruling.VIOLATED, "PUT /notes/{id} overwrote notes/1/text, up to "),
        ("-ge 2", Ruling.UNVERIFIABLE, "what comes after its answer could not be looked for, since a call failed then"),
    ],
)
def test_late_work_is_looked_for_once_more_where_the_server_ended_instead_of_doing_it(
    broken: str, ruling: Ruling, cause: str, notes_plan: Path, tmp_path: Path
) -> None:
    starts = tmp_path / "starts"
    # The first start is walked, and does nothing late, which a slow machine might see there already. The second one is
    # watched for late work; nobody is there whom that server asks.
    script = (
        f"echo started >> {starts}; nth=$(wc -l < {starts}); [ $nth = 1 ] && export NOTES_LATE=;"
        f' [ $nth {broken} ] && NOTES_URL=http://127.0.0.1:1; exec "$@"'
    )
    change = ('"${python}", -S, "${here}/server', f"""sh, -c, '{script}', sh, "${{python}}", -S, "${{here}}/server""")
    proof = _run(notes_plan, change, keep="late_note: [{arguments: {id: 1}}]", repeats=1)
    told = _of(proof, "late_note", "readOnlyHint")
    assert told.verdict is ruling
    assert told.cause.startswith(cause), told.cause
    assert len(starts.read_text("utf-8").splitlines()) > 2


@pytest.mark.parametrize(
    ("state", "oracle"),
    [
        ("{read: [GET /notes]}", "upstream"),
        ("{tools: [{call: list_notes}]}", "tools"),
        ('{command: ["${python}", -S, "${here}/dump.py", "http://127.0.0.1:${port}/state"]}', "backend"),
    ],
)
def test_the_state_can_be_read_in_other_ways(notes_plan: Path, state: str, oracle: str) -> None:
    proof = _run(notes_plan, ("GET /state", state), keep="peek_note: [{arguments: {id: 1}}]", repeats=1)
    verdict = _of(proof, "peek_note", "readOnlyHint")
    assert (verdict.verdict, verdict.oracle) == (Ruling.VIOLATED, oracle)
    assert "GET /notes/{id}/view overwrote" in verdict.cause


def test_a_server_with_its_own_state_is_told_how_its_requests_can_be_recorded_and_then_they_are() -> None:
    folder = Path(__file__).parents[1] / "liars" / "watched" / "plain"
    text = (folder / "honest_keyed_retry.yaml").read_text(encoding="utf-8")
    assert "record:" not in text
    for recorded in (False, True):
        with chdir(folder.parents[4]):
            plan = parse_plan(text, here=folder)
            plan = replace(plan, backend=replace(plan.backend, record=Record.PROXY if recorded else None))
            proof = verify(plan, repeats=1)
        seen = {one.hint: one for one in proof.verdicts}
        assert seen["destructiveHint"].verdict is Ruling.HOLDS
        assert (seen["openWorldHint"].verdict is Ruling.HOLDS) == recorded
        assert ("record: proxy" in seen["openWorldHint"].cause) != recorded


def test_without_an_oracle_a_verb_is_a_suspicion_and_never_more(notes_plan: Path) -> None:
    proof = _run(
        notes_plan, ("  state: GET /state\n", ""), keep="amend_note: [{arguments: {id: 1, text: Tea}}]", repeats=1
    )
    verdict = _of(proof, "amend_note", "destructiveHint")
    assert verdict.verdict is Ruling.UNVERIFIABLE
    assert "PUT /notes/{id} suggests a write, by its verb: a suspicion only" in verdict.cause
    assert _of(proof, "amend_note", "openWorldHint").verdict is Ruling.HOLDS


def test_a_reset_that_does_nothing_is_found_out(notes_plan: Path) -> None:
    with pytest.raises(Failure, match=r"The reset does not bring the first state back: notes/3, .* differ"):
        _run(notes_plan, ('"${port}"]', '"${port}", no-reset]'), keep="create_note: [{arguments: {text: Eggs}}]")


def test_a_server_for_every_trial_and_lanes_side_by_side_say_the_same(notes_plan: Path) -> None:
    text = _variant(
        notes_plan,
        ("restart: never", "restart: trial"),
        keep="list_notes: [{}]\n  create_note: [{arguments: {text: Eggs}}]",
    )
    proof = verify(parse_plan(text, here=notes_plan.parent), repeats=1, jobs=2, only=["*_note", "list_*"])
    seen = {(one.tool, one.hint): one.verdict for one in proof.verdicts}
    assert seen["create_note", "idempotentHint"] is Ruling.HOLDS
    assert seen["list_notes", "readOnlyHint"] is Ruling.HOLDS
    assert ("list_notes", "readOnlyHint") in seen
    assert ("count_notes", "readOnlyHint") not in seen


@pytest.mark.parametrize(
    ("restart", "starts", "walks"),
    [("case", 1 + 2 * 2 + 2, 2 * 4), ("trial", 1 + 2 * 3 + 2, 2 * 3), ("never", 1 + 2, 2 * 3)],
)
def test_a_server_is_started_for_each_case_and_for_one_walk_more(
    notes_plan: Path, tmp_path: Path, restart: str, starts: int, walks: int
) -> None:
    log = tmp_path / "starts"
    counting = f"""sh, -c, 'echo started >> {log}; exec "$@"', sh"""
    proof = _run(
        notes_plan,
        ("restart: never", f"restart: {restart}"),
        ('"${python}", -S, "${here}/server', f"""{counting}, "${{python}}", -S, "${{here}}/server"""),
        keep="create_note: [{arguments: {text: Eggs}}]\n  list_notes: [{}]",
        repeats=3,
    )
    assert log.read_text("utf-8").count("started") == starts, "one reads the definitions, two look for what is late"
    assert proof.walks == walks


def test_a_server_that_keeps_its_own_state_is_started_anew_when_that_is_put_back(tmp_path: Path) -> None:
    plan, log = load_plan(WATCHED / "plain" / "honest_append.yaml"), tmp_path / "starts"
    command = ("sh", "-c", f'echo started >> {log}; exec "$@"', "sh", *plan.server.command)
    proof = watch(replace(plan, server=replace(plan.server, command=command, restart=Restart.CASE)))
    assert proof.walks == 4
    assert log.read_text("utf-8").count("started") == 1 + 1 + 4 + 1, "what it remembers must not come back"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "http://127.0.0.1:${port}",
            "https://notes.example.com",
            "The backend at notes.example.com is not on this machine",
        ),
        ("GET /state", "GET https://notes.example.com/state", "The state at notes.example.com is not on this machine"),
        ("  reset: POST /reset\n", "", "The reset"),
    ],
)
def test_what_may_not_be_lost_is_refused_before_anything_runs(notes_plan: Path, old: str, new: str, said: str) -> None:
    changes = [(old, new)]
    if said == "The reset":
        changes.append(('  command: ["${python}", -S, "${here}/backend.py", "${port}"]\n', ""))
        said = "not how to reset it"
    with pytest.raises(BadInput, match=said):
        _run(notes_plan, *changes)


def test_a_plan_that_names_no_tool_of_the_server_is_refused_with_the_nearest(notes_plan: Path) -> None:
    with pytest.raises(BadInput, match=r"line \d+: The server has no tool 'list_note': did you mean 'list_notes'"):
        _run(notes_plan, keep="list_note: [{}]")


def test_a_server_that_runs_already_is_watched_through_commands_that_read_and_reset_what_is_behind_it(
    notes_plan: Path,
) -> None:
    """As the recipe with Docker Compose does: the plan starts nothing."""
    behind, port = free_port(), free_port()
    at = f"http://127.0.0.1:{behind}"
    server = forked("tests.audit.liars.watched.mcp2.beh01_marks_as_seen", str(port))
    ask = (sys.executable, "-S", str(notes_plan.parent / "dump.py"))
    plan = replace(
        parse_plan(
            f"server: {{url: 'http://127.0.0.1:{port}/mcp'}}\ntools: {{get_note: [{{arguments: {{id: '1'}}}}]}}"
        ),
        backend=Backend(state=Shell((*ask, f"{at}/_state")), reset=Shell((*ask, f"{at}/_reset", "POST"))),
    )
    with ExitStack() as stack:
        for command in ([sys.executable, "-m", "tests.audit.liars.watched.backend", str(behind)], server):
            process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, "NOTES_URL": at}, stdin=subprocess.DEVNULL)
            stack.callback(process.wait)
            stack.callback(process.terminate)
        for one in (behind, port):
            _until(partial(_listens, one))
        proof = verify(plan, repeats=1, late=0)
    told = _of(proof, "get_note", "readOnlyHint")
    assert (told.verdict, told.oracle) == (Ruling.VIOLATED, "backend"), told
    assert _of(proof, "get_note", "openWorldHint").verdict is Ruling.UNVERIFIABLE, "nothing could be recorded"


def _listens(port: int) -> bool:
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


def _running(marker: str) -> set[str]:
    """Find the processes that have a text in their command line."""
    found: set[str] = set()
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if marker.encode() in file.read_bytes():
                found.add(file.parent.name)
    return found


def _until(true: Callable[[], object]) -> None:
    """Wait for something that happens in other processes."""
    deadline = time.monotonic() + patience(30)
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_however_it_ends_no_process_and_no_file_is_left(notes_plan: Path, tmp_path: Path) -> None:
    runs: dict[signal.Signals, tuple[Path, subprocess.Popen[bytes]]] = {}
    for how in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL):
        folder = tmp_path / how.name
        folder.mkdir()
        for script in notes_plan.parent.glob("*.py"):
            (folder / script.name).symlink_to(script)
        (folder / "plan.yaml").write_text(_variant(notes_plan, keep="sleepy_notes: [{}]"), encoding="utf-8")
        command = [
            sys.executable,
            "-m",
            "aboveboard",
            "verify",
            "--plan",
            str(folder / "plan.yaml"),
            "--timeout",
            "600",
        ]
        (folder / "tmp").mkdir()
        runs[how] = (
            folder,
            subprocess.Popen(
                command,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                env={**os.environ, "TMPDIR": str(folder / "tmp")},
            ),
        )
    for how, (folder, run) in runs.items():
        # The last of what is started is the server: then the guardian and the backend are there too.
        _until(lambda: _running(str(folder / "server.py")) or run.poll() is not None)  # noqa: B023 (called at once)
        assert _running(str(folder / "backend.py"))
        run.send_signal(how)
    for how, (folder, run) in runs.items():
        _, errors = run.communicate(timeout=patience(30))
        assert b"Traceback" not in errors
        assert run.returncode == {signal.SIGTERM: 143, signal.SIGINT: 1, signal.SIGKILL: -9}[how]
        _until(lambda: not _running(str(folder / "server.py")) and not _running(str(folder / "backend.py")))  # noqa: B023
        _until(lambda: not list((folder / "tmp").iterdir()))  # noqa: B023


def test_cases_that_failed_are_named_beside_what_the_others_show(proof: Proof) -> None:
    (told,) = [one for one in proof.remarks if "failed, which shows nothing" in one]
    assert told == (
        "3 cases failed, which shows nothing of what a call does: half_move_note, There is no such note.; "
        "manage_note, case 'archive': There is no such note.; ever_failing, There is no such note."
    )


def test_cases_that_succeeded_and_tried_nothing_are_named_too(proof: Proof) -> None:
    (told,) = [one for one in proof.remarks if "came to nothing" in one]
    assert "remembered_notes: it succeeded and never reached the upstream, so nothing was tried" in told


def test_what_the_first_steps_changed_is_put_back_where_a_later_step_fails() -> None:
    plan = load_plan(WATCHED / "plain" / "honest_append.yaml")
    (case,) = plan.cases
    steps = [Step(call=case.tool, arguments={"id": one, "line": "Left behind"}) for one in ("1", "no such note")]
    broken = replace(case, name="half arranged", arrange=steps)
    proof = watch(replace(plan, cases=[broken, replace(case, name="after it")]))
    (trials,) = [one.trials for one in proof.behaviours]
    assert {one.case for one in trials} == {"after it"}
    assert {one.before["notes/1/text"] for one in trials} == {"Milk and bread"}


def test_what_a_run_leaves_in_the_working_directory_is_named(tmp_path: Path) -> None:
    """The next run would begin with it: a tool that overwrites it with the same would seem to change nothing."""
    script = "from tests.audit.liars.stage import *\nfrom pathlib import Path\n"
    script += "serve([ADD], acts={'add_note': lambda given: str(Path('note.txt').write_text(given['id']))})"
    text = f"""
server: {{command: ["${{python}}", -c, {json.dumps(script)}], env: {{PYTHONPATH: {ROOT}}}}}
tools: {{add_note: [{{arguments: {{id: Travel}}}}]}}
"""
    with chdir(tmp_path):
        proof = verify(parse_plan(text), repeats=1, options=ConnectOptions(timeout=patience(15)))
    (told,) = [one for one in proof.remarks if "nothing puts that back" in one]
    assert told.startswith("The run changed own-files/working-directory/note.txt, ")
    assert (tmp_path / "note.txt").read_text("utf-8") == "Travel"
    assert "The plan names no state, so only the requests and the server's own files could be watched." in proof.remarks


def test_what_a_server_keeps_beside_its_own_program_is_seen_wherever_it_is_started(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    script = "from tests.audit.liars.stage import *\nfrom pathlib import Path\n"
    script += "serve([GET], acts={'get_note': lambda _: str(Path(__file__).with_name('seen.txt').write_text('x'))})"
    (tmp_path / "server.py").write_text(script, encoding="utf-8")
    text = f"""
server: {{command: ["${{python}}", "{tmp_path}/server.py"], env: {{PYTHONPATH: {ROOT}}}}}
backend: {{state: {{command: [echo, "1"]}}, reset: {{command: ["true"]}}}}
tools: {{get_note: [{{arguments: {{id: "1"}}}}]}}
"""
    with chdir(tmp_path / "elsewhere"):
        proof = verify(parse_plan(text), repeats=1, late=0.4, options=ConnectOptions(timeout=patience(15)))
    told = _of(proof, "get_note", "readOnlyHint")
    assert told.verdict is Ruling.VIOLATED
    assert told.cause.startswith("the call added own-files/program/seen.txt"), told
    assert [one for one in proof.remarks if one.startswith("The run changed own-files/program/seen.txt, ")]


def test_a_folder_with_too_many_files_is_not_watched_and_named(tmp_path: Path) -> None:
    script = "from tests.audit.liars.stage import *\nserve([GET], acts={'get_note': lambda _: {'id': '1'}})"
    text = f"""
server: {{command: ["${{python}}", -c, {json.dumps(script)}], env: {{PYTHONPATH: {ROOT}}}}}
tools: {{get_note: [{{arguments: {{id: "1"}}}}]}}
"""
    for number in range(1501):
        (tmp_path / f"{number}.txt").touch()
    with chdir(tmp_path):
        proof = verify(parse_plan(text), repeats=1, late=0, options=ConnectOptions(timeout=patience(15)))
    told = "The server's working-directory holds too many files to be watched: what a call leaves there is not seen."
    assert told in proof.remarks
    (told,) = [one for one in proof.remarks if one.startswith("Of files, ")]
    assert (
        "those in the server's home, scratch, temporary were watched: what a call writes elsewhere is not seen." in told
    )
