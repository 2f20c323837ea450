"""SQL expressions that come with a request: table calculations and metrics made up for one query.

They are people's own SQL and are meant to be, so they run under the warehouse's read-only rules. But an expression must
be one: it can neither end the statement it stands in nor add to it.
"""

import re
from collections.abc import Callable

from aboveboard.lightdash.sandbox.engine.filters import compile_error

_TOKEN = re.compile(
    r"""\s+ | '(?:[^']|'')*' | "(?:[^"]|"")*" | [A-Za-z_][\w$]* | \d+(?:\.\d+)?(?:[eE][+-]?\d+)? | \.\d+
    | \|\| | <> | != | <= | >= | :: | [-+*/%=<>(),.]""",
    re.VERBOSE,
)
_STATEMENT_WORDS = {"select", "from", "where", "union", "intersect", "except", "with", "values", "having", "limit"}
_REFERENCE = re.compile(r"\$\{([^}]*)\}")


def checked(sql: str) -> str:
    """The expression, if it is nothing more than that."""
    at = depth = 0
    while at < len(sql):
        found = _TOKEN.match(sql, at)
        if found is None or (sql.startswith("--", at)) or sql.startswith("/*", at):
            raise compile_error(f'syntax error at or near "{sql[at]}"')
        word = found[0]
        depth += {"(": 1, ")": -1}.get(word, 0)
        # A statement of its own may stand in brackets: nobody checks it.
        if depth < 0 or (depth == 0 and word.lower() in _STATEMENT_WORDS):
            raise compile_error(f'syntax error at or near "{word}"')
        at = found.end()
    if depth or not sql.strip():
        raise compile_error("syntax error at end of input")
    return sql.strip()


def with_references(sql: str, replace: Callable[[str], str]) -> str:
    """The expression with its ${references} replaced by what they stand for, and checked without them."""
    checked(_REFERENCE.sub("x", sql))
    return _REFERENCE.sub(lambda found: replace(found[1]), sql).strip()
