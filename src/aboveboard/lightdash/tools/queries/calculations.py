"""Expressions that Lightdash puts into a query as they are, such as table calculations: held to the rules for SQL."""

import re
from collections.abc import Sequence
from typing import Final

from aboveboard.errors import Refused
from aboveboard.kit.call import Call
from aboveboard.lightdash.client.queries.metric_query import Calculation
from aboveboard.lightdash.tools.sql.safety import check_select

_REFERENCE: Final = re.compile(r"\$\{[\w.]+\}")
_TOKEN: Final = re.compile(r"\s+|\d+(?:\.\d+)?|[A-Za-z_]\w*|\|\||<>|!=|<=|>=|[-+*/%=<>(),.]|(?P<other>.)", re.DOTALL)
_PLAIN = """
abs and asc avg between by case cast ceil ceiling coalesce count cume_dist current decimal dense_rank desc else end
exp false first_value float floor following greatest if in integer is lag last_value lead least ln log max min mod not
nth_value ntile null nullif numeric or order over partition percent_rank power preceding range rank round row
row_number rows sign sqrt sum then true trunc unbounded when
"""
_WORDS: Final = frozenset(_PLAIN.split())


def check_calculations(call: Call, calculations: Sequence[Calculation]) -> None:
    """Hold the SQL of table calculations to the rules."""
    for one in calculations:
        check_expression(call, f"table calculation {one.name}", one.sql)


def check_expression(call: Call, what: str, sql: str) -> None:
    """Refuse what writes; where SQL is switched off, also what reads more than the query's own columns."""
    plain = _REFERENCE.sub(" 1 ", sql)
    check_select(f"SELECT {plain}")
    if not call.may_call("run_sql"):
        _check_plain(what, plain)


def _check_plain(what: str, sql: str) -> None:
    for found in _TOKEN.finditer(sql):
        word = found.group()
        if found["other"] or ((word[0].isalpha() or word[0] == "_") and word.lower() not in _WORDS):
            raise Refused(
                f"The {what} has {word!r} in it, and SQL is switched off here.",
                next_step="Use ${table.field} references, numbers, operators and common functions only.",
            )
