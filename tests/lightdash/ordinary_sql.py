"""Ordinary statements of analysts, by warehouse: what both fences must let through."""

from typing import Final

ORDINARY: Final = {
    "common": r"""
select 1 as one
select * from shop.orders
select status, count(*) as n, sum(amount) / nullif(count(*), 0) as avg_amount from shop.orders group by 1 having
    count(*) > 3 order by 2 desc limit 100
select distinct customer_id from orders where created_at >= '2024-01-01' and status in ('a', 'b') and note is not
    null
select o.id, c.name from orders o left join customers c on c.id = o.customer_id where c.country <> 'DE'
select a from t union all select b from u union select c from v
select a from t except select a from u
select a from t intersect select a from u
with o as (select * from orders), r as (select *, row_number() over (partition by customer_id order by created_at
    desc) as rn from o) select * from r where rn = 1
with recursive n(i) as (select 1 union all select i + 1 from n where i < 10) select i from n
select sum(x) over (order by d rows between 6 preceding and current row) as moving from t
select sum(x) over w, avg(x) over w from t window w as (partition by a order by b)
select first_value(a) over (partition by b order by c range between unbounded preceding and unbounded following)
    from t
select case when a > 1 then 'x' when a is null then 'y' else 'z' end as k, case b when 1 then 2 end from t
select cast(a as int), cast(b as decimal(10, 2)), cast(c as timestamp), cast(d as varchar(20)) from t
select coalesce(a, b, 0), nullif(a, 0), greatest(a, b), least(a, b) from t
select upper(a), lower(b), trim(c), substring(d, 1, 3), replace(e, 'x', 'y'), concat(a, b), length(a) from t
select extract(year from created_at) as y, extract(month from created_at) as m from t
select * from t where exists (select 1 from u where u.id = t.id) and a not in (select b from v)
select * from (select a, b from t) as x where x.a between 1 and 10
select count(distinct a), min(b), max(c), stddev(d), variance(e) from t
select a, b, sum(c) from t group by grouping sets ((a, b), (a), ())
select a, b, sum(c) from t group by rollup (a, b)
select a, b, sum(c) from t group by cube (a, b)
select rank() over (order by a), dense_rank() over (order by a), ntile(4) over (order by a), lag(a, 1, 0) over
    (order by b), lead(a) over (order by b), percent_rank() over (order by a), cume_dist() over (order by a) from t
select abs(a), round(b, 2), floor(c), ceil(d), sqrt(e), power(f, 2), exp(g), ln(h), mod(i, 3), sign(j) from t
select a from t order by a nulls last limit 10 offset 20
select t.*, u.b as "Quoted Name" from t cross join u
select * from t where a like '%x%' and b not like 'y_' and lower(c) = 'z'
select current_date, current_timestamp
select * from t1 join t2 using (id) full outer join t3 on t3.id = t2.id
select 'it''s' as a, 'x' || 'y' as b
select (a + b) * c / (d - 1) % 2 as e from t where not (a = 1 or b = 2) and (c, d) in ((1, 2), (3, 4))
/* {"app": "dbt", "node_id": "model.shop.orders"} */ with source as (select * from "db"."raw"."orders"), renamed as
    (select id as order_id, user_id as customer_id, order_date, status from source) select * from renamed
with final as ( select orders.order_id, orders.customer_id, coalesce(order_payments.total_amount, 0) as amount from
    orders left join order_payments on orders.order_id = order_payments.order_id ) select * from final
select date_trunc('month', created_at) as month, count(*) from t group by 1
select md5(cast(coalesce(cast(a as varchar), '_dbt_utils_surrogate_key_null_') || '-' || coalesce(cast(b as
    varchar), '') as varchar)) as sk from t
select 1 where 1 = 0 limit 0
select max(case when k = 'a' then v end) as a, sum(case when k = 'b' then v else 0 end) as b from t group by id
select avg(cast(x as double precision)) from t
""",
    "postgres": r"""
select date_trunc('week', created_at)::date, to_char(created_at, 'YYYY-MM') from orders
select created_at at time zone 'UTC' at time zone 'Europe/Berlin' from orders
select now() - interval '7 days', current_date - 7, age(now(), created_at) from t
select data->>'name', data->'a'->0, data #>> '{a,b}', data @> '{"a":1}'::jsonb, data ? 'k' from t
select * from jsonb_array_elements(data->'items') as item
select o.id, x.value->>'sku' from orders o, jsonb_array_elements(o.items) as x
select o.id, x.k, x.v from orders o cross join lateral jsonb_each_text(o.data) as x(k, v)
select * from orders o left join lateral (select * from payments p where p.order_id = o.id order by p.at desc limit
    1) l on true
select generate_series('2024-01-01'::date, '2024-12-31'::date, '1 day'::interval) as d
select d::date from generate_series(current_date - 30, current_date, interval '1 day') as d
select array_agg(a order by b), string_agg(a, ', ' order by a), array_to_string(array_agg(distinct a), ',') from t
select unnest(array[1,2,3]) as x
select * from unnest(array['a','b']) with ordinality as t(v, i)
select count(*) filter (where status = 'x') as n from t
select distinct on (customer_id) * from orders order by customer_id, created_at desc
select percentile_cont(0.5) within group (order by amount) as median, mode() within group (order by a) from t
select regexp_replace(a, '[^0-9]', '', 'g'), a ~ '^x', a !~* 'y', substring(a from '[0-9]+'), position('a' in b),
    overlay(a placing 'x' from 1 for 2) from t
select a ilike '%x%', a similar to 'x|y' from t
select json_build_object('a', a, 'b', b), row_to_json(t), to_jsonb(t), jsonb_agg(a), jsonb_object_agg(k, v) from t
    group by t
select coalesce(sum(a), 0)::numeric(12,2), round(avg(a)::numeric, 2) from t
select make_date(2024, 1, 1), date_part('dow', created_at), extract(epoch from now() - created_at) / 3600 from t
select split_part(email, '@', 2), left(a, 3), right(a, 3), initcap(a), lpad(a, 5, '0'), md5(a), encode(b, 'hex'),
    concat_ws('-', a, b) from t
select width_bucket(a, 0, 100, 10), a::int % 2, a ^ 2, |/ a, @ a from t
select * from t tablesample bernoulli (10)
select a, b from t where a = any(array[1,2]) and b <> all(select c from u) and (a, b) is distinct from (1, 2)
select * from (values (1, 'a'), (2, 'b')) as v(id, name)
with t as materialized (select 1 as a) select * from t
select bool_or(a), bool_and(b), every(c), corr(x, y), regr_slope(y, x), covar_pop(x, y), stddev_samp(x), var_pop(x)
    from t
select interval '1 day' * 3, date '2024-01-01' + 3, timestamp '2024-01-01 00:00:00', time '10:00'
select table_name, column_name from information_schema.columns where table_schema = 'public'
select relname, n_live_tup, pg_size_pretty(pg_total_relation_size(relid)) from pg_stat_user_tables
select time_bucket('1 hour', ts) as h, avg(v) from m group by 1
select st_distance(a.geom, b.geom), st_asgeojson(a.geom) from a, b where st_dwithin(a.geom, b.geom, 100)
select *, sum(x) over (partition by a order by b groups between 1 preceding and current row exclude ties) from t
select tsrange(a, b) && tsrange(c, d), lower(r), upper(r) from t
select xmlagg(x), array_length(a, 1), cardinality(a), a[1], a[1:2], array_position(a, 1) from t group by a
select to_tsvector('english', body) @@ plainto_tsquery('english', 'x') from t
select cast(a as bigint), a::text, a::varchar(3), a::timestamptz, a::double precision, a::uuid from t
with recursive tree as (select id, parent_id, 1 as depth from n where parent_id is null union all select n.id,
    n.parent_id, depth + 1 from n join tree on tree.id = n.parent_id) select * from tree
select * from crosstab_source where a is true and b is not false
""",
    "redshift": r"""
select getdate(), dateadd(day, -7, getdate()), datediff(day, a, b), date_trunc('month', a), trunc(a) from t
select listagg(a, ',') within group (order by a), median(x), approximate count(distinct a) from t
select json_extract_path_text(data, 'a', 'b'), json_parse(x), is_valid_json(y) from t
select nvl(a, b), nvl2(a, b, c), decode(a, 1, 'x', 'y'), len(a), charindex('a', b), strtol('ff', 16) from t
select convert_timezone('UTC', 'Europe/Berlin', created_at), to_char(a, 'YYYY'), last_day(a), months_between(a, b),
    add_months(a, 1) from t
select top 10 * from t order by a
select a from t qualify row_number() over (partition by a order by b) = 1
select c.id, o.sku from customers c, c.orders o
select convert(integer, a), a::super, regexp_substr(a, 'x'), regexp_count(a, 'x'), split_part(a, ',', 1),
    fnv_hash(a), sha2(a, 256) from t
select * from svv_table_info
""",
    "bigquery": r"""
select date_trunc(created_at, month), date_diff(a, b, day), date_add(a, interval 1 day), date_sub(current_date(),
    interval 7 day), format_date('%Y-%m', a), parse_date('%Y%m%d', b) from `p.d.t`
select timestamp_trunc(ts, hour), timestamp_diff(a, b, second), timestamp_millis(x), unix_millis(ts), datetime(ts,
    'Europe/Berlin'), current_datetime(), extract(dayofweek from a) from `p`.`d`.`t`
select * except (a, b), * replace (x + 1 as x) from t
select u.name, item.sku from users u, unnest(u.items) as item
select * from t, unnest(generate_array(1, 10)) as i with offset as o
select * from unnest(generate_date_array('2024-01-01', '2024-12-31', interval 1 month)) as d
select array_agg(a ignore nulls order by b desc limit 1)[offset(0)], array_agg(struct(a, b)), array_length(x),
    array_to_string(y, ',') from t
select struct(1 as a, 'x' as b), struct<a int64, b string>(1, 'x'), [1, 2, 3], array<int64>[1], (select as struct 1
    as a)
select safe_divide(a, b), safe_cast(a as int64), safe.parse_date('%Y', b), ifnull(a, 0), if(a > 1, 'x', 'y'),
    countif(a > 1), logical_or(a) from t
select json_value(data, '$.a'), json_extract_scalar(data, '$.b'), json_query(data, '$.c'), json_extract_array(d),
    data.a.b, parse_json('{}'), to_json_string(t) from t
select approx_quantiles(a, 100)[offset(50)], approx_count_distinct(a), approx_top_count(a, 3), any_value(a),
    string_agg(a, ',' order by a limit 3) from t
select regexp_contains(a, r'^x\d+$'), regexp_extract(a, r'(\d+)'), regexp_replace(a, r'x', 'y'), starts_with(a,
    'x'), split(a, ',')[safe_offset(0)], farm_fingerprint(a), to_hex(md5(a)), generate_uuid() from t
select * from t qualify row_number() over (partition by a order by b) = 1
select * from (select a, b, c from t) pivot (sum(c) for b in ('x', 'y'))
select * from t unpivot (v for k in (a, b, c))
select event_name, (select value.string_value from unnest(event_params) where key = 'page') as page from
    `p.analytics.events_*` where _table_suffix between '20240101' and '20240131'
select * from `p.d.t` for system_time as of timestamp_sub(current_timestamp(), interval 1 hour)
select net.host(url), st_geogpoint(1, 2), st_distance(a, b), hll_count.extract(x), hll_count.merge(y) from t
select percentile_cont(a, 0.5) over (partition by b), percentile_disc(a, 0.5) over () from t
select date '2024-01-01', datetime '2024-01-01 00:00:00', timestamp '2024-01-01 00:00:00 UTC', b'abc', r'x\y', 1e3
with a as (select 1 as x) select * from a left join unnest([1,2]) as y on true
select last_day(a), date(ts), time(ts), timestamp(a), string(b), bool(c), format('%d', a), unix_seconds(ts),
    timestamp_seconds(x), date_from_unix_date(x), session_user() from t
select count(*) from t tablesample system (10 percent)
select range_bucket(a, [1,2]), ml.sigmoid from t
select a || b, a is distinct from b, a not between 1 and 2, case when a in unnest([1,2]) then 1 end from t
""",
    "snowflake": r"""
select dateadd(day, -7, current_date()), datediff('day', a, b), date_trunc('month', a), to_date(x),
    to_timestamp_ntz(y), to_varchar(a, 'YYYY-MM'), last_day(a), dayname(a), current_timestamp() from db.sch.t
select data:customer.name::string, data:items[0].sku::varchar, data['a']['b'] from t
select t.id, f.value:sku::string as sku, f.index from t, lateral flatten(input => t.data:items) f
select f.value from t, table(flatten(t.arr)) f
select * from t qualify row_number() over (partition by a order by b desc) = 1
select * from (select a, b, c from t) pivot (sum(c) for b in ('x', 'y')) as p (a, x, y)
select * from t unpivot (v for k in (a, b))
select iff(a > 1, 'x', 'y'), zeroifnull(a), nvl(a, b), div0(a, b), div0null(a, b), try_to_number(a), try_cast(a as
    int), try_to_date(b), equal_null(a, b) from t
select listagg(a, ',') within group (order by a), array_agg(a) within group (order by b), object_construct('a', 1),
    object_agg(k, v), median(x), approx_percentile(x, 0.5), approx_count_distinct(x), hll(x), any_value(a) from t
select parse_json('{}'):a, try_parse_json(b), array_size(c), array_contains('x'::variant, c), get_path(d, 'a.b'),
    get(d, 'a'), typeof(e), is_null_value(f), as_varchar(g), check_json(h) from t
select split(a, ',')[0], split_part(a, ',', 1), regexp_substr(a, 'x', 1, 1, 'e'), regexp_replace(a, 'x'),
    regexp_count(a, 'x'), a rlike 'x', a ilike any ('%x%', '%y%'), contains(a, 'x'), startswith(a, 'x'), strtok(a,
    ',', 1), charindex('a', b), editdistance(a, b), sha2(a), md5(a), hash(a) from t
select convert_timezone('UTC', 'Europe/Berlin', ts), time_slice(ts, 15, 'minute'), dateadd('hour', 1, ts),
    timestampdiff(second, a, b), monthname(a), add_months(a, 1), previous_day(a, 'mo'), date_from_parts(2024, 1, 1),
    timestamp_from_parts(2024,1,1,0,0,0), epoch_seconds from t
select * from t at (timestamp => '2024-01-01'::timestamp)
select * from t sample (10)
select seq4(), row_number() over (order by seq4()), uniform(1, 10, random()) from table(generator(rowcount => 10))
select * exclude (a, b) from t
select * rename (a as b) from t
select $1, $2 from values (1, 'a'), (2, 'b')
select ratio_to_report(a) over (), conditional_true_event(a > 1) over (order by b), width_bucket(a, 0, 1, 10),
    booland(a, b), bitand(a, b) from t
select current_warehouse(), current_role(), current_user(), current_region()
select t1.a from t1 asof join t2 match_condition (t1.ts >= t2.ts) on t1.k = t2.k
select level, sys_connect_by_path(a, '/') from t start with b is null connect by prior id = parent_id
select max_by(a, b), min_by(a, b), mode(c), skew(d), kurtosis(e), corr(a, b), array_unique_agg(a), bitmap_count(x),
    count_if(a > 1), boolor_agg(a) from t
select to_decimal(a, 10, 2), to_number('1'), to_boolean('x'), to_time(a), to_json(b), to_array(c), to_object(d),
    hex_encode(a), base64_encode(b), soundex(a), insert_time from t
select * from t match_recognize (partition by a order by b measures match_number() as m one row per match pattern (x
    y+) define x as a > 1, y as a < 1)
""",
    "databricks": r"""
select /*+ REPARTITION(3), COALESCE(2) */ a from t join /*+ BROADCAST(u) */ u on t.a = u.a
select date_trunc('month', a), date_add(a, 7), datediff(a, b), date_format(a, 'yyyy-MM'), to_date(a, 'yyyy-MM-dd'),
    months_between(a, b), add_months(a, 1), last_day(a), current_date(), from_unixtime(x), unix_timestamp(y),
    from_utc_timestamp(a, 'UTC'), to_utc_timestamp(a, 'UTC'), make_date(2024,1,1), timestampadd(day, 1, a) from
    cat.sch.t
select id, explode(items) as item from t
select id, item.sku from t lateral view explode(items) x as item
select id, k, v from t lateral view outer posexplode(items) x as k, v
select collect_list(a), collect_set(b), array_contains(c, 1), size(d), element_at(e, 1), array_join(f, ','),
    sort_array(g), array_distinct(h), flatten(i), slice(j, 1, 2), sequence(1, 10) from t
select transform(a, x -> x + 1), filter(b, x -> x > 1), aggregate(c, 0, (acc, x) -> acc + x), exists(d, x -> x = 1),
    zip_with(e, f, (x, y) -> x + y), reduce(c, 0, (acc, x) -> acc + x) from t
select data:a.b::string, get_json_object(data, '$.a'), from_json(data, 'a INT'), to_json(struct(a, b)),
    json_tuple(data, 'a', 'b'), schema_of_json(data), parse_json(data) from t
select named_struct('a', 1), map('a', 1), map_keys(m), m['a'], struct(1, 2), array(1, 2), inline(x), stack(2, 1, 2),
    str_to_map('a:1') from t
select if(a > 1, 'x', 'y'), nvl(a, b), ifnull(a, b), try_divide(a, b), try_cast(a as int), percentile(a, 0.5),
    percentile_approx(a, 0.5), approx_count_distinct(a), count_if(a), any_value(a), max_by(a, b), first(a), last(a),
    skewness(a), kurtosis(a) from t
select * from t qualify row_number() over (partition by a order by b) = 1
select * from (select a, b, c from t) pivot (sum(c) for b in ('x' as x, 'y' as y))
select stack(2, 'a', a, 'b', b) as (k, v) from t
select * except (a) from t
select a rlike 'x', regexp_extract(a, '(x)', 1), regexp_replace(a, 'x', 'y'), split(a, ','), instr(a, 'x'),
    locate('x', a), substring_index(a, '.', 1), format_number(a, 2), translate(a, 'x', 'y'), levenshtein(a, b),
    soundex(a), sha2(a, 256), md5(a), xxhash64(a), crc32(a), uuid() from t
select * from t version as of 3
select * from t timestamp as of '2024-01-01'
select * from delta.`/mnt/x`
select `a b`, t.`c` from `cat`.`sch`.`t` as t where a <=> b and a div 2 = 1
select count(*) from t tablesample (10 percent)
select window.start, count(*) from t group by window(ts, '10 minutes')
select posexplode_outer(a), explode_outer(b) from t
select h3_longlatash3(1, 2, 3), st_point(1, 2), bround(1.5), pmod(a, 2), hash(a), monotonically_increasing_id(),
    input_file_name(), dayofweek(a), weekofyear(a), date_part('year', a), unix_date(a), timestamp_millis(x),
    bit_count(a), shiftleft(a, 1), try_to_number('1', '9'), to_timestamp(a), weekday(a), array_agg(a), listagg(a,
    ','), mode(a), regr_slope(a, b) from t
select * from t1 left semi join t2 on t1.a = t2.a
select * from t1 left anti join t2 on t1.a = t2.a
select a, b from t cluster by a
select a, sum(b) from t group by all order by all
""",
    "trino": r"""
select date_trunc('month', a), date_add('day', -7, current_date), date_diff('day', a, b), date_format(a, '%Y-%m'),
    date_parse(x, '%Y'), from_unixtime(y), to_unixtime(z), at_timezone(a, 'UTC'), a at time zone 'Europe/Berlin',
    from_iso8601_timestamp(s), day_of_week(a), last_day_of_month(a), week(a), parse_datetime(b, 'yyyy'),
    format_datetime(a, 'yyyy') from cat.sch.t
select id, item from t cross join unnest(items) as x(item)
select id, k, v from t cross join unnest(m) with ordinality as x(k, v, i)
select array_agg(a order by b), map_agg(k, v), array_join(a, ','), cardinality(a), contains(a, 1), element_at(a, 1),
    sequence(1, 10), filter(a, x -> x > 1), transform(a, x -> x + 1), reduce(a, 0, (s, x) -> s + x, s -> s),
    any_match(a, x -> x = 1), zip(a, b), array_sort(a), slice(a, 1, 2), flatten(a), histogram(a), multimap_agg(k,
    v), map_filter(m, (k, v) -> v > 1), transform_values(m, (k, v) -> v + 1) from t
select json_extract_scalar(d, '$.a'), json_extract(d, '$.b'), json_parse(d), json_format(d), json_value(d, 'strict
    $.a'), json_query(d, 'lax $.b'), cast(json_parse(d) as map(varchar, varchar)), cast(row(1, 'x') as row(a
    integer, b varchar)) from t
select approx_distinct(a), approx_percentile(a, 0.5), max_by(a, b), min_by(a, b), count_if(a > 1), arbitrary(a),
    checksum(a), bool_or(a), geometric_mean(a), listagg(a, ',') within group (order by a), any_value(a) from t
select try(a / b), try_cast(a as bigint), if(a > 1, 'x', 'y'), coalesce(a, b), format('%d', a), typeof(a) from t
select regexp_like(a, 'x'), regexp_extract(a, 'x', 0), regexp_replace(a, 'x'), split(a, ','), split_part(a, ',', 1),
    strpos(a, 'x'), substr(a, 1, 2), url_extract_host(a), lpad(a, 5, '0'), to_hex(md5(to_utf8(a))),
    xxhash64(to_utf8(a)), codepoint('a'), chr(65), reverse(a), levenshtein_distance(a, b), normalize(a),
    word_stem(a), from_base64(a), to_base64(b), from_utf8(c), split_to_map(a, ',', '='), bing_tile_at(1, 2, 3) from
    t
select date '2024-01-01', timestamp '2024-01-01 00:00:00', interval '1' day, array[1, 2], map(array['a'], array[1]),
    row(1, 2), x'ab'
select * from t tablesample bernoulli (10)
select * from t for version as of 3
select * from t for timestamp as of timestamp '2024-01-01 00:00:00 UTC'
select * from t match_recognize (partition by a order by b measures last(x.a) as m one row per match after match
    skip past last row pattern (x y+) define y as a > 1)
select * from "cat"."sch"."t$partitions"
select a from t fetch first 10 rows only
select numeric_histogram(5, a), width_bucket(a, 0, 1, 2), bitwise_and(a, b), cosine_similarity(a, b), nan(),
    infinity(), is_nan(a), e(), pi(), rand(), truncate(a), human_readable_seconds(a), day(a), hour(a),
    year_of_week(a), current_timezone(), date(a), merge(b), tdigest_agg(a), value_at_quantile(b, 0.5), ngrams(a, 2),
    combinations(a, 2), array_union(a, b), repeat(a, 2), shuffle(a), all_match(a, x -> x > 1), none_match(a, x -> x
    > 1) from t
""",
    "clickhouse": r"""
select toStartOfMonth(a), toDate(b), toDateTime(c), now(), today(), yesterday(), dateDiff('day', a, b), addDays(a,
    7), subtractMonths(a, 1), formatDateTime(a, '%Y-%m'), toYYYYMM(a), toUnixTimestamp(a), toStartOfInterval(a,
    interval 15 minute), toDayOfWeek(a), parseDateTimeBestEffort(s), dateTrunc('month', a), date_trunc('week', a),
    toTimeZone(a, 'UTC') from db.t
select countIf(a > 1), sumIf(b, a > 1), uniq(c), uniqExact(d), quantile(0.5)(e), quantiles(0.5, 0.9)(e), argMax(a,
    b), groupArray(a), groupUniqArray(b), topK(10)(c), anyLast(a), any(b), avgIf(a, b), groupArray(10)(a), sumMap(k,
    v), uniqCombined(a), medianExact(a), minIf(a, b), maxIf(a, b), avgWeighted(a, b), simpleLinearRegression(a, b),
    windowFunnel(3600)(ts, a = 1, b = 2), retention(a = 1, b = 2), sequenceMatch('(?1)(?2)')(ts, a, b), entropy(a),
    stddevPop(a), varSamp(a), corr(a, b), groupBitAnd(a), sumState(a), sumMerge(b), uniqMerge(c),
    exponentialMovingAverage(10)(a, b), deltaSum(a), last_value(a), first_value(b) from t
select arrayJoin(a), arrayMap(x -> x + 1, b), arrayFilter(x -> x > 1, c), has(d, 1), length(e), arraySort(f),
    arrayStringConcat(g, ','), arrayElement(h, 1), indexOf(i, 1), arrayDistinct(j), arrayEnumerate(k), arraySum(l),
    arrayReduce('sum', m), hasAny(a, b), hasAll(a, b), range(10), emptyArray from t
select id, item from t array join items as item
select * from t final where a = 1
select * from t prewhere a = 1 where b = 2
select a, count() from t group by a with totals
select a, count() from t group by a with rollup
select * from t limit 3 by a
select JSONExtractString(d, 'a'), JSONExtractInt(d, 'b'), JSONExtract(d, 'c', 'Array(String)'),
    simpleJSONExtractString(d, 'e'), visitParamExtractString(d, 'f'), JSONHas(d, 'a'), JSON_VALUE(d, '$.a') from t
select if(a > 1, 'x', 'y'), multiIf(a > 1, 'x', a > 2, 'y', 'z'), ifNull(a, 0), nullIf(a, 0), assumeNotNull(b),
    toInt32(c), toString(d), toFloat64OrNull(e), toDecimal64(f, 2), toTypeName(g), cast(h as Nullable(String)),
    h::UInt8, isNull(a), coalesce(a, b), toUInt64OrZero(c), transform(a, [1], ['x'], 'y'), accurateCastOrNull(a,
    'Int8'), isNaN(a), isFinite(b), reinterpretAsUInt64(c) from t
select splitByChar(',', a), splitByString('x', b), replaceRegexpAll(c, 'x', 'y'), extract(d, '(x)'), extractAll(e,
    'x'), match(f, 'x'), like(g, 'x'), position(h, 'x'), substring(i, 1, 2), lowerUTF8(j), lengthUTF8(k), concat(l,
    m), domain(url), path(url), cityHash64(n), sipHash64(o), MD5(p), hex(q), replaceAll(r, 'a', 'b'), replaceOne(s,
    'a', 'b'), trimBoth(u), startsWith(v, 'x'), multiSearchAny(w, ['x']), ngramDistance(x, 'y'),
    extractURLParameter(url, 'x'), cutQueryString(url), protocol(url), topLevelDomain(url), xxHash64(a), leftPad(b,
    5, '0'), base64Encode(c), empty(d), notEmpty(e), upperUTF8(f), format('{}', g), countSubstrings(h, 'x'),
    reverseUTF8(i) from t
with 1 as x, (select max(a) from t) as m select x, m
with toDate('2024-01-01') as start select * from t where d >= start
select neighbor(a, 1), runningAccumulate(b), runningDifference(c), rowNumberInAllBlocks(), lagInFrame(a) over (order
    by b rows between 1 preceding and current row), leadInFrame(a) over (order by b), bitAnd(a, b), intDiv(a, b),
    modulo(a, b), plus(a, b), minus(a, b), multiply(a, b), divide(a, b), equals(a, b), greater(a, b), tuple(a, b),
    tupleElement(c, 1), c.1, map('a', 1), mapKeys(m), m['a'], least(a, b), roundBankers(a), floor(b), exp2(c),
    generateUUIDv4(), rand(), number, dictGet('d', 'a', id), dictGetOrDefault('d', 'a', id, 0) from t
select * from t order by a with fill from 1 to 10 step 1
select * from t sample 0.1
select * from a asof join b on a.k = b.k and a.ts >= b.ts
select * from a global any left join b using (k)
select * from numbers(10)
select * from t settings max_threads = 1
select * from t format JSON
select columns('x.*') from t
select * except (a) from t
select * apply(sum) from t
select a ? 'x' : 'y' from t
""",
    "duckdb": r"""
select date_trunc('month', a), a + interval 1 day, datediff('day', a, b), strftime(a, '%Y-%m'), strptime(s, '%Y'),
    date_part('dow', a), epoch(a), make_date(2024,1,1), last_day(a), time_bucket(interval '1 hour', a), dayname(b),
    age(a, b), epoch_ms(c), to_timestamp(d), current_localtimestamp() from t
select * exclude (a) from t
select * replace (a + 1 as a) from t
select columns('x.*') from t
select columns(c -> c like 'x%') from t
select unnest([1, 2, 3]) as x, unnest({'a': 1, 'b': 2})
select list_transform([1,2], x -> x + 1), list_filter(a, x -> x > 1), list_aggregate(a, 'sum'), [x + 1 for x in a if
    x > 1], list_contains(a, 1), len(a), array_agg(a order by b), list(a), list_value(1, 2), struct_pack(a := 1),
    {'a': 1}, map {'a': 1}, a[1], a[1:2], s.a, struct_extract(s, 'a'), map_keys(m), list_sort(a), list_distinct(a),
    flatten(a), range(10), generate_series(1, 10), array_to_string(a, ','), list_reduce(a, (x, y) -> x + y),
    list_zip(a, b) from t
select j->>'$.a', j->'$.b', json_extract_string(j, '$.c'), json_array_length(j), json_keys(j), to_json(t),
    json_group_array(a), json_object('a', 1) from t
select * from t qualify row_number() over (partition by a order by b) = 1
select median(a), quantile_cont(a, 0.5), mode(b), arg_max(a, b), max_by(a, b), approx_count_distinct(a),
    approx_quantile(a, 0.5), string_agg(a, ',' order by a), first(a), last(b), any_value(c), count_if(a > 1),
    bool_or(d), histogram(e), product(f), entropy(g), kurtosis(h), skewness(i), sum(a) filter (where b > 1),
    favg(a), fsum(b), mad(c), quantile_disc(a, [0.25, 0.5]), regr_slope(a, b), reservoir_quantile(a, 0.5) from t
select regexp_matches(a, 'x'), regexp_extract(a, 'x', 1), regexp_replace(a, 'x', 'y', 'g'), string_split(a, ','),
    split_part(a, ',', 1), a ilike 'x', a similar to 'x', a glob 'x*', contains(a, 'x'), starts_with(a, 'x'),
    prefix(a, 'x'), suffix(a, 'x'), levenshtein(a, b), jaccard(a, b), md5(a), hash(b), printf('%d', a), format('{}',
    a), lpad(a, 5, '0'), strip_accents(a), nfc_normalize(b), ord(c), bar(a, 0, 10), concat_ws(',', a, b),
    damerau_levenshtein(a, b), hamming(a, b), instr(a, 'b'), left(a, 1), gen_random_uuid(), uuid(), isnan(a),
    fdiv(a, b), fmod(a, b), gamma(a), nextafter(a, b), xor(a, b), even(a), set_bit(a, 1, 0) from t
select * from (select a, b, c from t) pivot (sum(c) for b in ('x', 'y'))
select * from t unpivot (v for k in (a, b))
select a, sum(b) from t group by all order by all
select * from t asof join u on t.k = u.k and t.ts >= u.ts
select * from t positional join u
select * from t using sample 10%
select a::int, try_cast(a as int), a::decimal(10,2), a::timestamptz, cast(a as struct(x int, y varchar)), a::int[]
    from t
select if(a > 1, 'x', 'y'), ifnull(a, b), coalesce(a, b), a // b, a ** b, a ^ b, @a, a is not distinct from b from t
select t.a.b.c, row(1, 2), (1, 2), 'x'[1] from t
select * from range(10) as r(i)
select sum(a) over (order by b range between interval 7 days preceding and current row), lag(a ignore nulls) over
    (order by b) from t
select * from t at (version => 3)
""",
}
"""A statement begins at the margin and goes on, where it is long, in lines that do not."""
