"""Seeing a chart: the picture of a saved chart or of a query that ran."""

from base64 import b64encode, urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final

import anyio
import anyio.to_thread
import mcp_types as mcp
from pydantic import Field, ValidationError

from aboveboard.effects import READ
from aboveboard.errors import ApiError, BadInput
from aboveboard.kit.call import Call
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.client.api import Model
from aboveboard.lightdash.client.ids import is_uuid, uuid
from aboveboard.lightdash.client.queries.queries import Submitted
from aboveboard.lightdash.client.sql.charts import SqlChart
from aboveboard.lightdash.tools.charts.charts import tools
from aboveboard.lightdash.tools.charts.drawing import GroupBy, Stacked, X, Y
from aboveboard.lightdash.tools.charts.picture import Form, Theme, picture
from aboveboard.lightdash.tools.charts.plots import Drawable, Plot, Setup, plot_of
from aboveboard.lightdash.tools.charts.view import ADDRESS, for_page
from aboveboard.lightdash.tools.parameters import OfProject
from aboveboard.lightdash.tools.queries.queries import columns_of
from aboveboard.lightdash.tools.queries.results import QueryResult
from aboveboard.lightdash.tools.queries.saved import either_chart
from aboveboard.lightdash.tools.queries.waiting import BUDGET, await_rows

POINTS: Final = 500
"""Rows that are drawn at most: of more, a person sees none apart."""
TABLE: Final = (12, 600)
"""Rows and characters of the numbers that come with a picture."""
KEPT: Final = 32
"""Pictures that are remembered, a megabyte or two in all: to draw one takes a tenth of a second."""
_drawing = anyio.CapacityLimiter(1)
"""Matplotlib's settings are one for all threads."""
_pictures: dict[tuple[str, Theme, Form], bytes] = {}
"""The last ones that were drawn, by all that they show: whoever sees the same again sees the same picture."""


class Wanted(Model):
    """What picture is wanted: all that it takes to draw it again."""

    chart: str | None = None
    query_uuid: str | None = None
    kind: Drawable | None = None
    x: str | None = None
    y: list[str] | None = None
    group_by: str | None = None
    stacked: bool = False
    title: str | None = None
    theme: Theme = "light"
    project_uuid: str | None = None

    def address(self) -> str:
        """Return where the same picture can be read as SVG."""
        told = self.model_dump_json(exclude_defaults=True).encode()
        return f"lightdash://pictures/{urlsafe_b64encode(told).decode().rstrip('=')}"

    @classmethod
    def at(cls, token: str) -> "Wanted":
        """Read the last part of such an address."""
        try:
            return cls.model_validate_json(urlsafe_b64decode(token + "=" * (-len(token) % 4)))
        except (ValueError, ValidationError):
            raise BadInput("This is not the address of a picture.", next_step="render_chart gives one.") from None


class Picture(Model):
    """A picture that was drawn, and what it shows."""

    title: str
    chart_type: str
    rows: int
    """Rows of the query that it is drawn from."""
    series: int
    notes: list[str] | None = None
    table: str
    """The first of these rows."""
    query_uuid: str
    svg: str
    url: str | None = None
    png: bytes = Field(default=b"", exclude=True)
    drawn: dict[str, Any] = Field(default_factory=dict[str, Any], exclude=True)

    def blocks(self) -> Sequence[mcp.ContentBlock]:
        """Show it, and where it is as SVG."""
        link = mcp.ResourceLink(uri=self.svg, name=f"{self.title}.svg", mime_type="image/svg+xml")
        return [mcp.ImageContent(data=b64encode(self.png).decode(), mime_type="image/png"), link]

    def as_text(self) -> str:
        """Return what is drawn and the numbers, as far as they are few."""
        drawn = f"{self.title} ({self.chart_type}), rows: {self.rows}, series: {self.series}"
        more = [f"Open it: {self.url}"] if self.url and "?" not in self.url else []
        return "\n".join([drawn, *(self.notes or ()), self.table.rstrip("\n"), *more, f"query_uuid: {self.query_uuid}"])

    def for_view(self) -> Mapping[str, Any]:
        """Return what the interactive chart draws."""
        return self.drawn


EXAMPLE = Picture(
    title="Orders by status",
    chart_type="bar",
    rows=1,
    series=1,
    table="orders_status,orders_count\nplaced,12\n",
    query_uuid="244d...",
    svg="lightdash://pictures/eyJ...",
)


@tools.tool("Render Chart", READ, example=EXAMPLE, core=True, view=ADDRESS)
async def render_chart(
    lightdash: LightdashClient,
    call: Call,
    chart: Annotated[str | None, Field(description="Saved chart to show: UUID, slug or name.")] = None,
    query_uuid: Annotated[str | None, Field(description="Or a query that ran.")] = None,
    chart_type: Annotated[
        Drawable | None, Field(description="What to draw; left out: as the chart is saved, or bars.")
    ] = None,
    x: X = None,
    y: Y = None,
    group_by: GroupBy = None,
    stacked: Stacked = False,
    title: Annotated[str | None, Field(description="Heading; left out: the chart's name.")] = None,
    theme: Annotated[Theme, Field(description="Colours.")] = "light",
    project_uuid: OfProject = None,
) -> Picture:
    """Draw a saved chart, or the rows of a query that ran, and show the picture with its first numbers.

    The server needs aboveboard[charts] for it. Tables, maps and the like are not drawn: run_chart gives their rows.
    """
    wanted = Wanted(
        chart=chart.lower() if chart and is_uuid(chart) else chart,
        query_uuid=None if query_uuid is None else uuid("query", query_uuid),
        kind=chart_type,
        x=x,
        y=y,
        group_by=group_by,
        stacked=stacked,
        title=title,
        theme=theme,
        project_uuid=_project(lightdash, project_uuid, chart),
    )
    plot, result = await _plotted(lightdash, call, wanted)
    return Picture(
        title=plot.title,
        chart_type=plot.kind,
        rows=len(result.rows),
        series=len(plot.series),
        notes=list(plot.notes) or None,
        table=result.brief(*TABLE),
        query_uuid=result.query_uuid,
        svg=wanted.address(),
        url=result.url,
        png=await _drawn(plot, theme, "png"),
        drawn=for_page(plot, result.url),
    )


def _project(lightdash: LightdashClient, named: str | None, chart: str | None) -> str | None:
    """Return the project that is meant, so that the same picture has the same address; a chart may show its own."""
    if named is None and chart is not None and lightdash.is_shown_alone(chart):
        return None
    return lightdash.project(named)


@tools.resource("lightdash://pictures/{picture}", "Chart Picture", mime_type="image/svg+xml")
async def chart_picture(lightdash: LightdashClient, picture: str) -> str:
    """The picture of a chart as SVG, at the address that render_chart gives."""
    wanted = Wanted.at(picture)
    plot, _ = await _plotted(lightdash, None, wanted)
    return (await _drawn(plot, wanted.theme, "svg")).decode()


async def _drawn(plot: Plot, theme: Theme, form: Form) -> bytes:
    shown = (repr(plot), theme, form)  # 1 equals True, and is written otherwise
    drawn = _pictures.pop(shown, None) or await anyio.to_thread.run_sync(picture, plot, theme, form, limiter=_drawing)
    _pictures[shown] = drawn
    if len(_pictures) > KEPT:
        del _pictures[next(iter(_pictures))]
    return drawn


async def _plotted(lightdash: LightdashClient, call: Call | None, wanted: Wanted) -> tuple[Plot, QueryResult]:
    if (wanted.chart is None) == (wanted.query_uuid is None):
        raise BadInput("Give a chart or a query_uuid, one of the two.")
    if wanted.chart is not None:
        setup, title, submitted, project, url = await _saved(lightdash, wanted, wanted.chart)
    else:
        project, query = wanted.project_uuid, str(wanted.query_uuid)
        asked = lightdash.queries.remembered(query)
        submitted = asked.submitted or Submitted(query_uuid=query)
        setup, title, url = _setup(wanted, Setup("bar")), wanted.title or "Query", asked.url
    result = await await_rows(lightdash, call, project, submitted, rows=POINTS, order=columns_of(submitted), url=url)
    if result.status != "ready":
        raise ApiError(
            f"Lightdash took more than {BUDGET:.0f} seconds for the rows.",
            next_step=f"Call render_chart again with query_uuid {submitted.query_uuid}.",
        )
    return plot_of(result, setup, wanted.title or title), result


async def _saved(
    lightdash: LightdashClient, wanted: Wanted, chart: str
) -> tuple[Setup, str, Submitted, str | None, str | None]:
    saved = await either_chart(lightdash, chart, wanted.project_uuid)
    if isinstance(saved, SqlChart):
        project = lightdash.project(wanted.project_uuid)
        setup = _setup(wanted, Setup("bar"))
        submitted = await lightdash.queries.run_sql_chart(project, saved.saved_sql_uuid, limit=None)
        return setup, saved.name, submitted, project, saved.url
    pivot = saved.content().get("pivotConfig")
    setup = _setup(wanted, None if wanted.kind else Setup.of_chart(saved.chart_config, pivot))
    submitted = await lightdash.queries.run_chart(saved.project_uuid, saved.uuid, limit=None)
    return setup, saved.name, submitted, saved.project_uuid, saved.url


def _setup(wanted: Wanted, usual: Setup | None) -> Setup:
    """Return how to draw it: as it was asked for, or else as is usual for it."""
    if wanted.kind is None and usual is not None and not (wanted.x or wanted.y or wanted.group_by or wanted.stacked):
        return usual
    return Setup(wanted.kind or (usual.kind if usual else "bar"), wanted.x, wanted.y, wanted.group_by, wanted.stacked)
