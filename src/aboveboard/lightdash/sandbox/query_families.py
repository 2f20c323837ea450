"""The URL families around the warehouse: what can be asked, asking it, and what came of it."""

from aboveboard.lightdash.sandbox import (
    catalog,
    downloads,
    explores,
    field_values,
    jobs,
    metrics_catalog,
    parameters,
    queries,
    results,
    scheduler_jobs,
    sql_charts,
    sql_charts_code,
    sql_runner,
    virtual_views,
)

QUERY_FAMILIES = (
    *(explores, catalog, metrics_catalog, parameters, field_values),
    *(queries, results, downloads, scheduler_jobs, jobs),
    *(sql_runner, sql_charts, sql_charts_code, virtual_views),
)
