"""Functions that are known to only read; any other may write, whatever the statement around it looks like.

`select setval(...)` changes a sequence, `select lo_import(...)` reads the server's own files, and a function that
somebody wrote does what they wrote. So functions are let through by name (`names.py`), and not kept out by name.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from aboveboard.errors import BadInput
from aboveboard.lightdash.tools.sql import names

# Snowflake's some_sequence.nextval, the standard's NEXT VALUE FOR, Postgres' FOR KEY SHARE.
_WITHOUT_BRACKETS: Final = re.compile(
    r"(?<![\w$])(?:nextval(?![\w$])(?!\s*+\()|next\s++value\s++for|for\s++(?:key\s++)?share)(?![\w$])", re.IGNORECASE
)
QUOTED: Final = "\0"
"""Stands for a quoted name in a bare statement."""
TEXT: Final = "\1"
"""Stands for a text."""
_SCRIPT: Final = re.compile(rf"(?<![\w$])using\s*+[{TEXT}{QUOTED}]", re.IGNORECASE)
"""Spark's TRANSFORM (...) USING 'program', which may stand in double quotes too."""
# $, digits, letters and _; beyond ASCII, some warehouses take every character for a letter.
_LETTER: Final = r"[^\x00-#%-/:-@\[-^`{-\x7f\s]"
# Possessive, and never from the middle of a word: a text of nothing but letters must not take minutes.
_CALL: Final = re.compile(rf"(?<!{_LETTER})((?:(?:{_LETTER}++|{QUOTED})\s*+\.\s*+){{0,4}})({_LETTER}++)\s*+\(")
_DOT: Final = re.compile(r"\s*\.\s*")
# with t(a, b) as (select ...): a name and its columns, and no call.
_NAMED: Final = re.compile(
    r"(?:\bwith\s|\brecursive\s|,)\s*+([\w$]++)\s*+\([\w$\s,]*+\)\s*+as\s*+(?:not\s++)?(?:materialized\s*+)?"
    r"\(\s*+(?:\(|(?:select|with|values)\b)",
    re.IGNORECASE,
)
# ... as t(a, b), (...) t(a, b): the same for a table. TABLESAMPLE has names of its own.
_ALIAS: Final = re.compile(r"(?:\bas|\)|\btablesample)\Z", re.IGNORECASE)
_NEAR: Final = 40
"""Characters before a name among which to look for that; whoever puts more between is asked to write it plainly."""
# select distinct on (a) f(b): what is in brackets there belongs to SELECT, and f is called.
_BEFORE_A_CALL: Final = re.compile(r"\b(?:on|top|options|distinct|all|select)\Z", re.IGNORECASE)


def check_functions(bare: str) -> None:
    """Refuse a call of anything that is not known to only read, in a statement without texts and comments."""
    if found := _WITHOUT_BRACKETS.search(bare):
        raise BadInput(f"{found.group(0).upper()!r} moves a sequence or locks rows, so it is not run.")
    if re.search(rf"{QUOTED}\s*+\(", bare):
        raise BadInput("A quoted name before a bracket calls a function by a name of its own: write it plainly.")
    if _SCRIPT.search(bare):
        raise BadInput("USING with a text runs a program in some warehouses, so it is not run.")
    tables = {found.start(1) for found in _NAMED.finditer(bare)}
    closed = _brackets(bare)
    for call in _CALL.finditer(bare):
        if call.start() not in tables and not _is_alias(bare, call.start(), closed):
            check_call(_DOT.split(call[1])[:-1], call[2])


def check_call(owners: Sequence[str], name: str) -> None:
    """Refuse a function that is not known to only read; owners are the names before its own, as `pg_catalog`."""
    small = name.lower()
    if names.WRITERS.fullmatch(small):
        raise BadInput(
            f"{name}() writes, locks, reaches elsewhere or runs a statement of its own, so it is not run.",
            next_step="Write it without, or ask an explore instead.",
        )
    whole = ".".join((*owners, small)).lower()
    known = _known(name) and (not owners or whole.removesuffix(f".{small}") in names.QUALIFIED)
    if not known and whole not in names.QUALIFIED_FUNCTIONS:
        raise BadInput(
            f"{name}() is not among the functions that are known to only read, so it is not run.",
            next_step="Write it with others, or ask an explore instead.",
        )


def _known(name: str) -> bool:
    if name.lower() in names.NAMES or names.CAMEL_CASE.fullmatch(name):
        return True
    return names.FAMILIES.fullmatch(name.lower()) is not None or names.COMBINATORS.sub("", name).lower() in names.NAMES


def _is_alias(bare: str, at: int, closed: Mapping[int, int]) -> bool:
    found = _ALIAS.search(bare[max(at - _NEAR, 0) : at].rstrip())
    if found is None or found.group() != ")":
        return found is not None
    opened = closed.get(bare.rindex(")", 0, at), 0)
    return _BEFORE_A_CALL.search(bare[max(opened - _NEAR, 0) : opened].rstrip()) is None


def _brackets(bare: str) -> dict[int, int]:
    """Where each bracket that is closed was opened."""
    still_open: list[int] = []
    pairs: dict[int, int] = {}
    for found in re.finditer(r"[()]", bare):
        if found.group() == "(":
            still_open.append(found.start())
        elif still_open:
            pairs[found.start()] = still_open.pop()
    return pairs
