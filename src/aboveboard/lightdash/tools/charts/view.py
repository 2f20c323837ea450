"""The interactive chart: the page that a client shows for a picture, and what that page is given to draw."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from aboveboard.kit.views import PAGE
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.tools.charts.charts import tools
from aboveboard.lightdash.tools.charts.picture import COLOURS, INK
from aboveboard.lightdash.tools.charts.plots import NOTHING, Plot

ADDRESS: Final = "ui://lightdash/chart.html"
FOLDER: Final = Path(__file__).parent / "page"
SCRIPTS: Final = ("host.js", "scales.js", "axes.js", "marks.js", "shapes.js", "page.js")


@tools.resource(ADDRESS, "Interactive Chart", mime_type=PAGE)
async def chart_view(lightdash: LightdashClient) -> str:
    """The page in which a client that supports MCP Apps shows what render_chart drew."""
    del lightdash
    return page()


def page() -> str:
    """Put the page together; it loads nothing from elsewhere."""
    script = "\n".join(_part(name) for name in SCRIPTS)
    return (
        _part("page.html").replace("/* style */", f"{_colours()}\n{_part('style.css')}").replace("/* code */", script)
    )


def for_page(plot: Plot, url: str | None) -> dict[str, Any]:
    """Return a plot as the page takes it; dates as ISO text."""
    scale, along = _scaled(plot.along)
    return {
        "kind": plot.kind,
        "title": plot.title,
        "scale": scale,
        "along": along,
        "series": [{"name": one.name, "values": list(one.values)} for one in plot.series],
        "x_label": plot.x_label,
        "y_label": plot.y_label,
        "stacked": plot.stacked,
        "notes": list(plot.notes),
        "url": url,
    }


def _scaled(along: Sequence[Any]) -> tuple[str, list[Any]]:
    if all(isinstance(one, datetime) for one in along):
        return "time", [one.isoformat() for one in along]
    if all(type(one) in (int, float) for one in along):
        return "number", list(along)
    return "words", [NOTHING if one is None or one == "" else str(one) for one in along]


def _colours() -> str:
    """Name the colours of the pictures, light and dark, as the style knows them."""
    named = {f"series-{at}": pair for at, pair in enumerate(zip(COLOURS["light"], COLOURS["dark"], strict=True))}
    named |= {name: (INK["light"][name], INK["dark"][name]) for name in INK["light"]}
    return ":root {" + " ".join(f"--{name}: light-dark({a}, {b});" for name, (a, b) in named.items()) + "}"


def _part(name: str) -> str:
    """Read a file of the page without what only its authors need."""
    lines = (line.strip() for line in (FOLDER / name).read_text(encoding="utf-8").splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))
