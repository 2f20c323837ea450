"""Whether a statement only reads, decided before anything is sent.

Lightdash hands a statement to the warehouse nearly as it is, and each warehouse has its own idea of where a text or a
comment ends. So a statement is read as each of them reads it, and must be harmless in every reading. What passes here
is looked at once more as a tree (`tree.py`).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from aboveboard.errors import BadInput
from aboveboard.lightdash.tools.sql.functions import QUOTED, TEXT, check_functions

_STANDS_FOR = {"`": f" {QUOTED}", '"': f" {QUOTED}", "'": f" {TEXT}", "e": f" {TEXT}", "$": f" {TEXT}"}
"""By how it begins; a comment stands for nothing."""
# How what is opened ends, by its opening. Each character can be read in one way only: a text of nothing but quotes must
# not take minutes. No group is possessive, though that would be shorter: Python before 3.11.5 reads those wrongly.
_COMMON = {
    r"`": r"[^`]*+`",
    r"(?<![\w$])\$(?:[a-z_]\w*)?\$": "",  # dollar-quoted text ends as it began
    r"--": r"[^\n]*+",
    r"/\*": r"(?:[^*/]|\*(?!/)|/(?!\*))*\*/",  # not one with another in it: warehouses differ on where that ends
}
_PLAIN = {r"'": r"[^']*+'", r'"': r'[^"]*+"'}  # a doubled quote reads as two texts side by side
_ESCAPED = {
    r"'": r"(?:[^'\\]|\\.|'')*'(?!')",
    r'"': r'(?:[^"\\]|\\.|"")*"(?!")',
    r"`": r"(?:[^`\\]|\\.)*`",
}
_TRIPLE = {r"'''": r"(?:[^'\\]|\\.|'(?!''))*'''", r'"""': r'(?:[^"\\]|\\.|"(?!""))*"""'}
_HASH, _SLASHES = {r"\#": r"[^\n]*+"}, {r"//": r"[^\n]*+"}
_READINGS = (
    _COMMON | _PLAIN,  # the standard, Trino, Athena
    {r"(?<![\w$])e'": _ESCAPED["'"]} | _COMMON | _PLAIN,  # Postgres, Redshift, DuckDB
    _COMMON | _ESCAPED,  # Databricks
    _COMMON | _ESCAPED | _SLASHES,  # Snowflake
    _COMMON | _ESCAPED | _HASH,  # ClickHouse
    _TRIPLE | _COMMON | _ESCAPED | _HASH,  # BigQuery
)
_WRITING = re.compile(
    # merge(sketch) and truncate(1.5) are functions.
    r"\b(insert|update|delete|(?:merge|truncate)(?!\s*+\()|upsert|replace\s+into|into|drop|alter|create|grant|revoke|call|copy|execute|exec"
    r"|do|vacuum|analyze|attach|detach|pragma|set|reset|lock|refresh|comment|unload|load|export|import|begin|commit|rollback)\b",
    re.IGNORECASE,
)


def check_select(sql: str) -> None:
    """Refuse everything but one SELECT (or WITH ... SELECT)."""
    check_words(sql)
    from aboveboard.lightdash.tools.sql.tree import check_tree  # a tenth of a second, for those who use SQL

    check_tree(sql)


def check_words(sql: str) -> None:
    """The first fence: refuse by words, without texts and comments."""
    lines = sql.replace("\r\n", "\n")
    if "\r" in lines:
        raise BadInput(
            "The SQL has a lone carriage return, which ends a comment in some warehouses only: leave it out."
        )
    # Most statements read alike everywhere, and what reads alike is looked at once.
    for bare in dict.fromkeys(_bare(lines, reading).strip().rstrip("; \n\t") for reading in _readings()):
        _check(bare)
        check_functions(bare)


@dataclass(frozen=True)
class _Reading:
    """How one kind of warehouse reads: what opens, and by its number how each ends; None: as it began."""

    opening: re.Pattern[str]
    endings: Sequence[re.Pattern[str] | None]


@lru_cache
def _readings() -> list[_Reading]:
    """Make the readings once, where a statement is to be checked."""
    return [
        _Reading(
            re.compile("|".join(f"({one})" for one in pairs), re.IGNORECASE),
            [re.compile(end, re.DOTALL) if end else None for end in pairs.values()],
        )
        for pairs in _READINGS
    ]


def _bare(sql: str, reading: _Reading) -> str:
    """Return the statement without its texts and comments, which say nothing about what it does, nor quoted names."""
    bare: list[str] = []
    at = 0
    while opened := reading.opening.search(sql, at):
        ending = reading.endings[(opened.lastindex or 1) - 1]
        ended = (ending or re.compile(f".*?{re.escape(opened.group())}", re.DOTALL)).match(sql, opened.end())
        if ended is None:
            break  # what never ends hides nothing
        bare += (sql[at : opened.start()], _STANDS_FOR.get(opened.group()[0].lower(), ""), " ")
        at = ended.end()
    return "".join((*bare, sql[at:]))


def _check(bare: str) -> None:
    if not bare:
        raise BadInput("The SQL is empty.")
    if ";" in bare:
        raise BadInput("Only one statement can be run: leave out what comes after the semicolon.")
    if "/*" in bare:
        raise BadInput("A comment that has no end, or another comment in it, can hide anything: leave it out.")
    first = re.split(r"\W", bare.lstrip("( \n\t"), maxsplit=1)[0]
    if first.lower() not in ("select", "with"):
        raise BadInput(f"Only SELECT can be run, and this starts with {first.upper()!r}.")
    if found := _WRITING.search(bare):
        raise BadInput(
            f"Only reading can be run, and this has {found.group(0).upper()!r} in it.",
            next_step="Where that is the name of a column, put it in double quotes.",
        )
