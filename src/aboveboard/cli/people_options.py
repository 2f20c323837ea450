"""Options about people who sign in; `serve` and `people` take them, and each can be set in the environment."""

import os
from typing import TYPE_CHECKING, Any, Final

import click
from pydantic import SecretStr

from aboveboard.cli.grouping import together
from aboveboard.cli.options import names, setting
from aboveboard.kit.people.sign_in_mode import SignInMode

if TYPE_CHECKING:  # a server of one person does not pay for them
    from aboveboard.kit.people.settings import PeopleSettings

OIDC: Final = ("issuer", "client_id", "audience", "subject", "match", "scopes")
PEOPLE: Final = (
    "public_url",
    "store",
    "store_keys",
    "allowed_clients",
    "allowed_people",
    "calls_at_once",
    "calls_a_minute",
    "limits",
    "stateless",
    *(f"oidc_{name}" for name in OIDC),
)

store_options = together(
    setting(
        "--store",
        "ABOVEBOARD_STORE",
        "Where people and their grants are kept: a file (SQLite), or postgresql://..."
        "  [default: ~/.local/state/aboveboard/SERVICE-people.db]",
        default="",
        metavar="PLACE",
    ),
    setting(
        "--store-keys",
        "ABOVEBOARD_STORE_KEYS",
        "The file with the keys that seal credentials; made where there is none."
        "  [default: ~/.local/state/aboveboard/SERVICE-people.keys]",
        default="",
        metavar="FILE",
    ),
)

oidc_options = together(
    setting(
        "--oidc-issuer",
        "ABOVEBOARD_OIDC_ISSUER",
        "oidc: the identity provider's address, as it stands in its tokens.",
        default="",
        metavar="URL",
    ),
    setting(
        "--oidc-client-id",
        "ABOVEBOARD_OIDC_CLIENT_ID",
        "oidc: what this server is to the provider; a secret, if it has one, is in ABOVEBOARD_OIDC_CLIENT_SECRET.",
        default="",
        metavar="ID",
    ),
    setting(
        "--oidc-audience",
        "ABOVEBOARD_OIDC_AUDIENCE",
        "oidc: whom tokens must be issued for; this server's public address and /mcp if not set.",
        default="",
        metavar="NAME",
    ),
    setting(
        "--oidc-subject",
        "ABOVEBOARD_OIDC_SUBJECT",
        "oidc: the claim that tells one person from another, to every client alike.",
        default="sub",
        show_default=True,
        metavar="CLAIM",
    ),
    setting(
        "--oidc-match",
        "ABOVEBOARD_OIDC_MATCH",
        "oidc: the claim that must be equal to the account's id or e-mail address at the service."
        "  [default: preferred_username=id for Nextcloud, email=email for Lightdash]",
        default="",
        metavar="CLAIM=id|email",
    ),
    setting(
        "--oidc-scopes",
        "ABOVEBOARD_OIDC_SCOPES",
        "oidc: what clients ask the provider for, such as openid,read,write; none if not set. Where ours are among"
        " them, a token allows no more than it names.",
        default="",
        callback=names,
        metavar="SCOPES",
    ),
)

people_options = together(
    setting(
        "--sign-in",
        "ABOVEBOARD_SIGN_IN",
        "HTTP: who may come in. none: anyone on this machine. key: whoever has MCP_API_KEY. connect: people, who log in"
        " at the service. oidc: an identity provider says who they are. headers: they send their own credential.",
        type=click.Choice([mode.value for mode in SignInMode]),
        default=SignInMode.NONE.value,
        show_default=True,
    ),
    setting(
        "--public-url",
        "ABOVEBOARD_PUBLIC_URL",
        "Signing in: the address at which clients and browsers reach this server.",
        default="",
        metavar="URL",
    ),
    store_options,
    oidc_options,
    setting(
        "--allowed-clients",
        "ABOVEBOARD_ALLOWED_CLIENTS",
        "Signing in: hosts that AI clients may come from, such as claude.ai,localhost; all if not set.",
        default="",
        callback=names,
        metavar="HOSTS",
    ),
    setting(
        "--allowed-people",
        "ABOVEBOARD_ALLOWED_PEOPLE",
        "Signing in: ids of people at the service; all if not set.",
        default="",
        callback=names,
        metavar="IDS",
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


def people_settings(sign_in: str, given: dict[str, Any]) -> "PeopleSettings":
    """Make the settings of what the options say."""
    from aboveboard.kit.people.settings import OidcSettings, PeopleSettings

    secret = os.environ.get("ABOVEBOARD_OIDC_CLIENT_SECRET", "").strip()
    oidc = OidcSettings(
        client_secret=SecretStr(secret) if secret else None, **{name: given.pop(f"oidc_{name}") for name in OIDC}
    )
    settings = PeopleSettings(mode=SignInMode(sign_in), oidc=oidc, **given)
    settings.check()
    return settings
