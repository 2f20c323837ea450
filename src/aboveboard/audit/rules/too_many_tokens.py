"""SIZ01."""

from collections.abc import Iterator

from aboveboard.audit.evidence import Fleet, Server, example
from aboveboard.audit.rule import Finding, Profile, Rule, Severity

_BUDGET = 25_000
_STRICT_BUDGET = 20_000


class TooManyTokens(Rule[Fleet]):
    """The definitions of all tools together cost more tokens than the budget.

    Counted for name, description and input schema, four bytes a token. The budget is 25,000 (strict: 20,000) or what
    `--token-budget` says; several servers share it, as they share one model's context.
    """

    id = "SIZ01"
    severity = Severity.WARNING
    why = "Every conversation pays for them before the first question, and models choose worse among many."
    fix = "Shorten descriptions and schemas, or let operators switch groups of tools off."
    bad = Fleet([Server("notes", [example(f"get_note_{n}") for n in range(20)])], token_budget=500)
    good = Fleet([Server("notes", [example()])], token_budget=500)

    def check(self, evidence: Fleet) -> Iterator[Finding]:
        budget = evidence.token_budget or (_STRICT_BUDGET if self.profile is Profile.STRICT else _BUDGET)
        costs = {server.name: sum(tool.tokens for tool in server.tools) for server in evidence.servers}
        total = sum(costs.values())
        if total > budget:
            shares = ", ".join(f"{name} {cost:,}" for name, cost in sorted(costs.items(), key=lambda item: -item[1]))
            message = f"the definitions cost about {total:,} tokens, over the budget of {budget:,} ({shares})"
            yield self.finding(None, message, server=next(iter(costs)) if len(costs) == 1 else "")
