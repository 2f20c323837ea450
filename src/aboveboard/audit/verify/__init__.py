"""Watches what tools do: calls them against a disposable backend and compares the backend's state.

    plan = load_plan("plan.yaml")
    proof = verify(plan)
    proof.verdicts        one for each tool and hint: holds, violated, not observed, unverifiable

Rule zero: no hint decides what is called. Running (`run`, `workbench`, `walk`, `recorder`, `oracle`, `processes`) and
judging (`proof`, `verdicts`, `causes`, `branches`, `noise`, `state`) are apart; what a run saw can be judged again.
"""

from aboveboard.audit.verify.loading import load_plan, parse_plan
from aboveboard.audit.verify.plan import Plan
from aboveboard.audit.verify.progress import Progress
from aboveboard.audit.verify.proof import Proof
from aboveboard.audit.verify.run import verify
from aboveboard.audit.verify.setup import ConnectOptions

__all__ = ["ConnectOptions", "Plan", "Progress", "Proof", "load_plan", "parse_plan", "verify"]
