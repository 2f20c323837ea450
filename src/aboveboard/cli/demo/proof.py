"""The end of the demo: every tool is called against its sandbox, and what became of the hints is one small table.

The plans are those of `aboveboard verify`, run once and in this process, which takes a fraction of the time; the demo
says so.
"""

from collections.abc import Mapping, Sequence, Set
from importlib.util import find_spec
from typing import Final

from aboveboard.audit.verdict import Ruling, Verdict
from aboveboard.audit.verify import load_plan, verify
from aboveboard.audit.words import plural
from aboveboard.cli.demo.stage import say, tell
from aboveboard.cli.embedding import embed_plan
from aboveboard.cli.progress import Meter
from aboveboard.cli.services import plan_folder, server_module
from aboveboard.cli.terminal import table
from aboveboard.errors import Failure

RULINGS: Final = {
    Ruling.HOLDS: "held",
    Ruling.VIOLATED: "violated",
    Ruling.NOT_OBSERVED: "not observed",
    Ruling.UNTRIED: "untried",
    Ruling.UNVERIFIABLE: "unverifiable",
}
QUARTERS: Final = 4
"""How often it is said, where there is no terminal, how far it is: more lines would drown the table."""
EXTRAS: Final = {"render_chart": ("matplotlib", "charts"), "nc_webdav_read_file": ("pypdf", "documents")}
"""Tools that cannot show all they do in a base installation: what they need, and the extra that brings it."""


def prove(services: Sequence[str], only: Sequence[str] = ()) -> None:
    """Run each service's plan, and show what became of the hints."""
    say("The proof, once and in this process: every tool is called and its sandbox's state compared")
    found = {service: _proven(service, only) for service in services}
    show(found)
    for service, verdicts in found.items():
        if unlisted := _unlisted(service, {one.tool for one in verdicts}):
            tell(unlisted)


def show(found: Mapping[str, Sequence[Verdict]]) -> None:
    """Count the verdicts of each service; one that does not stand is a failure."""
    rows = [_row(service, verdicts) for service, verdicts in found.items()]
    tell(table(("service", "tools", "hints", *RULINGS.values()), rows))
    every = [one for verdicts in found.values() for one in verdicts]
    lacking = sorted({_lacks(one.tool) for one in every if one.unproven} - {""})
    if any(one.verdict not in (Ruling.HOLDS, Ruling.VIOLATED) for one in every):
        tell(_why_unproven(lacking))
    if wrong := [one for one in every if one.verdict is Ruling.VIOLATED or (one.unproven and not _lacks(one.tool))]:
        raise Failure(f"{plural(len(wrong), 'hint')} did not stand: {wrong[0].tool} {wrong[0].hint}, {wrong[0].cause}")


def _proven(service: str, only: Sequence[str]) -> Sequence[Verdict]:
    with Meter(steps=QUARTERS) as meter:
        plan = load_plan(plan_folder(service))
        return verify(plan, repeats=1, only=only, late=0, progress=meter.show, setup=embed_plan(plan)).verdicts


def _unlisted(service: str, called: Set[str]) -> str:
    """Say which tools were called that the list at the beginning lacks: the two numbers differ by them."""
    off = [tool for tool in server_module(service).SERVICE.tools if tool.name in called and not tool.toolset.default]
    areas = ",".join(sorted({tool.toolset.area for tool in off}))
    return f"{len(off)} of {service}'s are listed only on request: --toolsets all,{areas}." if off else ""


def _why_unproven(lacking: Sequence[str]) -> str:
    """Say what the last columns mean, in one line whatever is installed: all of the demo is to fit a screen."""
    if lacking:
        extras = f"aboveboard[{','.join(lacking)}]"
        return f"The last three are unproven: no call showed it, or {extras} is not installed."
    return "The last three: no call showed it, and the whole proof says why. Nothing is proven of these."


def _lacks(tool: str) -> str:
    """Name the extra that a tool lacks here, if it does."""
    library, extra = EXTRAS.get(tool, ("", ""))
    return extra if library and find_spec(library) is None else ""


def _row(service: str, verdicts: Sequence[Verdict]) -> list[str]:
    tools = len({one.tool for one in verdicts})
    counts = [sum(one.verdict is ruling for one in verdicts) for ruling in RULINGS]
    return [service, *map(str, (tools, len(verdicts), *counts))]
