"""The second fence: what a parser makes of a statement, in every dialect that it can read it in.

It shares with the first (`safety.py`) the names of functions and nothing else: where a text ends, what is a call and
what an alias is the parser's own finding. What it does not understand, or not in time, and what is very long is left to
the first.
"""

import logging
import time
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import ParseError, SqlglotError
from sqlglot.parser import Parser
from sqlglot.tokenizer_core import Token, TokenType

from aboveboard.errors import BadInput
from aboveboard.lightdash.tools.sql.functions import check_call

# Those that Lightdash speaks; Athena's queries are read by Trino's parser.
_DIALECTS: Final = ("postgres", "redshift", "bigquery", "snowflake", "databricks", "trino", "clickhouse", "duckdb")
_SECONDS: Final = 1.0
"""Of work for all dialects of one statement; one of ten lines takes a fiftieth of it."""
_LONG: Final = 20_000
"""Characters; to take more apart, which nothing stops, would take longer than that."""
_SHORT: Final = 2000
"""Characters that are read by a parser that cannot be stopped."""
_WRITING: Final = (
    *(exp.Insert, exp.Update, exp.Delete, exp.Merge, exp.Copy, exp.LoadData, exp.Export, exp.TruncateTable),
    *(exp.Create, exp.Drop, exp.Undrop, exp.Alter, exp.Comment),
    *(exp.Into, exp.Lock, exp.NextValueFor, exp.Set, exp.AlterSession, exp.Pragma, exp.Use, exp.Declare, exp.Kill),
    *(exp.Transaction, exp.Commit, exp.Rollback, exp.Grant, exp.Revoke, exp.Analyze, exp.Attach, exp.Detach),
    *(exp.Install, exp.Cache, exp.Uncache, exp.Refresh, exp.Execute, exp.Command),
    *(exp.QueryTransform, exp.Predict, exp.ReadCSV, exp.ReadParquet, exp.DynamicIdentifier),  # run, or read elsewhere
)
# Beside its own errors, the parser has those of its own bugs: map(1) is an IndexError.
_NOT_UNDERSTOOD: Final = (
    SqlglotError,
    RecursionError,
    AssertionError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
)

# It would warn on stderr of each statement that is no query in some dialect.
logging.getLogger("sqlglot").setLevel(logging.ERROR)


class _OutOfTime(Exception):
    """There was too much to read."""


class _Impatient(Parser):
    """A parser that gives up: some take a time that grows faster than the statement."""

    until: float = float("inf")
    steps: int = 0

    def _advance(self, times: int = 1) -> None:
        self.steps += 1
        if self.steps % 10 == 0 and time.thread_time() > self.until:
            raise _OutOfTime
        super()._advance(times)


def check_tree(sql: str, seconds: float = _SECONDS) -> None:
    """Refuse a statement that is anything but one query, or calls what is not known to only read, in some dialect."""
    if len(sql) > _LONG:
        return
    until = time.thread_time() + seconds
    for dialect, parser in _dialects():
        try:
            found = _parsed(dialect, parser, sql, until)
        except _NOT_UNDERSTOOD:
            continue
        except _OutOfTime:
            return
        _check(found, sql)


@lru_cache
def _dialects() -> list[tuple[Dialect, type[Parser]]]:
    found = [Dialect.get_or_raise(name) for name in _DIALECTS]
    return [(one, _impatient(one)) for one in found]


def _impatient(dialect: Dialect) -> type[Parser]:
    kind = type(dialect.parser_class.__name__, (_Impatient, dialect.parser_class), {})
    try:
        kind(dialect=dialect)
    except TypeError:
        return dialect.parser_class  # sqlglot[c], which others may have installed: compiled, and cannot be stopped
    return kind


def _parsed(dialect: Dialect, kind: type[Parser], sql: str, until: float) -> list[exp.Expr]:
    parser = kind(dialect=dialect)
    if isinstance(parser, _Impatient):
        parser.until = until
    elif len(sql) > _SHORT:
        raise _OutOfTime
    tokens = dialect.tokenize(sql)
    if any(_is_dollar_quoted(one, sql) for one in tokens):
        raise ParseError("Here $$...$$ is not text, so the statement is for another warehouse.")
    trees = parser.parse(tokens, sql)
    return [tree for tree in trees if tree is not None and not isinstance(tree, exp.Semicolon)]


def _is_dollar_quoted(token: Token, sql: str) -> bool:
    """Whether it is a part of such a text that was read as a name."""
    if token.token_type is not TokenType.VAR or "$" not in token.text:
        return False
    return "$" in sql[max(token.start - 1, 0) : token.start + 1]


def _check(trees: list[exp.Expr], sql: str) -> None:
    if len(trees) != 1 or not isinstance(trees[0], (exp.Query, exp.Values, exp.Pivot)):  # WITH ... PIVOT in DuckDB
        raise BadInput("Only one query can be run, and a parser reads this as something else.")
    for node in trees[0].walk(prune=_is_hint):
        if isinstance(node, _WRITING):
            raise BadInput(f"Only reading can be run, and a parser reads this as {node.key.upper()!r}.")
        if isinstance(node, exp.Column) and node.name.lower() == "nextval" and node.table:
            raise BadInput(f"'{node.table}.{node.name}' moves a sequence, so it is not run.")
        if isinstance(node, exp.Func) and (name := _name(node, sql)):
            check_call(list(_owners(node)), name)


def _is_hint(node: exp.Expr) -> bool:
    """Whether it is a comment for the planner, which calls nothing: `/*+ BROADCAST(t) */`."""
    return isinstance(node, exp.Hint)


def _name(call: exp.Func, sql: str) -> str:
    """What was written before the bracket; nothing where there is none, as for CASE."""
    if isinstance(call, (exp.Anonymous, exp.AnonymousAggFunc)):
        return call.name
    start, end = call.meta.get("start"), call.meta.get("end")
    return "" if start is None or end is None else sql[start : end + 1].strip('"`')


def _owners(call: exp.Func) -> Iterator[str]:
    """Yield the names before a function's own: its schema's, or BigQuery's NET; SAFE calls what comes after it."""
    above = call.parent
    if isinstance(above, exp.NetFunc):
        yield "net"
    elif isinstance(above, exp.Table) and above.this is call:
        yield from (name for name in (above.catalog, above.db) if name)
    elif isinstance(above, exp.Dot) and above.expression is call:
        yield from (part.name for part in (above.this.flatten() if isinstance(above.this, exp.Dot) else [above.this]))
