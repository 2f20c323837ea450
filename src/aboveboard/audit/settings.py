"""Which rules count here: chosen in `aboveboard.toml` or `pyproject.toml`, and for one run on the command line.

    [tool.aboveboard.audit]
    profiles = ["spec", "openai"]
    fail-on = "warning"
    select = ["ANN", "NAM04"]
    token-budget = 20000

    [tool.aboveboard.audit.ignore]
    "ANN06:delete_draft" = "A draft is the caller's own and has no other copy to lose."

An ignore needs a reason: the report shows it.
"""

import os
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final, cast

from aboveboard.audit.rule import Finding, Ignored, Profile, Rule, Severity
from aboveboard.audit.rules import BY_ID, RULES
from aboveboard.errors import BadInput, explain_unknown

KEYS: Final = ("profiles", "fail-on", "select", "ignore", "token-budget")
NEVER: Final = "never"


def in_ci() -> bool:
    """Tell whether the result of this run counts: there, what nobody tried fails as well."""
    return os.environ.get("CI", "").lower() not in ("", "0", "false")


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What to ask, and what to let pass."""

    profiles: tuple[Profile, ...] = (Profile.SPEC,)
    select: tuple[str, ...] = ()
    """Ids or their beginnings, such as ANN; none means all."""
    ignore: Mapping[str, str] = field(default_factory=dict[str, str])
    """Id, or id:tool with * for any part, to the reason."""
    fail_on: Severity | None = Severity.ERROR
    token_budget: int | None = None

    def rules(self) -> tuple[type[Rule[Any]], ...]:
        """Return the rules to apply."""
        chosen = self.select
        return tuple(rule for rule in RULES if not chosen or any(rule.id.startswith(one) for one in chosen))

    def split_ignored(self, findings: Iterable[Finding]) -> tuple[list[Finding], list[Ignored]]:
        """Part the findings that count from those that are ignored."""
        kept: list[Finding] = []
        ignored: list[Ignored] = []
        for finding in findings:
            reason = next((why for what, why in self.ignore.items() if _covers(what, finding)), None)
            if reason is None:
                kept.append(finding)
            else:
                ignored.append(Ignored(finding, reason))
        return kept, ignored

    def fails(self, findings: Iterable[Finding]) -> bool:
        """Tell whether something was found that must not pass."""
        return self.fail_on is not None and any(one.severity.rank >= self.fail_on.rank for one in findings)


def _covers(pattern: str, finding: Finding) -> bool:
    rule, _, tool = pattern.partition(":")
    return finding.rule.startswith(rule) and (not tool or fnmatchcase(finding.tool or "", tool))


def read_settings(file: Path | None, start: Path) -> Settings:
    """Read the settings from a file, or from the nearest one at or above a folder."""
    if file is not None:
        return _settings(_table(file), file)
    for folder in (start, *start.parents):
        for name in ("aboveboard.toml", "pyproject.toml"):
            if (folder / name).is_file() and (table := _table(folder / name)):
                return _settings(table, folder / name)
    return Settings()


def _table(file: Path) -> Mapping[str, Any]:
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadInput(f"{file} cannot be read: {error}.") from None
    path = ("tool", "aboveboard", "audit") if file.name == "pyproject.toml" else ("audit",)
    at: Any = document
    for key in path:
        at = cast("Mapping[str, Any]", at).get(key) if isinstance(at, Mapping) else None
    return cast("Mapping[str, Any]", at) if isinstance(at, Mapping) else {}


def _settings(table: Mapping[str, Any], file: Path) -> Settings:
    for key in table:
        if key not in KEYS:
            raise BadInput(explain_unknown("setting", key, KEYS, of=str(file)))
    budget = table.get("token-budget")
    if budget is not None and (not isinstance(budget, int) or budget <= 0):
        raise BadInput(f"{file}: token-budget must be a whole number above 0.")
    return Settings(
        profiles=tuple(profile(one) for one in _list(table, "profiles", file)) or (Profile.SPEC,),
        select=known_rule_ids(_list(table, "select", file)),
        ignore=_reasons(table.get("ignore", {}), file),
        fail_on=severity(str(table.get("fail-on", Severity.ERROR))),
        token_budget=budget,
    )


def _list(table: Mapping[str, Any], key: str, file: Path) -> list[str]:
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(one, str) for one in cast("list[Any]", value)):
        raise BadInput(f"{file}: {key} must be a list of texts.")
    return cast("list[str]", value)


def _reasons(table: Any, file: Path) -> dict[str, str]:
    if not isinstance(table, Mapping):
        raise BadInput(f'{file}: ignore takes a reason for each rule: ignore = {{ ANN05 = "why" }}.')
    reasons = cast("Mapping[str, Any]", table)
    for what, why in reasons.items():
        known_rule_ids([what.partition(":")[0]])
        if not isinstance(why, str) or not why.strip():
            raise BadInput(f"{file}: say why {what} is ignored.")
    return dict(reasons)


def known_rule_ids(rules: Sequence[str]) -> tuple[str, ...]:
    """Refuse the id of a rule that does not exist: a typing mistake must not switch a check off."""
    for one in rules:
        if not one or not any(rule.id.startswith(one) for rule in RULES):
            raise BadInput(explain_unknown("rule", one, list(BY_ID), of="The auditor"))
    return tuple(rules)


def profile(name: str) -> Profile:
    """Return the profile of this name, or name those that there are."""
    if name not in list(Profile):
        raise BadInput(explain_unknown("profile", name, [one.value for one in Profile], of="The auditor"))
    return Profile(name)


def severity(name: str) -> Severity | None:
    """Return a severity by its name; None for `never`."""
    if name == NEVER:
        return None
    if name not in list(Severity):
        raise BadInput(explain_unknown("severity", name, [*(one.value for one in Severity), NEVER], of="The auditor"))
    return Severity(name)
