"""`aboveboard rules`: what the auditor looks for, and why."""

import json
import textwrap
from typing import Any, Final

import click

from aboveboard.audit.report.terminal import COLOURS, WORDS
from aboveboard.audit.rule import Profile, Rule, Severity
from aboveboard.audit.rules import BY_ID, RULES
from aboveboard.audit.rules_docs import FAMILIES, details, evidence_kind, examples
from aboveboard.cli.terminal import room
from aboveboard.errors import BadInput, explain_unknown

NARROW: Final = 40
PAGE: Final = 100
WIDE: Final = 1000
"""The columns of a line where there is no terminal: none is wrapped, so that a tool can read it line by line."""
WEIGHT: Final = max(len(word) for word in (*WORDS.values(), "not asked"))


@click.command(name="rules")
@click.argument("rule_id", required=False, metavar="[ID]")
@click.option(
    "--profile",
    type=click.Choice([one.value for one in Profile]),
    default="spec",
    show_default=True,
    help="Whose weights to show.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the list as JSON.")
def command(rule_id: str | None, profile: str, as_json: bool) -> None:  # noqa: FBT001 (click passes it by name)
    """List the rules, or explain the one with this ID: why it matters, how to fix it, a bad and a good example.

    \b
    Examples
      aboveboard rules
      aboveboard rules ANN04
      aboveboard rules --profile openai
    """
    if rule_id is not None:
        click.echo(explanation(_found(rule_id)))
    elif as_json:
        click.echo(json.dumps([_data(rule) for rule in RULES], indent=2))
    else:
        click.echo(listing(Profile(profile)))


def _found(rule_id: str) -> type[Rule[Any]]:
    wanted = rule_id.upper()
    by_name = {rule.name(): rule for rule in RULES}
    rule = BY_ID.get(wanted) or by_name.get(rule_id.lower().replace("-", "_"))
    if rule is None:
        raise BadInput(explain_unknown("rule", wanted, list(BY_ID), of="The auditor"))
    return rule


def listing(profile: Profile) -> str:
    """Show every rule in its family, weighed by a profile."""
    parts: list[str] = []
    for prefix, title in FAMILIES.items():
        lines = [_line(rule, profile) for rule in RULES if rule.id.startswith(prefix)]
        parts.append("\n".join([click.style(title, bold=True), *lines]))
    ending = click.style(f"{len(RULES)} rules, weighed by the profile {profile.value}.", dim=True)
    return "\n\n".join([*parts, ending])


def _line(rule: type[Rule[Any]], profile: Profile) -> str:
    weight = _weight(rule.weight(profile))
    start = f"{rule.id}  {weight}{' ' * (WEIGHT - len(click.unstyle(weight)))}  "
    indent = " " * len(click.unstyle(start))
    title = textwrap.wrap(rule.title(), max((room() or WIDE) - len(indent), NARROW))
    return start + f"\n{indent}".join(title)


def explanation(rule: type[Rule[Any]]) -> str:
    """Explain one rule."""
    bad, good = examples(rule)
    title = click.style(textwrap.fill(f"{rule.id}  {rule.title()}", _width()), bold=True)
    parts = [
        f"{title}\n{click.style(rule.name(), dim=True)}\n{_weights(rule)}",
        *([_wrapped(details(rule))] if details(rule) else []),
        _wrapped(f"Why: {rule.why}"),
        _wrapped(f"Fix: {rule.fix}"),
        _wrapped(f"Looks at {evidence_kind(rule)}."),
        click.style("Bad", fg="red", bold=True) + "\n" + textwrap.indent(bad, "  "),
        click.style("Good", fg="green", bold=True) + "\n" + textwrap.indent(good, "  "),
    ]
    return "\n\n".join(parts)


def _weights(rule: type[Rule[Any]]) -> str:
    """Show how each profile weighs the rule, several in a line where they fit."""
    shown = [f"{profile.value} {_weight(rule.weight(profile))}" for profile in Profile]
    lines = [""]
    for one in shown:
        longer = f"{lines[-1]}  {one}".lstrip()
        lines[-1:] = [longer] if len(click.unstyle(longer)) <= _width() else [lines[-1], one]
    return "\n".join(lines)


def _wrapped(text: str) -> str:
    return textwrap.fill(" ".join(text.split()), _width())


def _width() -> int:
    return max(min(room() or PAGE, PAGE), NARROW)


def _weight(weight: Severity | None) -> str:
    return click.style(WORDS[weight], fg=COLOURS[weight]) if weight else click.style("not asked", dim=True)


def _data(rule: type[Rule[Any]]) -> dict[str, Any]:
    weights = {profile.value: rule.weight(profile) for profile in Profile}
    return {
        "id": rule.id,
        "name": rule.name(),
        "title": rule.title(),
        "why": rule.why,
        "fix": rule.fix,
        "severity": {name: weight.value if weight else None for name, weight in weights.items()},
    }
