"""A report with everything in it, for the tests of every form."""

from aboveboard.audit.evidence import DELETES, HINTS, READS, Fleet, Server, Tool, example
from aboveboard.audit.judge import applied_rules, evidence_pieces, judge
from aboveboard.audit.report import Place, Report, Unread
from aboveboard.audit.rule import Profile
from aboveboard.audit.settings import Settings
from aboveboard.audit.verdict import Ruling, Verdict

NASTY = "Return <b>it</b> | `now` & \x01\n# not *a* headline</script><script>alert(1)</script>"


def nasty_report() -> Report:
    """Two servers, every weight of finding, verdicts of every kind, one server unread and one finding ignored."""
    notes = Server(
        "notes",
        [
            example(),
            example("delete_note", "Delete a note for good.", READS),
            Tool({**example("add_note").definition, "annotations": {"readOnlyHint": "no", "destructiveHint": False}}),
            Tool({"name": "<img src=x onerror=alert(1)>", "description": NASTY, "inputSchema": {"type": "object"}}),
        ],
        protocol="2026-07-28",
        origin="python notes.py",
    )
    mail = Server("mail & more", [example("get_note", "Return one mail by its id.", DELETES)])
    settings = Settings(profiles=(Profile.SPEC, Profile.OPENAI), ignore={"ANN05": "All four are stated on purpose."})
    pieces = list(evidence_pieces(Fleet([notes, mail])))
    kept, ignored = settings.split_ignored(judge(pieces, settings.profiles, settings.rules()))
    verdicts = [
        Verdict(
            tool="get_note", hint="readOnlyHint", declared=True, verdict=Ruling.HOLDS, oracle="backend", server="notes"
        ),
        Verdict(
            tool="delete_note",
            hint="readOnlyHint",
            declared=True,
            verdict=Ruling.VIOLATED,
            oracle="backend",
            cause="DELETE /notes/1 removed notes/1",
            server="notes",
        ),
        Verdict(tool="add_note", hint="idempotentHint", declared=None, verdict=Ruling.UNVERIFIABLE, server="notes"),
        Verdict(tool="add_note", hint="openWorldHint", declared=None, verdict=Ruling.NOT_OBSERVED, server="notes"),
    ]
    return Report(
        servers=[notes, mail],
        findings=kept,
        profiles=settings.profiles,
        unread=[Unread("broken", "The server ended with exit code 3.")],
        ignored=ignored,
        verdicts=verdicts,
        places={"delete_note": Place("src/notes.py", 12)},
        applied=applied_rules(pieces, settings.profiles, settings.rules()),
        rules_url="https://example.com/rules/",
    )


def watched_report() -> Report:
    """One server that was watched: what was called, what moved by itself, and why something could not be seen."""
    tools = [example(hints={**READS, "openWorldHint": True}), example("delete_note", "Delete a note for good.", READS)]
    called = ["id: #0b1c", "with tags: id: #0b1c, tags: true"]
    rulings = [Ruling.HOLDS, Ruling.HOLDS, Ruling.HOLDS, Ruling.NOT_OBSERVED]
    verdicts = [
        Verdict(
            tool="get_note",
            hint=hint,
            declared=tools[0].declared(hint),
            verdict=ruling,
            cause="3 trials (GET /notes/{id}), none left the service",
            explained="The mail goes out later." if ruling is Ruling.NOT_OBSERVED else "",
            oracle="backend",
            server="notes",
            arguments=called,
        )
        for hint, ruling in zip(HINTS, rulings, strict=True)
    ]
    verdicts += [
        Verdict(
            tool="delete_note",
            hint=hint,
            declared=tools[1].declared(hint),
            verdict=ruling,
            oracle="backend",
            cause="DELETE /notes/{id} removed notes/1",
            server="notes",
            arguments=["id: #77aa"],
        )
        for hint, ruling in zip(
            HINTS, [Ruling.VIOLATED, Ruling.VIOLATED, Ruling.HOLDS, Ruling.UNVERIFIABLE], strict=True
        )
    ]
    return Report(
        servers=[Server("notes", tools, protocol="2026-07-28", origin="python notes.py")],
        findings=[],
        verdicts=verdicts,
        noise=["clock", "notes/*/age"],
        remarks=["No call changed the state, so the reset was never put to the test."],
        pace="6 walks in 1.2 s, 0.200 s each",
    )


def clean_report() -> Report:
    """One server with nothing to say against it."""
    server = Server("notes", [example(), example("delete_note", "Delete a note for good.", DELETES)])
    return Report(servers=[server], findings=[])
