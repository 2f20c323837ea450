"""Table calculations are SQL that Lightdash puts into the query as it is; so they are held to the rules for SQL."""

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
    """Refuse what writes; where SQL is switched off, also what reads more than the query's own columns."""
    free = call.may_call("run_sql")
    for one in calculations:
        plain = _REFERENCE.sub(" 1 ", one.sql)
        check_select(f"SELECT {plain}")
        if not free:
            _check_plain(one.name, plain)


def _check_plain(name: str, sql: str) -> None:
    for found in _TOKEN.finditer(sql):
        word = found.group()
        if found["other"] or ((word[0].isalpha() or word[0] == "_") and word.lower() not in _WORDS):
            raise Refused(
                f"The table calculation {name} has {word!r} in it, and SQL is switched off here.",
                next_step="Use ${table.field} references, numbers, operators and common functions only.",
            )
