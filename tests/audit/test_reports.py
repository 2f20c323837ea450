"""Every form of the report, with text that tries to break out of it."""

import json
import re
from dataclasses import replace
from typing import Any

import click
import jsonschema
import pytest
from lxml import etree
from tests.audit.examples import clean_report, nasty_report, watched_report

from aboveboard.audit.evidence import HINTS, Fleet, Server, ServerSession, example
from aboveboard.audit.judge import applied_rules, evidence_pieces, judge
from aboveboard.audit.report import Format, Report, Unread, lines, render
from aboveboard.audit.report.fitting import columns
from aboveboard.audit.rule import Finding, Profile, Severity
from aboveboard.audit.rules import BY_ID, RULES
from aboveboard.audit.verdict import Ruling, Verdict

TEXT = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}}
# The parts of the SARIF 2.1.0 schema that this report uses, with what they require.
SARIF: dict[str, Any] = {
    "type": "object",
    "required": ["version", "runs", "$schema"],
    "properties": {
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["tool", "results"],
                "properties": {
                    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                    "tool": {
                        "type": "object",
                        "required": ["driver"],
                        "properties": {
                            "driver": {
                                "type": "object",
                                "required": ["name", "rules"],
                                "properties": {
                                    "rules": {
                                        "type": "array",
                                        "items": {
                                            "type": "object",
                                            "required": ["id", "shortDescription", "help"],
                                            "properties": {
                                                "shortDescription": TEXT,
                                                "fullDescription": TEXT,
                                                "help": TEXT,
                                            },
                                        },
                                    }
                                },
                            }
                        },
                    },
                    "results": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["ruleId", "ruleIndex", "level", "message", "locations"],
                            "properties": {
                                "partialFingerprints": {
                                    "type": "object",
                                    "additionalProperties": {"type": "string"},
                                },
                                "level": {"enum": ["none", "note", "warning", "error"]},
                                "message": TEXT,
                                "ruleIndex": {"type": "integer", "minimum": 0},
                                "locations": {
                                    "type": "array",
                                    "minItems": 1,
                                    "items": {
                                        "type": "object",
                                        "required": ["physicalLocation", "logicalLocations"],
                                        "properties": {
                                            "physicalLocation": {
                                                "type": "object",
                                                "required": ["artifactLocation"],
                                            }
                                        },
                                    },
                                },
                                "suppressions": {
                                    "type": "array",
                                    "items": {
                                        "required": ["kind"],
                                        "properties": {"kind": {"enum": ["external", "inSource"]}},
                                    },
                                },
                            },
                        },
                    },
                    "invocations": {"type": "array", "items": {"required": ["executionSuccessful"]}},
                },
            },
        },
    },
}


def test_the_json_has_findings_and_verdicts_in_their_promised_shape() -> None:
    document = json.loads(render(nasty_report(), Format.JSON))
    assert document["findings"][0].keys() >= {"rule", "severity", "tool", "message", "profile", "server"}
    assert document["verdicts"][1] == {
        "tool": "delete_note",
        "hint": "readOnlyHint",
        "declared": True,
        "verdict": "violated",
        "oracle": "backend",
        "cause": "DELETE /notes/1 removed notes/1",
        "server": "notes",
        "explained": "",
        "arguments": [],
    }
    assert {one["profile"] for one in document["findings"]} == {"spec", "openai"}
    assert document["ignored"][0]["reason"] == "All four are stated on purpose."
    assert document["unread"] == [{"server": "broken", "problem": "The server ended with exit code 3."}]
    assert [server["name"] for server in document["servers"]] == ["notes", "mail & more"]


def test_the_sarif_is_sarif_with_every_rule_and_points_to_the_tool() -> None:
    document = json.loads(render(nasty_report(), Format.SARIF))
    jsonschema.validate(document, SARIF)
    (run,) = document["runs"]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == [rule.id for rule in RULES]
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
    suspicion = next(one for one in run["results"] if one["message"]["text"].startswith("delete_note: may not be"))
    assert suspicion["properties"]["pointer"] == "/tools/1/annotations/readOnlyHint"
    assert suspicion["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] == "notes/delete_note"
    assert any(result.get("suppressions") for result in run["results"])
    assert run["invocations"][0]["executionSuccessful"] is False


def test_the_sarif_has_one_result_for_what_several_profiles_find_and_names_them() -> None:
    report = nasty_report()
    (run,) = json.loads(render(report, Format.SARIF))["runs"]
    told = [(one["ruleId"], one["message"]["text"], one["properties"]["server"]) for one in run["results"]]
    assert len(told) == len(set(told)) < len(report.findings) + len(report.ignored)
    bare = next(one for one in run["results"] if one["ruleId"] == "ANN01")
    assert bare["properties"]["profiles"] == ["spec", "openai"]


def test_the_sarif_points_to_the_line_of_the_tool_where_it_is_known() -> None:
    (run,) = json.loads(render(nasty_report(), Format.SARIF))["runs"]
    places = {
        one["locations"][0]["logicalLocations"][0]["name"]: one["locations"][0]["physicalLocation"]
        for one in run["results"]
    }
    assert places["delete_note"] == {"artifactLocation": {"uri": "src/notes.py"}, "region": {"startLine": 12}}
    assert places["add_note"] == {"artifactLocation": {"uri": "tools.json"}, "region": {"startLine": 1}}


def test_every_result_and_every_parameter_has_a_fingerprint_of_its_own() -> None:
    limits = {"type": "object", "properties": {name: {"type": "string"} for name in ("first", "second")}}
    server = Server("notes", [example(inputSchema=limits)])
    found = judge(evidence_pieces(Fleet([server])), rules=[BY_ID["SCH04"]])
    (run,) = json.loads(render(Report(servers=[server], findings=found), Format.SARIF))["runs"]
    assert [one["partialFingerprints"] for one in run["results"]] == [
        {"aboveboard/v2": "SCH04/notes/get_note//first"},
        {"aboveboard/v2": "SCH04/notes/get_note//second"},
    ]
    assert run["results"][1]["properties"]["pointer"] == "/tools/0/inputSchema/properties/second"
    (nasty,) = json.loads(render(nasty_report(), Format.SARIF))["runs"]
    prints = [one["partialFingerprints"]["aboveboard/v2"] for one in nasty["results"]]
    assert len(prints) == len(set(prints))


def test_the_sarif_says_of_each_rule_what_it_is_about_and_where_it_is_explained() -> None:
    (run,) = json.loads(render(nasty_report(), Format.SARIF))["runs"]
    rules = {one["id"]: one for one in run["tool"]["driver"]["rules"]}
    assert rules["ANN06"]["helpUri"] == "https://example.com/rules/ANN06.md"
    assert rules["BEH01"]["properties"]["tags"] == ["mcp", "behaviour", "security"]
    assert rules["SIZ01"]["properties"]["tags"] == ["mcp", "size"]
    (bare,) = json.loads(render(clean_report(), Format.SARIF))["runs"]
    assert not [one for one in bare["tool"]["driver"]["rules"] if "helpUri" in one], "no page is published"


def test_the_junit_has_a_case_for_every_rule_that_was_applied_and_every_hint_that_was_watched() -> None:
    report = nasty_report()
    root = etree.fromstring(render(report, Format.JUNIT).encode())
    shared, notes, _, unread = root.findall("testsuite")
    names = [str(case.get("name")).partition(" ")[0] for case in notes.iter("testcase")]
    assert notes.get("tests") == str(len(names))
    assert set(names) - set(HINTS) == {rule for server, rule in report.applied if server == "notes"}
    assert {"ANN01", "DSC05", "PRO01"} <= set(names)
    assert not {"DSC07", "PRO02", "PRO03"} & set(names), "no output schema, no second listing, no read-only mode"
    assert not {"ANN09", "BEH01", "DRF01", "SCH06"} & set(names), "nobody gave a source, a plan or a baseline"
    assert {str(case.get("name"))[:5] for case in shared.iter("testcase")} == {"NAM07", "SIZ01", "SIZ02"}
    assert notes.get("skipped") == "2"
    failed = [case.get("name") for case in notes.iter("testcase") if case.find("failure") is not None]
    assert "readOnlyHint" in failed
    assert any(str(name).startswith("ANN06") for name in failed)
    assert len(notes.findall("testcase/failure")) == int(str(notes.get("failures")))
    error = unread.find("testcase/error")
    assert error is not None
    assert error.get("message") == "The server ended with exit code 3."


def test_a_rule_is_applied_where_there_is_something_for_it_to_judge() -> None:
    schema = {"type": "object", "properties": {"id": {"type": "string"}}}
    tool = example(outputSchema=schema)
    plain = Server("notes", [example()], session=ServerSession("notes", listings=[[example()]]))
    rich = Server("notes", [tool], session=ServerSession("notes", listings=[[tool], [tool]], read_only_mode=True))
    one = {rule for _, rule in applied_rules(evidence_pieces(Fleet([plain])))}
    two = {rule for _, rule in applied_rules(evidence_pieces(Fleet([rich, replace(plain, name="mail")])))}
    assert two - one == {"DSC07", "NAM07", "PRO02", "PRO03"}
    assert one < two


def test_markdown_keeps_the_text_of_others_as_text() -> None:
    text = render(replace(nasty_report(), remarks=["Ended: <b>so</b>"]), Format.MARKDOWN, verbose=True)
    assert "&lt;b&gt;so" in text
    assert "<b>" not in text
    assert "<script>" not in text
    assert "<img" not in re.sub(r"`[^`]*`", "", text)
    assert not re.search(r"^# not", text, re.MULTILINE)
    for line in text.splitlines():
        if line.startswith("| 🔴"):
            assert len(re.findall(r"(?<!\\)\|", line)) == 6


def test_markdown_tells_of_a_reading_tool_what_follows_from_that_where_it_states_no_more() -> None:
    reads, writes = (example(annotations={"readOnlyHint": one}) for one in (True, False))
    for tool, told in ((reads, ("false", "true", "true")), (writes, ("true", "false", "true"))):
        text = render(Report(servers=[Server("notes", [tool])], findings=[]), Format.MARKDOWN)
        assert f"{' | '.join(f'*not stated: {one}*' for one in told)} |" in text, text


def test_the_terminal_shows_the_worst_first_and_names_the_profiles() -> None:
    plain = click.unstyle(render(nasty_report(), Format.TERMINAL))
    notes = plain[plain.index("notes  4 tools") : plain.index("mail & more")]
    order = re.findall(r"^  (error|warning|note) ", notes, re.MULTILINE)
    assert order == sorted(order, key=["error", "warning", "note"].index)
    assert "[spec, openai]" in plain
    assert "broken  could not be read: The server ended with exit code 3." in plain
    assert "violated      delete_note readOnlyHint=true: DELETE /notes/1 removed notes/1  [backend]" in plain
    assert "why" not in plain
    verbose = click.unstyle(render(nasty_report(), Format.TERMINAL, verbose=True))
    assert "fix    Check what the tool does, then correct the hint or the name." in verbose
    assert "All four are stated on purpose." in verbose


@pytest.mark.parametrize("form", list(Format))
def test_a_clean_report_is_written_in_every_form(form: Format) -> None:
    assert render(clean_report(), form)


def test_what_is_the_same_for_several_tools_and_profiles_is_one_line() -> None:
    found = lines(nasty_report().findings)
    assert len(found) == len({(one.rule, one.severity, one.message, one.server) for one in found})
    assert any(len(one.profiles) == 2 for one in found)
    assert {one.severity for one in found} == set(Severity)


def _found(rule: str, tool: str, message: str, *profiles: Profile) -> list[Finding]:
    return [
        Finding(rule=rule, severity=Severity.WARNING, message=message, tool=tool, server="notes", profile=one)
        for one in profiles
    ]


def test_a_rule_has_one_line_for_a_server_and_verbose_lists_what_is_behind_it() -> None:
    told = [one for tool in ("a", "b", "c", "d") for one in _found("SCH04", tool, f"{tool} has no type", Profile.SPEC)]
    report = replace(watched_report(), findings=told)
    plain = click.unstyle(render(report, Format.TERMINAL))
    (line,) = [line for line in plain.splitlines() if "SCH04" in line and "warning" in line]
    assert line == "  warning  SCH04  a: a has no type (and 3 more in b, c and 1 other tool: -v)"
    assert "1 warning in 2 tools" in plain
    verbose = click.unstyle(render(report, Format.TERMINAL, verbose=True))
    assert "\n                  d: d has no type\n" in verbose


def test_a_profile_is_named_with_the_tools_it_speaks_of() -> None:
    both = _found("SCH04", "a", "lacks a type", Profile.SPEC, Profile.OPENAI)
    report = replace(
        watched_report(),
        findings=[*both, *_found("SCH04", "b", "lacks a type", Profile.OPENAI)],
        profiles=(Profile.SPEC, Profile.OPENAI),
    )
    assert [(one.tools, one.profiles) for one in lines(report.findings)] == [
        (("a",), (Profile.SPEC, Profile.OPENAI)),
        (("b",), (Profile.OPENAI,)),
    ]
    assert "a: lacks a type (and 1 more in b: -v)\n" in click.unstyle(render(report, Format.TERMINAL))
    verbose = click.unstyle(render(report, Format.TERMINAL, verbose=True))
    assert "a: lacks a type  [spec, openai]\n" in verbose
    assert "b: lacks a type  [openai]\n" in verbose


@pytest.mark.parametrize(("width", "verbose"), [(56, False), (56, True), (80, False), (100, True)])
def test_every_line_fits_the_terminal(width: int, *, verbose: bool) -> None:
    for report in (nasty_report(), watched_report(), _spoken()):
        written = render(report, Format.TERMINAL, verbose=verbose, width=width)
        assert [line for line in written.splitlines() if columns(line) > width and " " in line.strip()] == []
        loose = render(report, Format.TERMINAL, verbose=verbose)
        cut = {"read-only", "destructive", "idempotent", "open", "world", "reads", "destroys", "idempot."}
        assert set(click.unstyle(written).split()) - cut >= set(click.unstyle(loose).split()) - cut - {"<img"}, (
            "no word"
        )


def test_a_server_that_could_not_be_read_is_quoted_below() -> None:
    report = replace(clean_report(), unread=[Unread("notes", "It ended. It said:\nTraceback\nKeyError: 'HOME'")])
    plain = click.unstyle(render(report, Format.TERMINAL))
    assert "notes  could not be read: It ended. It said:\n  | Traceback\n  | KeyError: 'HOME'\n" in plain


def test_the_page_loads_nothing_and_escapes_everything() -> None:
    page = render(nasty_report(), Format.HTML)
    assert "<script>alert" not in page
    assert "<img" not in page
    assert page.count("<script>") == page.count("</script>") == 1
    assert re.findall(r'<[^>]*\s(?:src|href)="([^"]*)"', page) == ["data:,"]
    assert "url(" not in page
    assert "http://" not in page
    assert "https://" not in page
    assert "default-src 'none'" in page


def test_the_terminal_speaks_of_one_tool_and_of_several() -> None:
    plain = click.unstyle(render(_spoken(), Format.TERMINAL))
    assert "DSC01  each of get_note, delete_note and 1 more: has no `description`" in plain
    assert "BEH01  get_note: wrote" in plain
    assert plain.endswith("Explained by: aboveboard rules RULE, for BEH01, DSC01")
    one = click.unstyle(render(replace(_spoken(), findings=_spoken().findings[:1]), Format.TERMINAL))
    assert one.endswith("Explained by: aboveboard rules BEH01")


def test_what_is_not_stated_stands_in_brackets_with_what_clients_assume() -> None:
    bare = [
        Verdict(tool=tool, hint=hint, declared=said, verdict=Ruling.HOLDS, server="notes")
        for tool, reads in (("get_note", True), ("do_it", None))
        for hint, said in zip(HINTS, (reads, None, None, None), strict=True)
    ]
    plain = click.unstyle(render(replace(watched_report(), verdicts=bare), Format.TERMINAL))
    assert "  get_note  ✓ yes      ✓ (no)       ✓ (yes)     ✓ (yes)" in plain
    assert "  do_it     ✓ (no)     ✓ (yes)      ✓ (no)      ✓ (yes)" in plain
    assert "[?]" not in plain


def test_no_finding_does_not_pass_for_all_well_where_hints_could_not_be_verified() -> None:
    for form in (Format.TERMINAL, Format.MARKDOWN, Format.HTML):
        text = render(watched_report(), form).lower()
        assert "no finding, but 1 hint could not be verified" in text
        assert "nothing found" not in text


def test_the_page_shows_code_as_code_and_says_what_its_colours_mean() -> None:
    page = render(_spoken(), Format.HTML)
    assert "has no <code>description</code>" in page
    assert "a lone ` stays" in page
    assert "<code>&lt;b&gt;</code>" in page
    assert not re.search(r">[^<>]*`[^`<>]+`", page.partition("<script>")[0].partition("</style>")[2])
    assert page.count('class="legend"') == 1
    assert "violated</li>" in page
    assert "violated</li>" not in render(clean_report(), Format.HTML).partition('class="legend"')[2]


def _spoken() -> Report:
    """A report whose sentences have code in them."""
    told = [("BEH01", "get_note", "wrote `<b>`, and a lone ` stays")]
    told += [("DSC01", tool, "has no `description`") for tool in ("get_note", "delete_note", "add_note")]
    found = [
        Finding(rule=rule, severity=Severity.ERROR, message=said, tool=tool, server="notes")
        for rule, tool, said in told
    ]
    return replace(watched_report(), findings=found)
