"""Functions that are known to only read; any other may write, whatever the statement around it looks like.

`select setval(...)` changes a sequence, `select lo_import(...)` reads the server's own files, and a function that
somebody wrote does what they wrote. So functions are let through by name, and not kept out by name.
"""

import re
from typing import Final

from aboveboard.errors import BadInput

# Words that stand before a bracket and call nothing.
_SYNTAX = """
all and any array as asc between by case cross cube desc distinct else end except exists filter from full group
grouping having ilike in inner intersect interval is join keep lateral left like limit map materialized not nulls
offset on or order outer over partition qualify range recursive right rlike rollup row rows select sets similar some
struct table tablesample then to top unbounded union unnest using values when where window with within
"""
_TYPES = """
bigint binary bit bool boolean bytea bytes char character date datetime datetime2 datetime64 decimal decimal128 double
fixedstring float float64 int int64 integer json jsonb lowcardinality nchar nullable number numeric nvarchar real
smallint string text time timestamp timestamp_ltz timestamp_ntz timestamp_tz timestamptz tinyint uuid varbinary
varchar variant
"""
_FUNCTIONS = """
abs acos age any_value arg_max arg_min argmax argmin arraydistinct arrayjoin ascii asin atan atan2 avg avgif bround
btrim cardinality cast cbrt ceil ceiling char_length character_length charindex chr coalesce col_description
collect_list collect_set concat concat_ws contains contains_substr convert convert_timezone corr cos cosh cot count
count_distinct count_if countif covar_pop covar_samp cume_dist current_database current_date current_schema
current_setting current_time current_timestamp current_user date_bin dateadd datediff datename datepart datetrunc day
dayname dayofmonth dayofweek dayofyear decode degrees dense_rank div editdistance element_at encode ends_with endswith
epoch every exp explode extract factorial first first_value flatten floor format format_date format_datetime
format_timestamp from_base64 from_hex from_iso8601_date from_unixtime gcd generate_array generate_date_array
generate_series generate_timestamp_array getdate glob greatest group_concat grouping_id has_table_privilege hash hex
hour if iff ifnull initcap instr isfinite isnull isodow jaro_winkler_similarity julianday justify_days justify_hours
justify_interval kurtosis lag last last_day last_value lcase lcm lead least left len length levenshtein listagg ln
localtime localtimestamp locate log log10 log1p log2 lower lpad ltrim make_date make_interval make_time make_timestamp
make_timestamptz max max_by maxif md5 median mid min min_by minif minute mod mode month monthname months_between
next_day now nth_value ntile nullif nullifzero num_nonnulls num_nulls nvl nvl2 obj_description object_construct
object_keys octet_length overlay parse_date parse_datetime parse_json parse_time parse_timestamp percent_rank
pg_size_pretty pg_sleep pg_typeof pi pivot posexplode position pow power quantile quantileexact quarter quotename
radians random rank ratio_to_report regexp repeat replace reverse right round row_number row_to_json rpad rtrim second
sequence sha1 sha256 sha512 sign sin sinh size skewness slice soundex space split split_part split_to_table sqrt
square starts_with startswith stddev str_split str_to_date strftime string_agg strpos strptime substr substring sum
sumif sysdate tan tanh time_bucket timeofday timestampadd timestampdiff timezone to_days today tostartofday translate
trim trunc truncate try_cast typeof ucase unhex unicode uniq uniqexact unix_timestamp upper utc_timestamp variance
version week weekday weekofyear width_bucket xmlagg year yearofweek zeroifnull
"""
_FAMILIES: Final = re.compile(
    r"(?:approx_|array|bit_|bool_|date_|date|datetime_|time_|timestamp_|to_|to|is_|json_|jsonb_|json|regexp_|regr_|st_"
    r"|map_|list_|string_|stddev_|var_|percentile_|percentile|hll_|h3_|safe_|try_|parse_|format_|extract_|initcap"
    r"|object_|struct_|ts_|uniq|quantile|arg_|covar_|net_|strip_|unnest_|collect_|text_|trunc_|substring_|split_)\w*"
)
# What is called like a family and does more than read.
_BUT: Final = re.compile(
    r".*_to_xml\w*|ts_rewrite|ts_stat"  # these run a statement that they are given as a text
    # PostGIS: these change topologies, or make a table.
    r"|topo\w*|totopogeom|st_createoverview"
    r"|st_(?:add(?:iso|edge)|rem(?:edge|oveiso)|changeedge|modedge|newedge|moveiso|createtopo|inittopo)\w*"
)
# Snowflake's some_sequence.nextval, the standard's NEXT VALUE FOR, Postgres' FOR KEY SHARE.
_WITHOUT_BRACKETS: Final = re.compile(
    r"(?<![\w$])(?:nextval(?![\w$])(?!\s*+\()|next\s++value\s++for|for\s++(?:key\s++)?+share)(?![\w$])", re.IGNORECASE
)
_KNOWN: Final = frozenset(f"{_SYNTAX} {_TYPES} {_FUNCTIONS}".lower().split())
_QUALIFIED: Final = frozenset(("pg_catalog", "safe"))
# Possessive, and never from the middle of a word: a text of nothing but letters must not take minutes.
_CALL: Final = re.compile(r"(?<![\w$])(?:([\w$]++)\s*+\.\s*+)?+([\w$]++)\s*+\(")
# with t(a, b) as (...): a name and its columns, and no call.
_NAMED: Final = re.compile(
    r"(?<![\w$])([\w$]++)\s*+\([\w$\s,]*+\)\s*+as\s*+(?:not\s++)?+(?:materialized\s*+)?+\(", re.IGNORECASE
)
# ... as t(a, b), (...) t(a, b): the same for a table.
_ALIAS: Final = re.compile(r"(?:\bas|\))\Z", re.IGNORECASE)
_NEAR: Final = 40
"""Characters before a name among which to look for that; whoever puts more between is asked to write it plainly."""
QUOTED: Final = "\0"
"""Stands for a quoted name in a bare statement."""


def check_functions(bare: str) -> None:
    """Refuse a call of anything that is not known to only read, in a statement without texts and comments."""
    if found := _WITHOUT_BRACKETS.search(bare):
        raise BadInput(f"{found.group(0).upper()!r} moves a sequence or locks rows, so it is not run.")
    if re.search(rf"{QUOTED}\s*+\(", bare):
        raise BadInput("A quoted name before a bracket calls a function by a name of its own: write it plainly.")
    tables = {found[1].lower() for found in _NAMED.finditer(bare)}
    for call in _CALL.finditer(bare):
        owner, name = (call[1] or "").lower(), call[2].lower()
        if name in tables or _follows_alias(bare, call.start()):
            continue
        if (owner and owner not in _QUALIFIED) or not _reads(name):
            raise BadInput(
                f"{call[2]}() is not among the functions that are known to only read, so it is not run.",
                next_step="Write it with others, or ask an explore instead.",
            )


def _reads(name: str) -> bool:
    if name in _KNOWN:
        return True
    return _FAMILIES.fullmatch(name) is not None and _BUT.fullmatch(name) is None


def _follows_alias(bare: str, at: int) -> bool:
    return _ALIAS.search(bare[max(at - _NEAR, 0) : at].rstrip()) is not None
