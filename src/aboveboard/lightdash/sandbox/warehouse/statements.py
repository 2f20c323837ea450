"""What a warehouse says about a statement it cannot run, in Postgres's words."""

import re
import sqlite3

_COMMENT = r"(?:\s|--[^\n]*(?:\n|$)|/\*.*?\*/)*"
_FIRST_WORD = re.compile(_COMMENT + r"\(*" + _COMMENT + r"(\w*)", re.DOTALL)
_READS = {"select", "with", "values"}
# Verbs that Postgres knows: the statement is read to its end, and fails at the LIMIT put behind it.
_VERBS = (
    "alter analyze attach begin call comment commit copy create deallocate delete detach do drop end execute explain"
    " grant insert lock pragma reindex release replace revoke rollback savepoint set show start truncate update"
    " vacuum"
)
_OTHER_VERBS = frozenset(_VERBS.split())
_DIVIDED_BY_ZERO = re.compile(r"/\s*\(*\s*0(?![\d.])")
_STRING = re.compile(r"'(?:[^']|'')*'")


class WarehouseError(Exception):
    """Why a statement failed, and where in its text if that is known."""

    def __init__(self, message: str, at: tuple[int, int] | None = None) -> None:
        super().__init__(message)
        self.message, self.at = message, at


def prepare(sql: str) -> str:
    """One statement that reads, without the semicolon at its end."""
    text = sql.strip()
    if text.endswith(";"):
        text = text[:-1].rstrip()
    found = _FIRST_WORD.match(text)
    word = found[1].lower() if found else ""
    if not word or word in _OTHER_VERBS:
        # The server puts " LIMIT n" behind the text, comments taken off, and reads it as one statement.
        length = len(text) if word else 0
        raise WarehouseError('syntax error at or near "LIMIT"', (1, length + 2))
    if word not in _READS:
        raise WarehouseError(f'syntax error at or near "{found[1] if found else ""}"', (1, 1))
    if _DIVIDED_BY_ZERO.search(_STRING.sub("''", text)):
        raise WarehouseError("division by zero")
    return text


def explain(error: Exception, sql: str) -> WarehouseError:
    """The same failure in the words of Postgres."""
    text = str(error)
    if "one statement at a time" in text:
        return WarehouseError("cannot insert multiple commands into a prepared statement")
    if isinstance(error, sqlite3.OperationalError) and text == "interrupted":
        return WarehouseError("canceling statement due to statement timeout")
    for pattern, message in (
        (r"no such table: (?:\w+\.)?(.+)", 'relation "{}" does not exist'),
        (r"no such column: (.+)", 'column "{}" does not exist'),
        (r"no such function: (.+)", "function {} does not exist"),
        (r'near "(.+)": syntax error', 'syntax error at or near "{}"'),
    ):
        found = re.fullmatch(pattern, text)
        if found:
            return WarehouseError(message.format(found[1]), _place(sql, found[1]))
    if "incomplete input" in text:
        return WarehouseError("syntax error at end of input")
    if "not authorized" in text or "prohibited" in text:
        return WarehouseError("permission denied")
    return WarehouseError(text)


def _place(sql: str, name: str) -> tuple[int, int]:
    at = max(sql.find(name), 0)
    return sql.count("\n", 0, at) + 1, at - sql.rfind("\n", 0, at)
