"""Pictures of charts: what they show, in both colours, and what is said where there is nothing to draw."""

import base64
import io
from typing import Any, Final, cast
from xml.etree import ElementTree

import mcp_types as mcp
import pytest
from mcp.shared.exceptions import MCPError
from PIL import Image
from tests.lightdash import places
from tests.lightdash.analyst import analyst
from tests.lightdash.sessions import Session, text_of

from aboveboard.errors import BadInput
from aboveboard.lightdash.client.queries.queries import Column
from aboveboard.lightdash.sandbox import Sandbox
from aboveboard.lightdash.server import SERVICE
from aboveboard.lightdash.tools.charts import rendering
from aboveboard.lightdash.tools.charts.picture import Form, Theme, picture
from aboveboard.lightdash.tools.charts.plots import DRAWABLE, Plot, Series, Setup, plot_of
from aboveboard.lightdash.tools.queries.results import QueryResult

pytestmark = pytest.mark.anyio

BY_STATUS: Final = {"explore": "orders", "dimensions": ["orders_status"], "metrics": ["orders_order_count"]}


def rows_of(kinds: dict[str, str], rows: list[list[Any]], more: int = 0) -> QueryResult:
    columns = [Column(id=name, label=name.title(), type=kind) for name, kind in kinds.items()]
    return QueryResult(status="ready", query_uuid="q", columns=columns, rows=rows, total_rows=len(rows) + more)


async def seen(session: Session, **arguments: Any) -> tuple[Image.Image, mcp.CallToolResult]:
    result = await session.client.call_tool(f"{SERVICE.prefix}render_chart", arguments)
    assert not result.is_error, result.content
    [shown, *_] = result.content
    assert isinstance(shown, mcp.ImageContent)
    return Image.open(io.BytesIO(base64.b64decode(shown.data))), result


async def test_a_saved_chart_is_seen_as_it_is_saved_in_both_colours(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        light, result = await seen(session, chart=places.CHART_SLUG)
        dark, _ = await seen(session, chart=places.CHART_SLUG, theme="dark")
    assert (light.format, light.size) == ("PNG", (1280, 720))
    assert light.convert("L").getpixel((2, 2)) == 255
    assert isinstance(corner := dark.convert("L").getpixel((2, 2)), int)
    assert corner < 40
    assert result.structured_content is not None
    assert result.structured_content["url"].endswith(f"/saved/{places.MAIN_CHART}")


async def test_the_same_picture_is_a_resource_whose_words_are_words(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        ran = await session.ask("run_metric_query", **BY_STATUS)
        _, result = await seen(session, query_uuid=ran["query_uuid"], chart_type="pie", title="Ça va & <b>")
        assert result.structured_content is not None
        [content] = (await session.client.read_resource(result.structured_content["svg"])).contents
        with pytest.raises(MCPError, match="not the address of a picture"):
            await session.client.read_resource("lightdash://pictures/nonsense")
    assert isinstance(content, mcp.TextResourceContents)
    words = " ".join("".join(one.itertext()) for one in ElementTree.fromstring(content.text).iter())  # noqa: S314 (our own)
    assert content.mime_type == "image/svg+xml"
    assert "Ça va & <b>" in words
    assert all(str(row[0]) in words for row in ran["rows"])


async def test_the_numbers_that_are_drawn_come_with_the_picture_so_that_nothing_has_to_be_run_again(
    sandbox: Sandbox,
) -> None:
    async with analyst(sandbox) as session:
        ran = await session.call("run_metric_query", **BY_STATUS)
        query = ran.structured_content["query_uuid"]
        _, result = await seen(session, query_uuid=query)
        total = await session.ask("calculate_total", query_uuid=query)
    table = text_of(ran).partition("5 rows.")[0]
    assert text_of(result) == f"Query (bar), rows: 5, series: 1\n{table}query_uuid: {query}"
    assert result.structured_content is not None
    assert (result.structured_content["table"], result.structured_content["query_uuid"]) == (table, query)
    assert total["rows"] == [[sum(row[1] for row in ran.structured_content["rows"])]]


async def test_what_is_drawn_is_counted_in_rows_and_series_and_never_by_empty_places(sandbox: Sandbox) -> None:
    dimensions = ["orders_order_date_month", "orders_status"]
    async with analyst(sandbox) as session:
        ran = await session.ask("run_metric_query", **BY_STATUS | {"dimensions": dimensions})
        _, result = await seen(session, query_uuid=ran["query_uuid"], group_by="orders_status")
    assert result.structured_content is not None
    drawn = result.structured_content
    states = {row[1] for row in ran["rows"]}
    months = {row[0] for row in ran["rows"]}
    assert (drawn["rows"], drawn["series"]) == (len(ran["rows"]), len(states))
    assert drawn["rows"] < len(months) * len(states), "some have no orders in some month"
    assert drawn["table"].splitlines()[-1] == f"… and {len(ran['rows']) - 12} more rows"
    assert len(drawn["table"]) < 650


async def test_what_was_drawn_is_not_drawn_again_and_what_shows_anything_else_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn: list[str] = []

    def noted(plot: Plot, theme: Theme, form: Form) -> bytes:
        drawn.append(f"{plot.title} {plot.along[0]} {theme} {form}")
        return drawn[-1].encode()

    monkeypatch.setattr(rendering, "picture", noted)
    monkeypatch.setattr(rendering, "_pictures", {})
    monkeypatch.setattr(rendering, "KEPT", 3)
    one, true = (Plot("bar", "T", [place], [Series("n", [1.0])]) for place in (1, True))
    wanted: list[tuple[Plot, Theme, Form]] = [
        *((one, "light", "png"), (one, "light", "png"), (true, "light", "png"), (one, "dark", "png")),
        *((one, "light", "png"), (one, "light", "svg"), (true, "light", "png")),
    ]
    shown = [(await rendering._drawn(*one)).decode() for one in wanted]  # pyright: ignore[reportPrivateUsage]
    assert shown == [f"T {plot.along[0]} {theme} {form}" for plot, theme, form in wanted]
    assert drawn == ["T 1 light png", "T True light png", "T 1 dark png", "T 1 light svg", "T True light png"]


def test_the_numbers_of_a_picture_are_few_however_wide_a_row_is() -> None:
    assert rows_of({"name": "string"}, [["n" * 700], ["b"]]).brief(12, 600) == "name\n… and 2 more rows"
    assert rows_of({"n" * 700: "string"}, [["a"]]).brief(12, 600) == "… and 1 more row"
    assert rows_of({"name": "string"}, [["a"], ["b"]], more=1).brief(1, 600) == "name\na\n… and 2 more rows"
    assert rows_of({"name": "string"}, [["a"]]).brief(1, 600) == "name\na\n"


@pytest.mark.parametrize("kind", DRAWABLE)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_kind_is_drawn_from_odd_rows(kind: Any, theme: Any) -> None:
    rows = [[None, 3], ["", 4.5], ["$x^2$ _a long name that goes on and on_ 日本語", None], ["b", 0]]
    made = picture(plot_of(rows_of({"name": "string", "count": "number"}, rows), Setup(kind), "T" * 200), theme, "png")
    assert Image.open(io.BytesIO(made)).size == (1280, 720)


def test_groups_become_series_over_all_places_and_gaps_stay_gaps() -> None:
    rows = [["2026-01-01", "a", 1], ["2026-02-01", "b", 2], ["2026-02-01", "a", 3]]
    result = rows_of({"month": "date", "group": "string", "sum": "number"}, rows)
    plot = plot_of(result, Setup("line", group_by="group"), "x")
    assert [(one.name, list(one.values)) for one in plot.series] == [("a", [1.0, 3.0]), ("b", [None, 2.0])]
    assert [one.month for one in plot.along] == [1, 2]


@pytest.mark.parametrize("kind", ["line", "area"])
def test_a_value_between_gaps_is_seen_though_no_line_leads_to_it(kind: Any) -> None:
    days = [[f"2026-01-{at:02}", "a", at] for at in range(1, 31)]
    columns = {"day": "date", "group": "string", "sum": "number"}
    plot = plot_of(rows_of(columns, [*days, ["2026-01-15", "b", 3]]), Setup(kind, group_by="group"), "x")
    image = Image.open(io.BytesIO(picture(plot, "light", "png"))).convert("RGB")
    chart = image.crop((0, 0, 1000, 720))  # without the legend
    assert (224, 128, 43) in {colour for _, colour in chart.getcolors(1 << 20) or []}


@pytest.mark.parametrize("kind", ["bar", "horizontal_bar", "line", "pie", "funnel"])
def test_long_names_that_begin_alike_can_be_told_apart(kind: Any) -> None:
    rows = [[f"A department with quite a long name, number {at}", at] for at in range(1, 5)]
    made = picture(plot_of(rows_of({"name": "string", "count": "number"}, rows), Setup(kind), "x"), "light", "svg")
    words = " ".join("".join(one.itertext()) for one in ElementTree.fromstring(made).iter())  # noqa: S314 (our own)
    assert all(f"number {at}" in words for at in range(1, 5)), words


def test_dates_stand_in_their_order_whatever_the_order_of_the_rows() -> None:
    rows = [["2026-03-01", 3], ["2026-01-01T01:00:00+01:00", 1], ["2026-02-01T00:00:00Z", 2]]
    plot = plot_of(rows_of({"month": "timestamp", "n": "number"}, rows), Setup("bar"), "x")
    assert [one.isoformat()[:16] for one in plot.along] == ["2026-01-01T00:00", "2026-02-01T00:00", "2026-03-01T00:00"]
    assert list(plot.series[0].values) == [1.0, 2.0, 3.0]


def test_what_is_not_shown_is_said() -> None:
    many = rows_of({"name": "string", "count": "number"}, [[f"n{at}", at] for at in range(30)], more=7)
    pie = plot_of(many, Setup("pie"), "x")
    assert list(pie.notes) == ["7 more rows are not shown.", "Others: 23 smaller ones together."]
    assert sum(value or 0 for value in pie.series[0].values) == sum(range(30))
    wide = rows_of({"day": "string", "group": "string", "n": "number"}, [["d", f"g{at}", at] for at in range(15)])
    lines = plot_of(wide, Setup("line", group_by="group"), "x")
    assert list(lines.notes) == ["Only the 10 largest series are shown."]
    assert "g14" in {one.name for one in lines.series}


@pytest.mark.parametrize(
    ("rows", "setup", "said"),
    [
        (cast("list[list[Any]]", []), Setup("bar"), "nothing to draw"),
        ([["a", -1]], Setup("pie"), "negative"),
        ([["a", 1]], Setup("bar", x="nope"), "no column 'nope'"),
        ([["a", 1]], Setup("treemap"), "No picture is made here of a treemap"),
    ],
)
def test_what_cannot_be_drawn_is_said(rows: list[list[Any]], setup: Setup, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        plot_of(rows_of({"name": "string", "count": "number"}, rows), setup, "x")


SAVED: Final[list[tuple[Any, Any, Setup]]] = [
    (
        {"type": "cartesian", "config": {"layout": {"xField": "m", "yField": ["n"], "flipAxes": True}}},
        None,
        Setup("horizontal_bar", "m", ["n"]),
    ),
    (
        {
            "type": "cartesian",
            "config": {
                "layout": {"xField": "m", "yField": ["n"], "stack": True},
                "eChartsConfig": {"series": [{"type": "line", "areaStyle": {}}]},
            },
        },
        {"columns": ["s"]},
        Setup("area", "m", ["n"], "s", stacked=True),
    ),
    ({"type": "pie"}, None, Setup("donut")),
    ({"type": "pie", "config": {"groupFieldIds": ["s"], "isDonut": False}}, None, Setup("pie", "s")),
    ({"type": "big_number", "config": {"selectedField": "n"}}, None, Setup("big_number", y=["n"])),
]


@pytest.mark.parametrize(("config", "pivot", "setup"), SAVED)
def test_a_saved_drawing_is_read_as_lightdash_means_it(config: Any, pivot: Any, setup: Setup) -> None:
    assert Setup.of_chart(config, pivot) == setup


def test_of_a_kind_that_is_not_drawn_here_the_way_on_is_told() -> None:
    with pytest.raises(BadInput, match="Say chart_type to see it otherwise"):
        Setup.of_chart({"type": "table"}, None)
