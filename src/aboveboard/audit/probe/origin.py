"""Where a server was read, in words that hold no secret."""

import re
from pathlib import PurePath
from typing import Final
from urllib.parse import urlsplit

from aboveboard.audit.target import Address, Command

_SECRET: Final = re.compile(r"key|token|secret|passw|auth|credential", re.IGNORECASE)
_RANDOM: Final = re.compile(r"(?=.*\d)(?=.*[A-Za-z])[A-Za-z0-9_+/=-]{20,}")
_LOGIN: Final = re.compile(r"://[^/]*@")
HIDDEN: Final = "[hidden]"


def origin(target: Command | Address) -> str:
    """Describe a target without what could be a secret in it."""
    if isinstance(target, Address):
        parts = urlsplit(target.url)
        query = "?…" if parts.query else ""
        return f"{parts.scheme}://{parts.hostname or ''}{f':{parts.port}' if parts.port else ''}{parts.path}{query}"
    program, *arguments = target.argv
    return " ".join([PurePath(program).name, *_masked(arguments)])


def _masked(arguments: list[str]) -> list[str]:
    shown: list[str] = []
    hide_next = False
    for argument in arguments:
        name, equals, _ = argument.partition("=")
        if hide_next:
            shown.append(HIDDEN)
        elif equals and _SECRET.search(name):
            shown.append(f"{name}={HIDDEN}")
        else:
            shown.append(HIDDEN if _RANDOM.fullmatch(argument) or _LOGIN.search(argument) else argument)
        hide_next = not hide_next and not equals and argument.startswith("-") and bool(_SECRET.search(argument))
    return shown
