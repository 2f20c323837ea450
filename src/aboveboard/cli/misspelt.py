"""Settings whose names are misspelt: what was meant to keep something safe must not be left aside in silence."""

import difflib
from collections.abc import Collection, Mapping
from typing import Final

from aboveboard.errors import BadInput

OURS: Final = ("ABOVEBOARD_", "LIGHTDASH_", "MCP_", "NEXTCLOUD_")
WITHOUT_A_FLAG: Final = (
    *("LIGHTDASH_URL", "LIGHTDASH_API_KEY", "LIGHTDASH_PROJECT_UUID", "LIGHTDASH_ALLOWED_PROJECTS"),
    *("NEXTCLOUD_HOST", "NEXTCLOUD_USERNAME", "NEXTCLOUD_PASSWORD", "MCP_API_KEY"),
)
NEAR: Final = 0.9
"""How alike names must be: others use these prefixes too, and a letter too few, too many or wrong is enough."""


def refuse_misspelt(environment: Mapping[str, str], options: Collection[str]) -> None:
    """Refuse a name that is nearly one of a setting; `options` are those that have a flag too."""
    known = {*options, *WITHOUT_A_FLAG}
    for name in sorted(environment):
        if name.startswith(OURS) and name not in known:
            close = difflib.get_close_matches(name, known, n=1, cutoff=NEAR)
            if close:
                raise BadInput(f"There is no setting {name}: did you mean {close[0]}?")
