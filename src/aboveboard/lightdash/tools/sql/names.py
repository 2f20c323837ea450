"""What may stand before a bracket in a statement that only reads, by name."""

import re
from typing import Final

# Words that stand before a bracket and call nothing.
_SYNTAX = """
all and any apply array as asc asof at before bernoulli between by case columns cross cube define desc distinct else
end except exclude exists filter from full group grouping having ilike in include inner intersect interval is join
keep lateral left like limit map match_condition match_recognize materialized measures minus not nulls offset on or
order outer over partition pattern pivot prewhere qualify range recursive rename reservoir right rlike rollup row rows
sample select sets similar some struct table tablesample then to top unbounded union unnest unpivot using values when
where window with within
"""
_TYPES = """
bigint binary bit bool boolean bytea bytes char character date datetime datetime2 datetime64 decimal decimal128 double
enum16 enum8 fixedstring float float32 float64 int int16 int32 int64 int8 integer json jsonb list lowcardinality nchar
nested nullable number numeric nvarchar object real smallint string super text time timestamp timestamp_ltz
timestamp_ntz timestamp_tz timestamptz timetz tinyint tuple uint16 uint32 uint64 uint8 uuid varbinary varchar variant
"""
_FUNCTIONS = """
abs accuratecast accuratecastordefault accuratecastornull acos acosh add_months adddays addhours addminutes addmonths
addquarters addseconds addweeks addyears age aggregate all_match any_match any_value anyheavy anylast arbitrary
arg_max arg_min argmax argmin arraydistinct arrayjoin arrays_overlap arrays_zip as_array as_boolean as_date as_double
as_integer as_number as_object as_varchar ascii asin asinh assumenotnull at_timezone atan atan2 atanh avg avgif
avgweighted bar base64 base64_decode_binary base64_decode_string base64_encode base64decode base64encode bin
bing_tile_at bitand bitcount bitmap_bit_position bitmap_bucket_number bitmap_construct_agg bitmap_count bitmap_or_agg
bitnot bitor bitshiftleft bitshiftright bitwise_and bitwise_and_agg bitwise_left_shift bitwise_not bitwise_or
bitwise_or_agg bitwise_right_shift bitwise_xor bitxor booland booland_agg boolnot boolor boolor_agg boolxor
boolxor_agg bround btrim byte_length cardinality cast cbrt ceil ceiling char_length character_length charindex
check_json check_xml checksum chr cityhash64 classifier coalesce codepoint col_description collate collect_list
collect_set combinations concat concat_ws conditional_change_event conditional_true_event contains contains_substr
convert convert_timezone corr cos cosh cosine_distance cosine_similarity cosinedistance cot coth count count_distinct
count_if countif countmatches countsubstrings covar_pop covar_samp crc32 cume_dist curdate current_account
current_catalog current_database current_date current_datetime current_localtime current_localtimestamp current_query
current_region current_role current_schema current_schemas current_setting current_time current_timestamp
current_timezone current_user current_version current_warehouse currentdatabase cutquerystring
cuttofirstsignificantsubdomain damerau_levenshtein date_bin dateadd datediff datename datepart datesub datetrunc day
day_of_month day_of_week day_of_year dayname dayofmonth dayofweek dayofweek_iso dayofweekiso dayofyear decode degrees
deltasum dense_rank dictget dictgetordefault dictgetornull dicthas div div0 div0null divide domain domainwithoutwww
dot_product dow doy e edit_distance editdist3 editdistance element_at elt empty encode ends_with endswith entropy
epoch epoch_ms epoch_ns epoch_us equal_null equals euclidean_distance even every exp exp2 explode explode_outer
exponentialmovingaverage extract extractall extractgroups extracturlparameter extracturlparameters factorial
farm_fingerprint farmfingerprint64 favg fdiv find_in_set first first_value firstsignificantsubdomain flatten floor
fmod fnv_hash forall format format_date format_datetime format_number format_timestamp format_type formatdatetime
formatreadabledecimalsize formatreadablequantity formatreadablesize formatreadabletimedelta from_base from_base32
from_base64 from_big_endian_64 from_hex from_iso8601_date from_iso8601_timestamp from_json from_unixtime
from_utc_timestamp from_utf8 fromunixtimestamp fsum gamma gcd gen_random_uuid generate_array generate_date_array
generate_series generate_subscripts generate_timestamp_array generate_uuid generateuuidv4 generator geodistance
geometric_mean get get_bit get_byte get_current_time get_ignore_case get_json_object get_path getbit getdate glob
greatcircledistance greater greaterorequals greatest greatest_ignore_nulls group_concat grouparray groupbitand
groupbitor groupbitxor groupconcat grouping_id groupuniqarray hamming hamming_distance has has_schema_privilege
has_table_privilege hasall hasany hash hash_agg hassubstr hastoken hex hex_decode_binary hex_decode_string hex_encode
histogram hll hour human_readable_seconds if iff ifnull iif in_cidr indexof infinity initcap inline input_file_name
instr intdiv intdivorzero isdistinctfrom isfinite isinf isinfinite isnan isnotnull isnull isodow isoweek isoyear
iszeroornull jaccard jaro_similarity jaro_winkler_similarity jarowinkler_similarity julian julianday justify_days
justify_hours justify_interval kurtosis kurtpop kurtsamp l2distance lag laginframe last last_day last_day_of_month
last_value lcase lcm lead leadinframe least least_ignore_nulls left leftpad len length lengthutf8 less lessorequals
levenshtein levenshtein_distance list listagg ln localtime localtimestamp locate log log10 log1p log2 logical_and
logical_or lower lower_inc lower_inf lowerutf8 lpad ltrim luhn_check mad make_date make_interval make_time
make_timestamp make_timestamptz manhattan_distance match match_number max max_by maxif maxintersections md5 md5_binary
md5_hex md5_number_lower64 md5_number_upper64 median merge mid millisecond min min_by minhash minhash_combine minif
minus minute mod mode modulo monotonically_increasing_id month monthname months_between multiif multimap_agg multiply
multisearchany multisearchfirstindex named_struct nan nanvl negative neighbor next next_day nextafter nfc_normalize
ngramdistance ngrams ngramsearch none_match normal normalize normalize_and_casefold not notempty notequals notlike now
nth_value ntile nullif nullifzero num_nonnulls num_nulls numbers numeric_histogram nvl nvl2 obj_description
object_construct object_keys octet_length ord overlay pad parse_date parse_datetime parse_json parse_time
parse_timestamp parsedatetime parsedatetimebesteffort parsedatetimebesteffortornull parsedatetimebesteffortorzero path
percent_rank percentile pg_column_size pg_database_size pg_get_constraintdef pg_get_expr pg_get_functiondef
pg_get_indexdef pg_get_late_binding_view_cols pg_get_viewdef pg_indexes_size pg_relation_size pg_size_pretty pg_sleep
pg_table_is_visible pg_table_size pg_total_relation_size pg_typeof phraseto_tsquery pi pivot plainto_tsquery plus pmod
posexplode posexplode_outer position positioncaseinsensitive positive pow power prefix prev previous_day printf
product protocol quantile quantileexact quarter querystring quotename radians rand rand32 rand64 randcanonical randn
random randstr range range_bucket rank ratio_to_report reduce reduce_agg regexp regexpextract reinterpretasint64
reinterpretasstring reinterpretasuint64 repeat replace replaceall replaceone replaceregexpall replaceregexpone
reservoir_quantile retention reverse reverseutf8 right rightpad rint round roundage roundbankers roundduration
row_number row_to_json rownumberinallblocks rownumberinblock rpad rtrim rtrimmed_length runningaccumulate
runningdifference schema_of_json second seq1 seq2 seq4 seq8 sequence sequencecount sequencematch session_user set_bit
set_byte sha sha1 sha1_binary sha1_hex sha2 sha256 sha2_binary sha2_hex sha384 sha512 shiftleft shiftright
shiftrightunsigned shuffle sign signum similarity simplejsonextractbool simplejsonextractfloat simplejsonextractint
simplejsonextractraw simplejsonextractstring simplejsonhas simplelinearregression sin sinh siphash64 size skew
skewness skewpop skewsamp slice sort_array soundex space spark_partition_id split split_part split_to_map
split_to_table splitbychar splitbynonalpha splitbyregexp splitbystring splitbywhitespace sqrt square stack starts_with
startswith stddev stddevpop stddevsamp stdev str_split str_split_regex str_to_date str_to_map strftime strlen strpos
strptime strtok strtok_split_to_table strtok_to_array strtol subarray substr substring substringindex substringutf8
subtractdays subtracthours subtractminutes subtractmonths subtractquarters subtractseconds subtractweeks subtractyears
suffix sum sumif summap sumwithoverflow sys_connect_by_path sysdate systimestamp tan tanh tdigest_agg textlen
time_bucket timeadd timediff timefromparts timeofday timeslot timestampadd timestampdiff timestampfromparts
timestampltzfromparts timestampntzfromparts timestampsub timestamptzfromparts timezone to_days today topk topkweighted
toplevel topleveldomain tostartofday transform transform_keys transform_values translate trim trimboth trimleft
trimright trunc truncate try try_cast tsrange tstzrange tuple tupleelement typeof ucase unbase64 unhex unicode uniform
uniq uniqexact unix_date unix_micros unix_millis unix_seconds unix_timestamp upper upper_inc upper_inf upperutf8
url_decode url_encode url_extract_fragment url_extract_host url_extract_parameter url_extract_path url_extract_port
url_extract_protocol url_extract_query utc_date utc_time utc_timestamp uuid_string value_at_quantile variance
variance_pop variance_samp varpop varsamp vector_cosine_similarity vector_inner_product vector_l1_distance
vector_l2_distance version visitparamextractbool visitparamextractfloat visitparamextractint visitparamextractraw
visitparamextractstring visitparamhas websearch_to_tsquery week week_of_year weekday weekiso weekofyear width_bucket
window windowfunnel word_stem xmlagg xmlelement xmlget xor xxhash64 year year_of_week yearofweek yearofweekiso
yesterday zeroifnull zip zip_with
"""
NAMES: Final = frozenset(f"{_SYNTAX} {_TYPES} {_FUNCTIONS}".split())
FAMILIES: Final = re.compile(
    r"(?:approx_|array_|bit_|bool_|date_|datetime_|time_|timestamp_|to_|is_|json_|jsonb_|regexp_|regr_|st_|map_|list_"
    r"|string_|stddev_|var_|percentile_|quantile_|hll_|h3_|safe_|try_|parse_|format_|extract_|object_|struct_|ts_|arg_"
    r"|covar_|strip_|unnest_|collect_|text_|trunc_|substring_|split_)\w+"
)
CAMEL_CASE: Final = re.compile(
    r"(?:to|array|date|dictGet|JSON|is|has|map|quantile|quantiles|median|uniq|string|tuple|topK)[A-Z]\w+|quantiles"
)
"""ClickHouse's, whose names have capitals: `total_up()` of somebody's own is none of them."""
COMBINATORS: Final = re.compile(r"(?:If|Array|Map|Distinct|State|Merge|ForEach|OrDefault|OrNull|OrZero)+\Z")
"""What ClickHouse puts at the end of an aggregate's name to change how it counts."""
QUALIFIED: Final = frozenset(("pg_catalog", "safe"))
QUALIFIED_FUNCTIONS: Final = frozenset(
    (
        *("net.host", "net.ip_from_string", "net.ip_to_string", "net.ip_trunc", "net.public_suffix", "net.reg_domain"),
        *("hll_count.extract", "hll_count.init", "hll_count.merge", "hll_count.merge_partial"),
    )
)
"""BigQuery's own, which have a name in front."""
WRITERS: Final = re.compile(
    # Postgres, Redshift: sequences, locks, other sessions, the server's files and settings, replication.
    r"nextval|setval|set_config|lo_\w+|pg_(?:try_)?advisory_\w+|pg_(?:terminate|cancel)_backend|pg_notify|pg_promote"
    r"|pg_(?:read|write|ls|file|create|drop|logical|replication|backup|wal|log|stat_reset|sync|export|import)_?\w*"
    r"|pg_(?:start|stop)_backup|pg_(?:reload_conf|rotate_logfile|switch_wal|stat_file|stat_statements_reset|prewarm)"
    r"|txid_current|pg_current_xact_id|hll_set_\w+"
    # ... and what runs a text as a statement, there or elsewhere.
    r"|dblink\w*|\w+_to_xml\w*|ts_rewrite|ts_stat|crosstab\w*|connectby|xpath_table"
    # PostGIS: these change topologies, or make a table.
    r"|topo\w*|totopogeom|st_createoverview"
    r"|st_(?:add(?:iso|edge)|rem(?:edge|oveiso)|changeedge|modedge|newedge|moveiso|createtopo|inittopo)\w*"
    # Snowflake, BigQuery, Databricks: cancel, configure, run a text, call Java, ask a model or an address.
    r"|system\$\w+|to_query|external_query|(?:try_)?reflect|java_method|http_\w+|remote_query|ai_\w+|(?:try_)?secret"
    # Trino, DuckDB: run a text, attach, write.
    r"|query|query_table|json_execute_serialized_sql|(?:postgres|mysql|sqlite)_(?:attach|execute|query|scan)\w*"
    r"|(?:force_)?checkpoint|write_\w+|pragma_\w+|getenv"
    # ClickHouse: other servers, files, programs.
    r"|url|urlcluster|remote|remotesecure|file|filecluster|s3|s3cluster|gcs|hdfs|hdfscluster|mysql|postgresql|mongodb|redis"
    r"|sqlite|jdbc|odbc|executable|azureblobstorage\w*|sleep|sleepeachrow|generateserialid"
)
"""Known to do more than read, whatever family they seem to be of."""
