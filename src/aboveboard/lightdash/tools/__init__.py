"""The tools, one module per area; `toolsets` lists them all, in the order clients see them."""

from aboveboard.lightdash.tools.agent_evaluations import tools as agents
from aboveboard.lightdash.tools.chart_edits import tools as charts
from aboveboard.lightdash.tools.code import tools as code
from aboveboard.lightdash.tools.comments import tools as comments
from aboveboard.lightdash.tools.content import tools as content
from aboveboard.lightdash.tools.context import tools as context
from aboveboard.lightdash.tools.dashboard_edits import tools as dashboards
from aboveboard.lightdash.tools.explores import tools as explores
from aboveboard.lightdash.tools.library import tools as library
from aboveboard.lightdash.tools.projects import tools as projects
from aboveboard.lightdash.tools.roles import tools as people
from aboveboard.lightdash.tools.runs import tools as queries
from aboveboard.lightdash.tools.schedules import tools as schedules
from aboveboard.lightdash.tools.spaces import tools as spaces
from aboveboard.lightdash.tools.sql_charts import tools as sql
from aboveboard.lightdash.tools.tags import tools as tags
from aboveboard.lightdash.tools.validation import tools as validation

toolsets = (
    context,
    projects,
    explores,
    queries,
    sql,
    charts,
    dashboards,
    content,
    code,
    spaces,
    people,
    tags,
    comments,
    schedules,
    validation,
    agents,
    library,
)
