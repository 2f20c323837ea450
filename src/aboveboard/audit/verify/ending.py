"""A walk that ends with the server: what it kept to itself until then was left to it by the calls."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from aboveboard.audit.verify.plan import Case
from aboveboard.audit.verify.state import keep_paths, moved_paths
from aboveboard.audit.verify.values import fill_values
from aboveboard.audit.verify.walk import arrange_and_measure, begin_patiently
from aboveboard.audit.verify.walk_record import WalkRecord
from aboveboard.audit.verify.workbench import Workbench


async def walk_to_the_end(bench: Workbench, case: Case) -> WalkRecord:
    """Call a tool, end the server, and compare the states before and after."""
    await bench.retire_server()
    await begin_patiently(bench, bench.known.noise, cold=False)
    named = f"{case.name}, " if case.name else ""
    case = replace(case, name=f"{named}until the server ended")
    return await arrange_and_measure(bench, case, partial(_called, bench, case))


async def _called(bench: Workbench, case: Case, values: Mapping[str, Any]) -> WalkRecord:
    arguments = fill_values(dict(case.arguments), values)
    background = await bench.sent()
    before = await bench.everything()
    answer = await bench.call(case.tool, arguments)
    await bench.retire_server()
    after = await bench.everything()
    paths = bench.known.unended(moved_paths(before, after))
    return WalkRecord(
        case=case,
        refused=fill_values(list(case.refused), values),
        changes=None if case.changes is None else fill_values(list(case.changes), values),
        arguments=arguments,
        before=keep_paths(before, paths),
        after=keep_paths(after, paths),
        again=keep_paths(after, paths),
        answer=answer,
        second=answer,
        sent=await bench.sent(),
        background=background,
    )
