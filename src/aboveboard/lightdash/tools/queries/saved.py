"""What is saved under one list and lives under two families: charts over an explore, and SQL charts."""

from aboveboard.errors import BadInput, NotFound
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.client.charts import ChartDetails
from aboveboard.lightdash.client.sql.charts import SqlChart


async def either_chart(lightdash: LightdashClient, chart: str, project: str | None) -> ChartDetails | SqlChart:
    """Find a chart of either kind; one over an explore comes first, as it does in Lightdash's own addresses.

    A SQL chart is found in its project alone: Lightdash has no other way to it.
    """
    try:
        return await lightdash.charts.get(chart, project)
    except NotFound as missing:
        try:
            return await lightdash.sql_charts.get(project, chart)
        except (NotFound, BadInput):  # it is not there, or nothing tells in which project to look
            if project is None and not lightdash.has_default_project:
                raise NotFound(str(missing), next_step="If it is a SQL chart, give its project_uuid too.") from None
            raise missing from None
