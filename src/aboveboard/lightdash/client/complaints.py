"""What Lightdash says is wrong with a body, in one sentence: unions nest their issues as JSON, level in level."""

import json
import re
from collections.abc import Iterator
from typing import Any, cast

_ISSUES = re.compile(
    r"Could not match the (?:union against any of the items|intersection against every type)\. Issues: "
)
MOST = 3
"""Complaints to repeat: each arm of a union has its own, and the deepest tells what was nearly right."""


def flatten_message(message: str) -> str:
    """Return the message, with the innermost issues in place of the JSON that holds them."""
    if not _ISSUES.search(message):
        return message
    found = list(dict.fromkeys(_innermost(message, "", 0)))
    deepest = max((depth for depth, _ in found), default=0)
    told = [text for depth, text in found if depth == deepest]
    return "; ".join(told[:MOST]) or message


def _innermost(message: str, place: str, depth: int) -> Iterator[tuple[int, str]]:
    opening = _ISSUES.search(message)
    if opening is None:
        yield depth, f"{place}: {message}" if place else message
        return
    try:
        issues, _ = json.JSONDecoder().raw_decode(message[opening.end() :])
    except ValueError:
        return
    for issue in cast("list[dict[str, Any]]", issues):
        for where, about in issue.items():
            yield from _innermost(str(cast("dict[str, Any]", about).get("message", "")), where, depth + 1)
