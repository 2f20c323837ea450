"""`python -m benchmarks`: measure both servers in one run and print the table. It never fails for a figure."""

import argparse
import platform
from datetime import UTC, datetime
from importlib.metadata import version

from benchmarks.measure import Effort, measure
from benchmarks.subjects import FLOOR, OURS, STARTING, upstream
from benchmarks.table import starts, table

THOROUGH = Effort(starts=15, rounds=10, calls=300)
QUICK = Effort(starts=3, rounds=2, calls=100)


def main() -> None:
    """Read the arguments, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer rounds: a first impression in half a minute")
    effort = QUICK if parser.parse_args().quick else THOROUGH
    with upstream() as environment:
        samples = measure(environment, effort)
    print(
        f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, mcp {version('mcp')}, "
        f"httpx2 {version('httpx2')}; medians of {effort.starts} starts and {effort.rounds} rounds of "
        f"{effort.calls} calls of list_projects each\n"
    )
    print(table(samples.figures(OURS), samples.figures(FLOOR)))
    print()
    print(starts({subject.name: samples.figures(subject) for subject in STARTING}))


if __name__ == "__main__":
    main()
