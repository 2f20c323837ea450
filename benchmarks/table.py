"""The figures as one table: ours, the floor, their ratio, the target, and whether it was met."""

from collections.abc import Mapping
from dataclasses import dataclass

from benchmarks.measure import IN_FLIGHT, WIRES, Figures

HEAD = ("measure", "ours", "floor", "ours : floor", "target", "met")


@dataclass(frozen=True)
class Target:
    """How much ours may be: in relation to the floor, or by itself."""

    times: float | None = None
    above: float | None = None
    at_most: float | None = None

    def words(self) -> str:
        """Say it."""
        if self.times is not None:
            return f"<= {self.times:.2f} x"
        if self.above is not None:
            return f"<= floor + {self.above:g}"
        return "" if self.at_most is None else f"<= {self.at_most:g}"

    def met(self, ours: float, floor: float) -> str:
        """Tell whether it was reached."""
        if self.times is not None:
            reached = ours <= floor * self.times
        elif self.above is not None:
            reached = ours <= floor + self.above
        elif self.at_most is not None:
            reached = ours <= self.at_most
        else:
            return ""
        return "yes" if reached else "NO"


START, CALL, MEMORY, BYTES, NONE = (
    Target(times=1.10),
    Target(times=1.35),
    Target(above=25),
    Target(at_most=700),
    Target(),
)


def targets() -> dict[str, Target]:
    """All measures in the order shown, with what is to be reached; throughput and the like are shown without one."""
    return {
        **{f"start, {wire}, {unit}": START for wire in WIRES[:2] for unit in ("ms", "CPU ms")},
        **{f"start to first answer, {wire}, CPU ms": NONE for wire in WIRES[:2]},
        **{
            f"{wire}, {in_flight} in flight, {unit}": target
            for wire in WIRES
            for in_flight in IN_FLIGHT
            for unit, target in (("CPU ms per call", CALL), ("calls per second", NONE))
        },
        **{f"RSS, {wire}, MB": MEMORY for wire in WIRES},
        "definition bytes per tool": BYTES,
        "tools/list, bytes per tool": NONE,
        "tools": NONE,
    }


def table(ours: Figures, floor: Figures) -> str:
    """Write the table, as text that is Markdown too."""
    rows = [HEAD, *(_row(measure, target, ours[measure], floor[measure]) for measure, target in targets().items())]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEAD))]
    rule = tuple("-" * width for width in widths)
    return "\n".join(_line(row, widths) for row in (rows[0], rule, *rows[1:]))


def starts(figures: Mapping[str, Figures]) -> str:
    """Write what a start costs each server in relation to the floor, which comes first, and how that grows."""
    floor = figures["floor"]
    head = ("start", *figures)
    rows: list[tuple[str, ...]] = [head]
    for measure in (f"start, {wire}, {unit}" for wire in WIRES[:2] for unit in ("ms", "CPU ms")):
        values = [f"{_number(one[measure])} ({one[measure] / floor[measure]:.2f})" for one in figures.values()]
        rows.append((measure, *values))
    rows.append(("tools", *(f"{one['tools']:g}" for one in figures.values())))
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    rule = tuple("-" * width for width in widths)
    return "\n".join(_line(row, widths) for row in (rows[0], rule, *rows[1:]))


def _row(measure: str, target: Target, ours: float, floor: float) -> tuple[str, ...]:
    return (measure, _number(ours), _number(floor), f"{ours / floor:.2f}", target.words(), target.met(ours, floor))


def _number(value: float) -> str:
    return f"{value:.2f}" if value < 10 and value % 1 else f"{value:.0f}" if value >= 100 else f"{value:.1f}"


def _line(row: tuple[str, ...], widths: list[int]) -> str:
    first, *rest = (
        cell.ljust(width) if column in (0, 4, 5) else cell.rjust(width)
        for column, (cell, width) in enumerate(zip(row, widths, strict=True))
    )
    return f"| {' | '.join((first, *rest))} |"
