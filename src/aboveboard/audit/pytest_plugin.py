"""A plan as tests: `pytest --aboveboard plan.yaml` adds an item for each tool and hint.

pytest loads this module in every project that has aboveboard installed, so all that is heavy is imported on use.
"""

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

import pytest

if TYPE_CHECKING:
    from aboveboard.audit.verdict import Verdict
    from aboveboard.audit.verify import Plan, Proof

OPTION: Final = "--aboveboard"
OF_THE_PLAN: Final = {"refusals": "BEH07", "changes": "BEH09"}
"""The items that hold a tool to what its plan says of its calls, and the rule of each."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("aboveboard", "the hints of MCP tools, watched")
    group.addoption(
        OPTION,
        action="append",
        default=[],
        metavar="PLAN",
        help="Run this plan of `aboveboard verify`: one test per tool and hint; may be repeated.",
    )
    group.addoption(
        "--aboveboard-repeats", type=int, default=3, metavar="N", help="How often each case is walked (default: 3)."
    )
    group.addoption(
        "--aboveboard-strict",
        action="store_true",
        help="Fail on hints that are untried or unverifiable for no stated reason, which are skipped otherwise"
        " (default: where CI is set).",
    )
    group.addoption(
        "--i-know-this-is-disposable",
        action="store_true",
        help="Allow a backend beyond this machine: everything in it may be lost.",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register the mark that selects plans alone: `-m aboveboard`."""
    config.addinivalue_line("markers", "aboveboard: a hint of an MCP tool, watched (--aboveboard PLAN).")


@pytest.hookimpl(tryfirst=True)  # before -k and -m choose
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Add the items of every plan."""
    for name in config.option.aboveboard:
        path = Path(config.invocation_params.dir, name)
        plan: _PlanNode = cast("Any", _PlanNode).from_parent(session, name=name, path=path, nodeid=name)
        own: list[pytest.Item | pytest.Collector] = [*plan.collect()]
        config.hook.pytest_collectreport(
            report=pytest.CollectReport(name, "passed", None, own)
        )  # so that pytest counts them
        items += cast("list[pytest.Item]", own)


class _PlanNode(pytest.Collector):
    """One plan, which is run once, when the first of its items is."""

    def collect(self) -> list["HintItem"]:
        """Make an item for each tool and hint of the plan."""
        return [HintItem.of(self, tool, hint) for tool, hint in self._wanted()]

    def _wanted(self) -> Iterator[tuple[str, str]]:
        from aboveboard.audit.tool import HINTS

        for tool in dict.fromkeys(case.tool for case in self.plan.cases):
            own = [case for case in self.plan.cases if case.tool == tool]
            if any(not case.refused for case in own):
                yield from ((tool, hint) for hint in HINTS)
            if any(case.refused for case in own):
                yield tool, "refusals"
            if any(case.changes is not None for case in own):
                yield tool, "changes"

    @cached_property
    def plan(self) -> "Plan":
        """The plan; one that cannot be read ends the run with a sentence."""
        from aboveboard.audit.verify import load_plan
        from aboveboard.errors import Failure

        try:
            return load_plan(self.path)
        except Failure as failure:
            raise pytest.UsageError(str(failure)) from None

    @cached_property
    def proof(self) -> "Proof":
        """What the tools were seen to do: only those that were selected are called."""
        from aboveboard.audit.verify import verify

        chosen = [item for item in self.session.items if isinstance(item, HintItem) and item.parent is self]
        return verify(
            self.plan,
            repeats=self.config.option.aboveboard_repeats,
            only=list(dict.fromkeys(item.tool for item in chosen)),
            disposable=self.config.option.i_know_this_is_disposable,
        )


class HintItem(pytest.Item):
    """One hint of one tool."""

    tool: str
    hint: str

    @classmethod
    def of(cls, plan: _PlanNode, tool: str, hint: str) -> "HintItem":
        """Make the item of one hint."""
        item: HintItem = cast("Any", cls).from_parent(plan, name=f"{tool}[{hint}]")
        item.tool, item.hint = tool, hint
        item.add_marker("aboveboard")
        if item.config.pluginmanager.hasplugin("xdist"):
            # With --dist loadgroup, one worker runs the plan; otherwise each runs what it got.
            item.add_marker(pytest.mark.xdist_group(plan.name))
        return item

    def runtest(self) -> None:
        """Fail where the hint is violated; skip where nothing tells, or fail where that is not enough."""
        proof = self._plan_node.proof
        self._hold_to_the_plan(proof)
        if self.hint in OF_THE_PLAN:
            return
        verdict = next(one for one in proof.verdicts if (one.tool, one.hint) == (self.tool, self.hint))
        from aboveboard.audit.verdict import Ruling

        if verdict.verdict is Ruling.VIOLATED:
            raise HintViolated(_told(verdict))
        if not verdict.settled and self._strict:
            raise HintViolated(f"{verdict.tool} {verdict.hint} is {verdict.verdict.value}: {verdict.cause}")
        if verdict.verdict is not Ruling.HOLDS:
            pytest.skip(f"{verdict.verdict.value}: {verdict.explained or verdict.cause}")

    def _hold_to_the_plan(self, proof: "Proof") -> None:
        """Fail where a call is against what the plan says of it, or shows what that explains away."""
        from aboveboard.audit.judge import judge
        from aboveboard.audit.rules import BY_ID

        rule = BY_ID[OF_THE_PLAN.get(self.hint, "BEH08")]
        found = [one for one in judge(proof.evidence, rules=[rule]) if one.tool == self.tool]
        own = [one for one in found if self.hint in (*OF_THE_PLAN, one.hint)]
        if own:
            raise HintViolated("\n".join(dict.fromkeys(f"{one.tool} {one.message}" for one in own)))

    @property
    def _strict(self) -> bool:
        from aboveboard.audit.settings import in_ci

        return self.config.option.aboveboard_strict or in_ci()

    @property
    def _plan_node(self) -> _PlanNode:
        if not isinstance(self.parent, _PlanNode):
            raise TypeError("A hint belongs to a plan.")
        return self.parent

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Say what was seen, and of what cannot be run why; a bug keeps its traceback."""
        from aboveboard.errors import Failure

        if isinstance(excinfo.value, HintViolated | Failure):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Name the item by its plan, the line of its first case, the tool and the hint."""
        place = next((case.place for case in self._plan_node.plan.cases if case.tool == self.tool), None)
        return self.path, place.line - 1 if place else None, self.name


class HintViolated(Exception):
    """A tool was seen to do what its hint denies."""


def _told(verdict: "Verdict") -> str:
    said = "not stated" if verdict.declared is None else str(verdict.declared).lower()
    calls = [f"  called with {line}" for line in verdict.arguments if line]
    return "\n".join([f"{verdict.tool} says {verdict.hint}={said}, and {verdict.cause}", *calls[:4]])
