"""What the cases of a plan are called where the plan gives them no name."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from aboveboard.audit.verify.plan import Case


def case_names(cases: Sequence[Case]) -> list[str]:
    """Name cases that have none by their arguments, where a tool has several; texts stay out, as names are shown."""
    often = Counter(case.tool for case in cases)
    seen: Counter[tuple[str, str]] = Counter()
    names: list[str] = []
    for case in cases:
        name = case.name
        if not name and often[case.tool] > 1:
            name = ", ".join(_told(key, value) for key, value in case.arguments.items()) or "no arguments"
            seen[case.tool, name] += 1
            name += f" ({seen[case.tool, name]})" if seen[case.tool, name] > 1 else ""
        names.append(name)
    return names


def _told(name: str, value: Any) -> str:
    if isinstance(value, bool | int | float):
        return f"{name}={str(value).lower()}"
    return name
