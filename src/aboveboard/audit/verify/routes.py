"""Routes: a path without its ids, and what reviewers said of it."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from aboveboard.audit.request import Request, RequestKind
from aboveboard.audit.verify.seen import SeenRequest

_ID: Final = re.compile(r"[0-9]+|[0-9a-f-]{32,}|(?=.*[0-9])[0-9a-zA-Z_~=-]{16,}|.*%.*", re.IGNORECASE)


_MEANING: Final = {"**": ".+", "*": "[^/]+", "{": "[^/]+"}


def template(path: str) -> str:
    """Write a path without what is a value in it: the query and the ids."""
    plain = path.partition("?")[0]
    return "/".join("{id}" if _ID.fullmatch(part) else part for part in plain.split("/"))


def request(seen: SeenRequest, reviewed: Mapping[str, RequestKind]) -> Request:
    """Describe a request as evidence."""
    path = seen.path.partition("?")[0]
    known = next((kind for route, kind in reviewed.items() if _fits(route, seen.method, path)), None)
    return Request(
        seen.method,
        seen.host,
        template(path),
        seen.status,
        writes=known is not None and known is not RequestKind.SAFE,
        known=known.value if known else "",
    )


def _fits(route: str, method: str, path: str) -> bool:
    verb, _, pattern = route.partition(" ")
    return verb == method and _shape(pattern).fullmatch(path) is not None


@lru_cache(maxsize=512)
def _shape(pattern: str) -> re.Pattern[str]:
    """Read `/notes/{id}/view`, `/notes/*/view` or `/files/**`, which is any depth."""
    pieces = re.split(r"(\*\*|\*|\{[^/{}]*\})", pattern.partition("?")[0])
    return re.compile("".join(_MEANING.get(one[:2] if one[:1] == "*" else one[:1], re.escape(one)) for one in pieces))
