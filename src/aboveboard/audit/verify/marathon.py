"""Many calls in one session: what a tool does only at its fifth call, or its fifteenth, two calls do not show."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import Any, Final

import anyio

from aboveboard.audit.evidence import Tool
from aboveboard.audit.verify.noise import noisy_paths
from aboveboard.audit.verify.plan import Case, Plan
from aboveboard.audit.verify.state import keep_paths, moved_paths
from aboveboard.audit.verify.values import fill_values
from aboveboard.audit.verify.walk import arrange_and_measure, begin_patiently, watch
from aboveboard.audit.verify.walk_record import WalkRecord
from aboveboard.audit.verify.workbench import Workbench

LATE: Final = 0.5
"""Seconds for what the last call may still be writing: it must not pass for something that moves by itself."""


def is_for(plan: Plan, tool: Tool, walks: Sequence[WalkRecord]) -> bool:
    """Tell whether a tool has to run: the plan says so, it claims to read, and a call of this case has worked."""
    worked = any(one.answer is not None and not one.answer.failed and not one.case.refused for one in walks)
    return bool(plan.marathon) and tool.declared("readOnlyHint") is True and worked


async def run_marathon(bench: Workbench, case: Case, noise: Sequence[str]) -> WalkRecord:
    """Call a tool again and again in a session of its own, and compare the states before and after."""
    await begin_patiently(bench, noise)
    named = f"{case.name}, " if case.name else ""
    case = replace(case, name=f"{named}{bench.plan.marathon} calls in one session")
    started = perf_counter()
    one = await arrange_and_measure(bench, case, partial(_called, bench, case))
    changed = [path for path in one.touched if path not in noisy_paths(one.touched, noise)]
    if not changed:
        return one
    # So long a run is long enough for what moves by itself: as much time without a call tells whether it does.
    took = perf_counter() - started
    await anyio.sleep(max(LATE, bench.late))
    await bench.retire_server()
    await begin_patiently(bench, noise, cold=False)
    return replace(one, quiet=await watch(bench, took))


async def _called(bench: Workbench, case: Case, values: Mapping[str, Any]) -> WalkRecord:
    arguments = fill_values(dict(case.arguments), values)
    background = await bench.sent()
    before = await bench.everything()
    answers = [await bench.call(case.tool, arguments) for _ in range(bench.plan.marathon)]
    await anyio.sleep(bench.plan.server.settle)
    sent = await bench.sent()
    after = await bench.everything()
    paths = moved_paths(before, after)
    return WalkRecord(
        case=case,
        arguments=arguments,
        before=keep_paths(before, paths),
        after=keep_paths(after, paths),
        again=keep_paths(after, paths),
        answer=answers[0],
        second=answers[-1],
        sent=sent,
        background=background,
    )
