"""About how long late work will be looked for, told while cases are still walked."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from aboveboard.audit.verify.late import seconds_needed, seconds_of_looking
from aboveboard.audit.verify.plan import Case
from aboveboard.audit.verify.walk_record import WalkRecord


@dataclass(frozen=True)
class Forecast:
    """What the cases that were walked show, and what the plan lets expect of the others.

    Plans begin with reads as a rule, which need nearly none of the time: they tell nothing of those that write.
    """

    cases: Sequence[Case]
    reading: Collection[str]
    """The tools that claim to read."""
    late: float
    jobs: int = 1
    _calls: dict[int, float] = field(default_factory=dict[int, float])
    _needs: dict[int, float] = field(default_factory=dict[int, float])

    def note(self, index: int, walks: Sequence[WalkRecord]) -> None:
        """Take down what was seen of a case."""
        self._calls[index] = fmean([one.seconds for one in walks] or [0.0])
        self._needs[index] = seconds_needed(self.cases[index], walks, self.late)

    @property
    def seconds(self) -> float:
        """About how long it will take, all in all."""
        if not self.late:
            return 0.0
        others = [case for index, case in enumerate(self.cases) if index not in self._needs]
        rest = sum(self._expected(case) for case in others)
        return self.late + (sum(self._needs.values()) + rest) / self.jobs

    def _expected(self, case: Case) -> float:
        changes = bool(case.arrange) or not (case.refused or case.tool in self.reading)
        return seconds_of_looking(case, fmean(self._calls.values()), self.late, changes=changes)
