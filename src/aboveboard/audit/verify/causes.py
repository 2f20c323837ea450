"""What was seen, in one line: the route, and the facts it changed."""

from collections.abc import Sequence
from typing import Final

from aboveboard.audit.evidence import Change, Trial
from aboveboard.audit.facts import ABSENT, above
from aboveboard.audit.request import Request, routes

SHOWN: Final = 3
OWN_FILES: Final = "own-files/"
"""What the paths of the server's own files begin with: no request wrote them."""


def cause(trial: Trial, changes: Sequence[Change], *, again: bool = False) -> str:
    """Say which route changed which facts."""
    on_disk = all(one.path.startswith(OWN_FILES) for one in changes)
    who = "" if on_disk else " and ".join(routes(trial.requests, writing=True)[:2])
    which = f", in case {trial.case!r}" if trial.case else ""
    late = f", up to {trial.settled:g} s after the answer" if trial.settled else ""
    return f"{who or 'the call'} {summarize_changes(changes)}{' again when repeated' if again else ''}{late}{which}"


def summarize_changes(changes: Sequence[Change]) -> str:
    """Say what happened to which facts: the worst first, and of each fact only the worst."""
    buried = [one for one in changes if one.buries]
    gone = [one for one in changes if one.after is ABSENT]
    new = [one for one in changes if one.before is ABSENT]
    other = [one for one in changes if one.before is not ABSENT and one.after is not ABSENT]
    lost, grown = [one for one in other if one.loses], [one for one in other if not one.loses]
    told = [
        ("marked as deleted by", buried),
        ("removed", gone),
        ("overwrote", lost),
        ("changed", grown),
        ("added", new),
    ]
    parts: list[str] = []
    named: set[str] = set()
    for verb, found in told:
        if fresh := [one for one in found if one.path not in named]:
            parts.append(f"{verb} {places(fresh)}")
            named |= {one.path for one in fresh}
    return ", ".join(parts)


def places(changes: Sequence[Change]) -> str:
    """Name facts; many of one record are that record."""
    paths = list(dict.fromkeys(one.path for one in changes))
    known = set(paths)
    tops = [path for path in paths if known.isdisjoint(above(path))]
    records: dict[str, list[str]] = {}
    for path in tops:
        records.setdefault(path.rpartition("/")[0], []).append(path)
    named = [name for parent, own in records.items() for name in ([parent] if parent and len(own) > SHOWN else own)]
    rest = f" and {len(named) - SHOWN} more" if len(named) > SHOWN else ""
    return ", ".join(named[:SHOWN]) + rest


def suspicion(trials: Sequence[Trial]) -> str:
    """Say what the requests alone would suggest; never more than a suspicion."""
    sent = [one for trial in trials for one in trial.requests]
    return suspected_write(writes) if (writes := [one for one in sent if one.may_write]) else ""


def suspected_write(writes: Sequence[Request]) -> str:
    """Name a request that may have written, and say how that is known."""
    by = "by review" if writes[0].writes else "by its verb"
    return f"{routes(writes)[0]} suggests a write, {by}: a suspicion only"
