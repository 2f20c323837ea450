"""Values that a description names in words: `one of asc or desc`, `such as "inbox"`, `e.g. 12`."""

import re
from collections.abc import Iterator
from typing import Any, Final

from aboveboard.audit.evidence import Schema, singular, words

_INTRODUCED: Final = re.compile(
    r"(?:\bsuch as|\be\.g\.,?|\bfor example,?|\bfor instance,?|\bexamples?:|\bone of:?|\beither)\s+"
    r"(.+?)(?:[.;)]+(?:\s|$)|$)",
    re.IGNORECASE | re.DOTALL,
)
_QUOTED: Final = re.compile(r"`([^`]{1,60})`|\"([^\"]{1,60})\"|'([^']{1,60})'|“([^”]{1,60})”")
_BETWEEN: Final = re.compile(r",\s*(?:or|and)\s+|,\s*|\s+(?:or|and)\s+|\s*/\s*")
_WORD: Final = re.compile(r"[\w@.:+-]+")
MOST: Final = 4


def mentioned_examples(name: str, description: str, schema: Schema) -> list[Any]:
    """Return the values that a tool's description gives as examples of a parameter: `run a job, such as "tidy"`."""
    noun = singular((words(name) or [name])[-1])
    after = re.split(rf"\b{re.escape(noun)}s?\b", description, flags=re.IGNORECASE)[1:]
    near = (rest for rest in after if _INTRODUCED.match(rest.lstrip(" ,(")))
    return [one for rest in near for one in mentioned_values({**schema, "description": rest})][:MOST]


def mentioned_values(schema: Schema) -> list[Any]:
    """Return the values that a schema's description gives as examples, as far as they fit its type."""
    description = schema.get("description")
    if not isinstance(description, str):
        return []
    found = (_fitting(word, schema) for match in _INTRODUCED.finditer(description) for word in _words(match[1]))
    return list(dict.fromkeys(one for one in found if one is not None))[:MOST]


def _words(said: str) -> Iterator[str]:
    """Go through what is quoted; without quotes, only what is one word each can be meant literally."""
    quoted = [next(filter(None, match.groups())) for match in _QUOTED.finditer(said)]
    if quoted:
        yield from quoted
        return
    parts = _BETWEEN.split(said.strip())
    yield from parts if all(_WORD.fullmatch(part) for part in parts) else ()


def _fitting(word: str, schema: Schema) -> Any:
    kind = schema.get("type")
    if kind in ("integer", "number"):
        try:
            return int(word) if kind == "integer" else float(word)
        except ValueError:
            return None
    return word if kind == "string" else None
