"""Options about people who sign in; `serve` and `people` take them, and each can be set in the environment."""

from typing import Any, Final

import click

from aboveboard.cli.grouping import together
from aboveboard.cli.options import setting
from aboveboard.kit.people.settings import Mode, PeopleSettings

PEOPLE: Final = (
    "public_url",
    "calls_at_once",
    "calls_a_minute",
    "limits",
    "stateless",
)

people_options = together(
    setting(
        "--sign-in",
        "ABOVEBOARD_SIGN_IN",
        "HTTP: who may come in. none: anyone on this machine. key: whoever has MCP_API_KEY. headers: people,"
        " who send their own credential with every request.",
        type=click.Choice([Mode.NONE.value, Mode.KEY.value, Mode.HEADERS.value]),
        default=Mode.NONE.value,
        show_default=True,
    ),
    setting(
        "--public-url",
        "ABOVEBOARD_PUBLIC_URL",
        "Signing in: the address at which clients and browsers reach this server.",
        default="",
        metavar="URL",
    ),
    setting(
        "--calls-at-once",
        "ABOVEBOARD_CALLS_AT_ONCE",
        "Signing in: calls that one person may have running.",
        type=click.IntRange(1, 1000),
        default=4,
        show_default=True,
    ),
    setting(
        "--calls-a-minute",
        "ABOVEBOARD_CALLS_A_MINUTE",
        "Signing in: calls that one person may make in a minute.",
        type=click.IntRange(1, 100_000),
        default=120,
        show_default=True,
    ),
    setting(
        "--limits",
        "ABOVEBOARD_LIMITS",
        "Signing in: where calls are counted: memory, or redis://... for several machines.",
        default="memory",
        show_default=True,
        metavar="PLACE",
    ),
    setting(
        "--stateless/--no-stateless",
        "MCP_STATELESS",
        "Signing in: give older clients no session, for several machines behind a balancer.",
        default=False,
    ),
)


def people_settings(sign_in: str, given: dict[str, Any]) -> PeopleSettings:
    """Make the settings of what the options say."""
    settings = PeopleSettings(mode=Mode(sign_in), **given)
    settings.check()
    return settings
