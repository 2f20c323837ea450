"""What the routes that run queries take: an intersection, with the place in Lightdash that the query comes from."""

from aboveboard.lightdash.sandbox.contracts import MAP, NUMBER, All, Kind, Object, OneOf, Optional

_CONTEXTS = (
    "dashboardView autorefreshedDashboard exploreView filterAutocomplete chartView chartHistory sqlChartView sqlRunner"
    " viewUnderlyingData alert scheduledDelivery csvDownload gsheets scheduledGsheetsChart scheduledGsheetsDashboard"
    " scheduledGsheetsSqlChart scheduledChart scheduledDashboard calculateTotal calculateSubtotal embed ai"
    " mcp.run_metric_query mcp.run_sql mcp.search_field_values api cli metricsExplorer preAggregateMaterialization"
    " composeSqlRunner multiSourceQuery dataAppSample"
)
CONTEXT = Optional(OneOf(*_CONTEXTS.split()))


def query_body(**fields: Kind) -> All:
    """The body of a route that runs something."""
    return All(Object(**fields, context=CONTEXT))


def saved_query_body(**fields: Kind) -> All:
    """The body of a route that runs something saved, which may have another limit and parameters."""
    return query_body(**fields, limit=Optional(NUMBER), parameters=Optional(MAP))
