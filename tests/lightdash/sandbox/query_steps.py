"""Recorded steps around the warehouse: which endpoints, whose part the shop's fields play, what differs and why."""

from collections.abc import Mapping

AREAS = frozenset(
    {"explores-and-catalog", "metrics-catalog", "metric-queries", "sql-queries", "field-values", "jobs", "sql-charts"}
)

_PROJECT = "/api/v1/projects/*"
_QUERY = "/api/v2/projects/*/query"
ENDPOINTS = (
    ("GET", f"{_PROJECT}/explores"),
    ("GET", f"{_PROJECT}/explores/*"),
    ("GET", f"{_PROJECT}/explores/*/charts"),
    ("POST", f"{_PROJECT}/explores/*/compileQuery"),
    ("GET", f"{_PROJECT}/catalog"),
    ("GET", f"{_PROJECT}/dataCatalog"),
    ("GET", f"{_PROJECT}/dataCatalog/*/metadata"),
    ("GET", f"{_PROJECT}/dataCatalog/*/analytics"),
    ("GET", f"{_PROJECT}/dataCatalog/(?!metrics)*/analytics/*"),
    ("GET", f"{_PROJECT}/dataCatalog/*/(filter|segment)-dimensions"),
    ("GET", f"{_PROJECT}/dataCatalog/metrics"),
    ("GET", f"{_PROJECT}/dataCatalog/metrics/has"),
    ("GET", f"{_PROJECT}/dataCatalog/metrics/(?!trees?/)*/*"),
    ("GET", f"{_PROJECT}/dataCatalog/metrics-with-time-dimensions"),
    ("GET", "/api/v2/projects/*/dataCatalog/metrics-with-time-dimensions"),
    ("GET", f"{_PROJECT}/sqlRunner/tables"),
    ("GET", f"{_PROJECT}/sqlRunner/fields"),
    ("(POST|PUT|DELETE)", f"{_PROJECT}/sqlRunner/virtual-view(/*)?"),
    ("GET", f"{_PROJECT}/code/virtualViews"),
    ("POST", f"{_PROJECT}/sqlRunner/saved"),
    ("GET", f"{_PROJECT}/sqlRunner/saved/(slug/)?*"),
    ("(PATCH|DELETE)", f"{_PROJECT}/sqlRunner/saved/*"),
    ("GET", f"{_PROJECT}/(code/sqlCharts|sqlCharts/code)"),
    ("POST", f"{_PROJECT}/code/sqlCharts/*"),
    ("POST", f"{_QUERY}/(metric-query|chart)"),
    ("POST", f"{_QUERY}/dashboard-chart"),
    ("POST", f"{_QUERY}/underlying-data"),
    ("POST", f"{_QUERY}/(sql|sql-chart)"),
    ("POST", f"{_QUERY}/field-values"),
    ("GET", f"{_QUERY}/history"),
    ("GET", f"{_QUERY}/*"),
    ("GET", f"{_QUERY}/*/results"),
    ("POST", f"{_QUERY}/*/cancel"),
    ("POST", f"{_QUERY}/*/calculate-total"),
    ("POST", f"{_QUERY}/*/schedule-download"),
    ("GET", "/api/v1/file/*"),
    ("GET", "/api/v1/schedulers/job/*/status"),
    ("POST", f"{_PROJECT}/field/*/search"),
    ("POST", f"{_PROJECT}/refresh"),
    ("GET", "/api/v1/jobs"),
    ("GET", "/api/v1/jobs/*"),
    ("GET", "/api/v2/projects/*/parameters"),
    ("GET", "/api/v2/projects/*/parameters/list"),
)

_ORDERS_BY_STATUS = "3a000000-0000-4000-8000-000000000002"
_OVERVIEW = "4a000000-0000-4000-8000-000000000001"
_SERIES = "with recursive s(n) as (select 1 union all select n + 1 from s where n < {}) select n from s"
# Whose part the shop's tables and fields play; Postgres's own SQL, where SQLite has other words for it.
CAST: dict[str, str] = {
    "unique_order_count": "order_count",
    "parameterized_metric_test": "revenue_in_currency",
    "average_order_size": "average_order_value",
    "date_dim_parameter": "currency",
    "world_cities_lat": "visits_people",
    "world_cities_lon": "visits_temperature",
    "world_cities_name": "visits_door",
    "world_cities": "visits",
    "events_event_id": "payments_payment_id",
    '"events"': '"payments"',
    "customers_first_name": "customers_name",
    "sankey_demo": "visits",
    "jaffle.orders": "shop.orders",
    "schemaName=jaffle": "schemaName=shop",
    '\\"jaffle\\"': '\\"shop\\"',
    '\\"postgres\\".\\"shop\\".': '\\"shop\\".',
    "databaseName=postgres": "databaseName=shop",
    'of database \\"postgres\\"': 'of database \\"shop\\"',
    "jaffle-shop": "customers-caf-s",
    "rig-sql-chart": "busiest-hours",
    "search=zzzz": "search=zzzz",
    "470b1295-419b-46e6-ad6c-2cc96c5e5d7c": _ORDERS_BY_STATUS,
    "6646cdff-c1af-4f10-892b-3f07552984e7": _OVERVIEW,
    "rec-chart-to-run": "orders-by-status",
    "1::int as i, 1.5::numeric as n, 9007199254740993::bigint": "1 as i, 1.5 as n, 9007199254740993",
    "now()::date as d, timestamp '": "current_date as d, '",
    "timestamptz '2020-01-02 03:04:05+02'": "'2020-01-02 01:04:05'",
    "'::jsonb as j, array[1,2] as arr": "' as j, '1,2' as arr",
    "select generate_series(1, 6000) as n": _SERIES.format(6000),
    "select generate_series(1, 10) as n": _SERIES.format(10),
    "select generate_series(1, 7) as n": _SERIES.format(7),
}

_NO_JOB = {"status": "the deprecated route that starts the job is not there"}
_ROWS = {"body": "the rows are the shop's own"}
_NO_WARNING = {
    "results.warnings": "no dimension of the shop's has Postgres types that Lightdash warns of",
    "results.parameterReferences": "no dimension of the shop's has a parameter",
}
DIFFERENCES: Mapping[str, Mapping[str, str]] = {
    "projects create-delete/explores-of-empty-project": {"results": "every project here has the shop's explores"},
    "explores-and-catalog explores/get": {"explore.joinedTables": "the shop's customers are joined to nothing"},
    "explores-and-catalog data-catalog/analytics-missing": {
        "results.charts": "no chart here has outlived its explore",
    },
    "explores-and-catalog data-catalog/field-analytics-missing": {
        "results.charts": "no chart here has outlived its field",
    },
    "metrics-catalog list/search-punctuation": {
        "results.data": "no metric of the shop's begins a word with a and one with b"
    },
    "metrics-catalog list/tables": {
        "entry[found].owner": "nobody owns a metric here",
        "entry[found].owner.userUuid": "nobody owns a metric here",
    },
    "metrics-catalog categories-and-icon/list-by-category": {"results.data": "metrics have no categories here"},
    "sql-queries deprecated/run-job-started": _NO_JOB,
    "sql-queries deprecated/run-job-completed": _NO_JOB,
    "metric-queries limits/unlimited-poll-ready": {"results.pageSize": "the shop has 458 payments, and all come"},
    "metric-queries underlying-data/submit": _NO_WARNING,
    "metric-queries underlying-data/unknown-item": _NO_WARNING,
    "metric-queries download/csv-file-as-admin": _ROWS,
    "metric-queries download/csv-raw-file-as-admin": _ROWS,
    "metric-queries download/results-stream": _ROWS,
}

# Steps of these areas that are not replayed: what their path looks like, and why.
LEFT_OUT: Mapping[str, str] = {
    r"POST .*/explores/orders/(validateFormula|preAggregateCheck)": "formulas and pre-aggregates are not there",
    r".*/dataCatalog/metrics/trees?(/.*)?": "metric trees are drawn by people in a browser; no tool of ours reads them",
    r".*/dataCatalog/[^/]+/(categories(/.*)?|icon)": "decorations of the catalog that no tool of ours sets",
    r"GET .*/dataCatalog/metrics/owners": "nobody owns a metric here",
    r"GET .*/spotlight/table/config": "a setting of the browser's",
    r"POST .*/metricsExplorer/.*": "the browser's metrics explorer; a metric query answers the same",
    r"POST .*/(runQuery|calculate-total|sqlRunner/run|sqlQuery|download)": "deprecated; the v2 query routes replace it",
    r"GET .*/(sqlRunner/results/.*|results-job)": "deprecated; the v2 query routes replace it",
    r"GET .*/sqlRunner/saved/[^/]+/schedulers": "SQL charts are not scheduled here",
    r"GET .*/compile-logs(/.*)?": "nothing is compiled, so there is no log of it",
    r"GET /api/v1/(csv/37|org/jobs/create-project/active)": "jobs of other kinds than the sandbox has",
}
