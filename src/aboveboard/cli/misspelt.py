"""Settings whose names are misspelt: what was meant to keep something safe must not be left aside in silence."""

from collections.abc import Mapping
from typing import Final

from aboveboard.errors import BadInput

OWN: Final = "ABOVEBOARD_"
"""Nobody else's names begin so, so every one of them must be known."""
SHARED: Final = ("LIGHTDASH_", "MCP_", "NEXTCLOUD_")
"""Other programs use these too: only what is nearly one of ours is refused."""
EMBEDDINGS: Final = f"{OWN}EMBEDDINGS_"
KNOWN: Final = (
    *("LIGHTDASH_URL", "LIGHTDASH_API_KEY", "LIGHTDASH_PROJECT_UUID", "LIGHTDASH_ALLOWED_PROJECTS"),
    *("LIGHTDASH_OAUTH_CLIENT_ID", "LIGHTDASH_OAUTH_CLIENT_SECRET", "LIGHTDASH_PUBLIC_URL"),
    *("NEXTCLOUD_HOST", "NEXTCLOUD_USERNAME", "NEXTCLOUD_PASSWORD", "NEXTCLOUD_PUBLIC_URL"),
    *("MCP_API_KEY", "MCP_AUTH_ENABLED", "MCP_HTTP_ALLOWED_HOSTS", "MCP_HTTP_ALLOWED_ORIGINS", "MCP_HTTP_HOST"),
    *("MCP_HTTP_PORT", "MCP_SESSION_IDLE_SECONDS", "MCP_STATELESS", "MCP_TRANSPORT"),
    *(
        f"{OWN}{name}"
        for name in (
            *(
                "ALLOWED_CLIENTS",
                "ALLOWED_PEOPLE",
                "AUDIT_LOG",
                "CALLS_AT_ONCE",
                "CALLS_A_MINUTE",
                "DRY_RUN",
                "EXCLUDE",
            ),
            *("LATE", "LIMITS", "MODELS", "OIDC_AUDIENCE", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "OIDC_ISSUER"),
            *("OIDC_MATCH", "OIDC_SCOPES", "OIDC_SUBJECT", "PUBLIC_URL", "RULES_URL", "SAFETY_MODE", "SANDBOX_TOKEN"),
            *("SEARCH_INDEX", "SIGN_IN", "STARTED", "STORE", "STORE_KEYS", "TOKEN", "TOOLSETS", "TOOL_PREFIX"),
        )
    ),
)
"""Every setting of every command (a test finds those that are missing here)."""
NEAR: Final = 0.9
"""How alike shared names must be: a letter too few, too many or wrong is enough."""
LIKELY: Final = 0.75


def refuse_misspelt(environment: Mapping[str, str]) -> None:
    """Refuse a name of ours that is no setting, and one of others' that is nearly one."""
    for name in sorted(environment):
        own = name.startswith(OWN) and not name.startswith(EMBEDDINGS)
        if name in KNOWN or not (own or name.startswith(SHARED)):
            continue
        import difflib  # for whoever errs

        close = difflib.get_close_matches(name, KNOWN, n=1, cutoff=LIKELY if own else NEAR)
        if close:
            raise BadInput(f"There is no setting {name}: did you mean {close[0]}?")
        if own:
            raise BadInput(f"There is no setting {name}.", next_step="`aboveboard serve --help` names them all.")


def unread_names(environment: Mapping[str, str], service: str) -> str:
    """Say which names that begin like a service's settings are not read: one of them may be what was meant."""
    named = f"{service.upper()}_"
    others = [name for name in sorted(environment) if name.startswith(named) and name not in KNOWN]
    return f"{', '.join(others)} {'is' if len(others) == 1 else 'are'} set, and not read." if others else ""
