"""How long it takes to verify fifty tools, with one case each and with a draft: `python -m benchmarks.verifying`."""

import os
import sys
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Final

from aboveboard.audit.verdict import Ruling
from aboveboard.audit.verify import ConnectOptions, Plan, parse_plan, verify
from aboveboard.audit.verify.draft import draft, read_with_pace

ROOT: Final = Path(__file__).parents[1]
SETUP: Final = """
server:
  command: ["${python}", -m, benchmarks.fifty_tools]
  env: {NOTES_URL: "${upstream}", PYTHONPATH: "%s"}
backend:
  command: ["${python}", -m, tests.audit.liars.watched.backend, "${port}"]
  url: http://127.0.0.1:${port}
  reset: POST /_reset
  state: GET /_state
"""
JOBS: Final = 2


def main() -> None:
    """Verify the fifty tools twice, and print what it took."""
    plan = parse_plan(SETUP % ROOT, here=ROOT)
    server, pace = read_with_pace(plan, ConnectOptions())
    text = draft(server, plan, pace=pace)
    drafted = parse_plan(text.replace(": TODO\n", ': "1"\n'))
    usual = [drafted.of(tool.name)[0] for tool in server.tools]
    _measure("one case each", replace(plan, cases=usual, values=drafted.values, marathon=20))
    _measure("drafted", replace(plan, cases=drafted.cases, values=drafted.values, marathon=20))


def _measure(what: str, plan: Plan) -> None:
    start, worked = perf_counter(), sum(os.times()[:4])
    proof = verify(plan, jobs=JOBS)
    seconds, work = perf_counter() - start, sum(os.times()[:4]) - worked
    holds = sum(one.verdict is Ruling.HOLDS for one in proof.verdicts)
    print(
        f"{what}: {len(plan.cases)} cases, {proof.walks} walks, {holds} of {len(proof.verdicts)} hints hold,"
        f" {seconds:.0f} s with {JOBS} jobs on {os.cpu_count()} cores, {work:.0f} s of work for them"
    )
    sys.stdout.flush()


if __name__ == "__main__":
    main()
