"""ANN10."""

from collections.abc import Iterator

from aboveboard.audit.evidence import ADDS, DEFAULTS, HINTS, Drift, Server, example
from aboveboard.audit.rule import Finding, Rule, Severity


def _server(**hints: bool) -> Server:
    return Server("notes", [example("archive_note", "Move a note to the archive.", {**ADDS, **hints})])


class HintLoosened(Rule[Drift]):
    """A tool promises more than it did in the baseline.

    Where the baseline stated the hint it is an error; where it was unset, so that the default held, a warning.
    """

    id = "ANN10"
    why = (
        "Someone approved this tool for what it said then. A hint that turns harmless afterwards makes clients stop "
        "asking: the shape of a rug pull."
    )
    fix = "Find out what changed in the tool. If the new hint is true, save a new baseline with `--save`."
    bad = Drift(_server(destructiveHint=True), _server(destructiveHint=False))
    good = Drift(_server(destructiveHint=False), _server(destructiveHint=True))

    def check(self, evidence: Drift) -> Iterator[Finding]:
        for then, now in evidence.pairs():
            for hint in HINTS:
                worst = DEFAULTS[hint]
                if then.effective(hint) != worst or now.effective(hint) == worst:
                    continue
                was_stated = then.declared(hint) is not None
                was = str(worst).lower() if was_stated else f"not stated (so {str(worst).lower()})"
                yield self.finding(
                    now.name,
                    f"{hint} was {was} in the baseline and is {str(now.effective(hint)).lower()} now",
                    hint=hint,
                    severity=None if was_stated else Severity.WARNING,
                )
