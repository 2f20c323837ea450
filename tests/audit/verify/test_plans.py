"""What a plan may say, and how it is told what it may not."""

from pathlib import Path
from typing import Final

import pytest

from aboveboard.audit.verify import load_plan, parse_plan, verify
from aboveboard.audit.verify.plan import Fetch, Record, RequestKind, Rereads, Restart, Shell, on_loopback
from aboveboard.audit.verify.values import fill_values, pick_value
from aboveboard.errors import BadInput


def test_a_plan_is_read_as_it_is_meant(notes_plan: Path) -> None:
    plan = load_plan(notes_plan)
    assert plan.server.restart is Restart.NEVER
    assert plan.backend.reset == Fetch("POST", "/reset")
    assert plan.backend.recording is Record.REDIRECT
    assert plan.oracle == "backend"
    assert plan.routes == {"POST /search": RequestKind.SAFE}
    (delete,) = plan.of("delete_note")
    assert [step.call for step in delete.steps] == ["create_note", "tag_note"]
    assert delete.arguments == {"id": "${made}"}


def test_a_refusal_is_told_by_one_text_or_several() -> None:
    one, several = parse_plan("tools: {a: [{name: x, refused: locked}, {refused: [not so, 'not ${port}']}]}").cases
    assert (one.refused, several.refused) == (("locked",), ("not so", "not ${port}"))
    (any_words,) = parse_plan("tools: {a: [{refused: true}]}").cases
    assert any_words.refused == ("",), "whatever it says, it must say something"


def test_a_secret_of_the_run_can_go_to_the_backend_and_along_with_its_reset() -> None:
    backend = parse_plan("backend: {env: {KEY: '${nonce}'}, headers: {X-Key: '${nonce}'}}").backend
    assert backend.headers == {"X-Key": "${nonce}"} == {"X-Key": backend.environment["KEY"]}
    assert "X-Key" not in repr(backend)


def test_a_state_can_be_told_in_four_ways() -> None:
    for text, kind, oracle in [
        ("GET /state", Fetch, "backend"),
        ("{command: [dump, --all]}", Shell, "backend"),
        ("{read: [GET /notes, GET /tags], headers: {X-Key: k}}", Rereads, "upstream"),
    ]:
        plan = parse_plan(f"backend: {{state: {text}}}")
        assert isinstance(plan.backend.state, kind)
        assert plan.oracle == oracle
    assert parse_plan("backend: {state: {tools: [{call: list_notes}]}}").oracle == "tools"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("servers: {}", "line 1: a plan has no key 'servers': did you mean 'server'?"),
        ("\nserver: {comand: [a]}", "line 2: server has no key 'comand': did you mean 'command'?"),
        ("server: {restart: sometimes}", "line 1: restart cannot be 'sometimes': it is one of case, trial, never."),
        ("server: {env: {A: true}}", "line 1: A: True must be a text; put it in quotes."),
        ("backend: {reset: erase}", "line 1: reset takes a method and a path, such as `GET /state`."),
        ("backend: {url: 'http://${prot}'}", "line 1: url: the plan has no value '${prot}': did you mean '${port}'"),
        ("values: {port: 1}", "line 1: port has a meaning of its own: give it another name."),
        ("routes: {'POST /a': harmless}", "line 1: POST /a cannot be 'harmless'"),
        ("unseen: {readonlyHint: x}", "a tool has no hint 'readonlyHint': did you mean 'readOnlyHint'"),
        ("tools: {a: {}}", "line 1: a takes a list of cases, each with its arguments."),
        ("tools:\n  a:\n    - args: {}", "line 3: a has no key 'args': did you mean 'arguments'?"),
        ("tools:\n  a:\n    - arguments: {x: '${nothing}'}", "line 3: arguments: the plan has no value '${nothing}'"),
        ("tools:\n  a:\n    - after: prepared", "line 3: after: the plan has no arrangement 'prepared'; it has none."),
        ("tools: {a: [{refused: ''}]}", "refused takes words that the answer must contain, or true where any will do."),
        ("tools: {a: [{refused: []}]}", "refused takes words that the answer must contain, or true where any will do."),
        ("tools: {a: [{refused: false}]}", "line 1: refused must be a list of texts."),
        ("tools: {a: [{refused: x, local: y}]}", "line 1: local has no meaning beside `refused`"),
        ("tools: {a: [{refused: true, may_fail: y}]}", "line 1: may_fail has no meaning beside `refused`"),
        ("tools: {a: [{refused: '${gone}'}]}", "line 1: refused: the plan has no value '${gone}'"),
        ("tools:\n  a: []\n  a: []", "line 3: 'a' stands there twice."),
        ("a: [", "this is not YAML"),
        ("- a", "a plan must be a mapping of names to values."),
        ("!!python/object:os.system {}", "this is not YAML"),
    ],
)
def test_what_is_not_known_is_refused_with_its_line_and_the_nearest_name(text: str, said: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse_plan(text)
    assert said in str(caught.value)


def test_a_plan_that_is_not_there_is_told_so(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read: No such file"):
        load_plan(tmp_path / "none.yaml")


def test_a_merged_mapping_may_be_overridden_and_dates_stay_texts() -> None:
    text = "values: &v {day: 2026-01-31}\ntools:\n  a:\n    - arguments: {<<: *v, day: 2026-02-01}"
    plan = parse_plan(text)
    assert plan.values == {"day": "2026-01-31"}
    assert plan.cases[0].arguments == {"day": "2026-02-01"}


def test_a_name_alone_keeps_its_type_and_within_text_is_inserted() -> None:
    known = {"n": 7, "list": [1], "who": "me"}
    given = {"a": "${n}", "b": "note-${n}", "c": ["${list}"], "d": "$${n}", "${who}": 1}
    assert fill_values(given, known) == {"a": 7, "b": "note-7", "c": [[1]], "d": "${n}", "me": 1}
    with pytest.raises(BadInput, match="no value 'm'"):
        fill_values("${m}", known)


def test_a_value_is_kept_from_an_answer_by_its_path() -> None:
    answer = {"items": [{"uuid": "u-1"}, {"uuid": "u-2"}]}
    assert pick_value(answer, "items.1.uuid") == "u-2"
    assert pick_value(answer, "items.-1.uuid") == "u-2"
    for missing in ("items.5.uuid", "items.uuid", "other"):
        with pytest.raises(LookupError):
            pick_value(answer, missing)


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:${port}", "http://localhost:80", "http://[::1]:9", "http://127.8.8.8/"]
)
def test_this_machine_is_known_by_its_addresses(url: str) -> None:
    assert on_loopback(url)


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1.example.com",
        "https://example.com",
        "http://127.example.com/",
        "http://${host}/",
        "http://0.0.0.0/",
    ],
)
def test_what_only_looks_like_this_machine_is_not(url: str) -> None:
    assert not on_loopback(url)


def _folder(at: Path, **files: str) -> Path:
    """Write the files of a plan."""
    folder = at / "plan"
    folder.mkdir()
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return folder


BASE: Final = "server: {command: [serve]}\nvalues: {id: 1}\narrange: {a note: [{call: add, keep: {made: id}}]}\n"


def test_a_folder_is_one_plan_with_a_base_and_a_file_for_each_area(tmp_path: Path) -> None:
    notes = "values: {text: Hi}\ntools: {read: [{after: a note, arguments: {id: '${made}'}}], add: [{name: one}]}"
    tags = "arrange: {a tag: [{call: tag, arguments: {note: '${made}'}}]}\ntools: {add: [{name: two, after: a tag}]}"
    folder = _folder(tmp_path, base=BASE, notes=notes, tags=tags)
    (folder / "README.md").write_text("Not a part of it.", encoding="utf-8")
    plan = load_plan(folder)
    assert plan.server.command == ("serve",)
    assert plan.values == {"id": 1, "text": "Hi"}
    assert [(case.tool, case.name, str(case.place)) for case in plan.cases] == [
        ("read", "", "plan/notes.yaml, line 2"),
        ("add", "one", "plan/notes.yaml, line 2"),
        ("add", "two", "plan/tags.yaml, line 2"),
    ]
    assert plan.here == folder
    (folder / "base.yaml").rename(folder / "plan.yaml")
    assert load_plan(folder).cases[0].tool == "read"


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        ("\nvalues: {a: 1}", "values: {a: 2}", "b.yaml, line 1: the value 'a' stands in plan/a.yaml, line 2 already"),
        (
            "arrange: {x: [{call: add}]}",
            "arrange: {x: [{call: add}]}",
            "b.yaml, line 1: the arrangement 'x' stands in plan/a.yaml, line 1 already: give one another name.",
        ),
        (
            "tools: {add: [{name: x}]}",
            "tools:\n  add:\n    - name: x",
            "b.yaml, line 3: the case 'x' of add stands in plan/a.yaml, line 1 already",
        ),
        (
            "routes: {POST /a: safe}",
            "routes: {POST /a: additive}",
            "b.yaml, line 1: the route 'POST /a' stands in plan/a.yaml, line 1 already",
        ),
        ("", "routes: {POST /a: harmless}", "plan/b.yaml, line 1: POST /a cannot be 'harmless'"),
        ("", "tools: {add: [{arguments: {id: '${gone}'}}]}", "plan/b.yaml, line 1: arguments: the plan has no value"),
        ("", "\nserver: {command: [b]}", "plan/b.yaml, line 2: server is said once, for the whole plan: move it to"),
        ("", "a: [", "plan/b.yaml, line 1: this is not YAML"),
        ("", "- a", "plan/b.yaml, line 1: a plan must be a mapping"),
    ],
)
def test_what_is_wrong_in_a_folder_names_its_file_and_line(one: str, other: str, said: str, tmp_path: Path) -> None:
    folder = _folder(tmp_path, base=BASE, a=one or "tools: {}", b=other)
    with pytest.raises(BadInput) as caught:
        load_plan(folder)
    assert said in str(caught.value)


def test_a_folder_needs_exactly_one_base(tmp_path: Path) -> None:
    folder = _folder(tmp_path, notes="tools: {}")
    with pytest.raises(BadInput, match=r"holds no plan\. It takes one base\.yaml or plan\.yaml"):
        load_plan(folder)
    for name in ("base", "plan"):
        (folder / f"{name}.yaml").write_text(BASE, encoding="utf-8")
    with pytest.raises(BadInput, match="has two bases"):
        load_plan(folder)


def test_a_folder_that_is_not_finished_names_the_file_that_is_left(tmp_path: Path) -> None:
    folder = _folder(tmp_path, base=BASE, notes="tools:\n  add: [{arguments: {text: TODO}}]")
    with pytest.raises(BadInput) as caught:
        verify(load_plan(folder))
    said = "plan is not finished: one value still says TODO, in plan/notes.yaml, line 2. Complete it; where TODO"
    assert str(caught.value).startswith(said)


def test_the_cases_of_a_tool_have_names_of_their_own() -> None:
    with pytest.raises(BadInput, match="line 3: the case 'x' of add stands in the plan, line 2 already"):
        parse_plan("tools: {add: [\n  {name: x},\n  {name: x}]}")
