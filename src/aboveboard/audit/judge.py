"""Evidence in, findings out: every rule that a profile asks for, over every piece of evidence of its kind."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from aboveboard.audit.evidence import Evidence, Fleet
from aboveboard.audit.rule import Finding, Profile, Rule
from aboveboard.audit.rules import RULES


def judge(
    evidence: Iterable[Evidence],
    profiles: Sequence[Profile] = (Profile.SPEC,),
    rules: Sequence[type[Rule[Any]]] = RULES,
) -> list[Finding]:
    """Apply the rules, and return the findings with the worst first."""
    pieces = list(evidence)
    found = [
        finding if finding.server else replace(finding, server=piece.server)
        for profile in profiles
        for rule in _asked(rules, profile)
        for piece in pieces
        if _fits(rule, piece)
        for finding in rule.check(piece)
    ]
    return sorted(found, key=by_weight)


def applied_rules(
    evidence: Iterable[Evidence],
    profiles: Sequence[Profile] = (Profile.SPEC,),
    rules: Sequence[type[Rule[Any]]] = RULES,
) -> frozenset[tuple[str, str]]:
    """Return which rules had something to judge, by server: one without evidence of its kind was not applied."""
    pieces = list(evidence)
    asked = [rule for profile in profiles for rule in _asked(rules, profile)]
    return frozenset((piece.server, rule.id) for rule in asked for piece in pieces if _fits(rule, piece))


def _fits(rule: Rule[Any], piece: Evidence) -> bool:
    return isinstance(piece, rule.judges()) and rule.applies(piece)


def evidence_pieces(fleet: Fleet) -> Iterator[Evidence]:
    """Take what was read of some servers apart, into all that rules can judge."""
    yield fleet
    for server in fleet.servers:
        yield server
        yield replace(server.session, server=server.name)
        yield from (replace(tool, server=server.name) for tool in server.tools)
        yield from (replace(piece, server=server.name) for piece in server.sign_in)


def by_weight(finding: Finding) -> tuple[int, str, str, str, str]:
    """Order findings: the worst first, then by rule and place."""
    return -finding.severity.rank, finding.rule, finding.server, finding.tool or "", finding.message


def _asked(rules: Sequence[type[Rule[Any]]], profile: Profile) -> list[Rule[Any]]:
    return [rule(profile) for rule in rules if rule.weight(profile) is not None]
