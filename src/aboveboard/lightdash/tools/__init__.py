"""The tools, one module per area; `toolsets` lists them all, in the order clients see them."""

from aboveboard.lightdash.tools.charts import tools as charts
from aboveboard.lightdash.tools.dashboards import tools as dashboards
from aboveboard.lightdash.tools.people import tools as people
from aboveboard.lightdash.tools.projects import tools as projects
from aboveboard.lightdash.tools.spaces import tools as spaces

toolsets = (projects, charts, dashboards, spaces, people)
