"""Pictures of charts, drawn with matplotlib: it comes with `aboveboard[charts]`, and is imported when it draws."""

import io
import warnings
from collections.abc import Sequence
from datetime import datetime
from importlib import import_module
from math import isnan
from typing import Any, Final, Literal

from aboveboard.errors import Failure
from aboveboard.lightdash.tools.charts.plots import Plot, Series

Theme = Literal["light", "dark"]
Form = Literal["png", "svg"]
Figure = Any
Axes = Any
"""Both are matplotlib's: half of its types are not known, and a start must not import it."""

SIZE: Final = (8.0, 4.5)
DOTS: Final = 160
"""Per inch: 1280 x 720 in all."""
LONGEST_LABEL: Final = 26
MOST_LABELS: Final = 14
MOST_MARKS: Final = 24
"""Places up to which every value of a line is marked."""
COLOURS: Final[dict[Theme, tuple[str, ...]]] = {
    "light": (
        *("#2f6fdf", "#e0802b", "#2a9d6f", "#c8456b", "#7a5cc9"),
        *("#8a6d3b", "#1d9bb8", "#d2a106", "#5f7d1f", "#6b7280"),
    ),
    "dark": (
        *("#7aa9ff", "#f5a65b", "#5fd3a3", "#f07f9e", "#b59cf5"),
        *("#d1b27c", "#63d0e8", "#f0cf57", "#b3d465", "#b4bac5"),
    ),
}
INK: Final[dict[Theme, dict[str, str]]] = {
    "light": {"paper": "#ffffff", "ink": "#1f2430", "soft": "#667085", "line": "#e4e7ec"},
    "dark": {"paper": "#16181d", "ink": "#eceef2", "soft": "#a3abba", "line": "#2f343e"},
}
WIDE: Final = ("Noto Sans CJK JP", "Noto Sans CJK SC", "WenQuanYi Zen Hei", "Droid Sans Fallback", "Noto Sans Arabic")
"""Fonts for what the one that comes with matplotlib lacks, where they are installed."""


class NoPictures(Failure):
    """The library that draws is not installed."""

    advice = "Install it where this server runs: pip install 'aboveboard[charts]'."


def picture(plot: Plot, theme: Theme, form: Form) -> bytes:
    """Draw a plot."""
    try:
        library = import_module("matplotlib")
        figures = import_module("matplotlib.figure")
    except ImportError:
        raise NoPictures("This server cannot draw pictures.") from None
    drawn = io.BytesIO()
    with library.rc_context(_looks(theme)), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")  # a box is shown for it
        figure = figures.Figure(figsize=SIZE, dpi=DOTS, layout="constrained")
        figure.get_layout_engine().set(w_pad=0.12, h_pad=0.1)
        _draw(figure, plot, theme)
        about = {"Date": None} if form == "svg" else {}
        figure.savefig(drawn, format=form, metadata=about)
    return drawn.getvalue()


def _looks(theme: Theme) -> dict[str, Any]:
    known = {font.name for font in import_module("matplotlib.font_manager").fontManager.ttflist}
    ink = INK[theme]
    return {
        "font.family": ["DejaVu Sans", *(name for name in WIDE if name in known)],
        "font.size": 10,
        "figure.facecolor": ink["paper"],
        "axes.facecolor": ink["paper"],
        "savefig.facecolor": ink["paper"],
        "text.color": ink["ink"],
        "axes.labelcolor": ink["soft"],
        "axes.edgecolor": ink["line"],
        "xtick.color": ink["soft"],
        "ytick.color": ink["soft"],
        "grid.color": ink["line"],
        "axes.prop_cycle": import_module("matplotlib").cycler(color=COLOURS[theme]),
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.axisbelow": True,
        "text.parse_math": False,  # a dollar is a dollar
        "svg.fonttype": "none",
        "svg.hashsalt": "aboveboard",
    }


def _draw(figure: Figure, plot: Plot, theme: Theme) -> None:
    axes = figure.add_subplot()
    figure.suptitle(_short(plot.title, 70), x=0.012, ha="left", fontsize=14, fontweight="bold")
    if plot.kind == "big_number":
        _big_number(axes, plot, theme)
    elif plot.kind in ("pie", "donut"):
        _pie(axes, plot, theme)
    elif plot.kind == "funnel":
        _funnel(axes, plot, theme)
    else:
        _over_an_axis(axes, plot)
    if plot.notes:
        figure.supxlabel(" ".join(plot.notes), x=0.012, ha="left", fontsize=8, color=INK[theme]["soft"])


def _big_number(axes: Axes, plot: Plot, theme: Theme) -> None:
    axes.set_axis_off()
    value = plot.series[0].values[0]
    axes.text(
        0.5, 0.58, "none" if value is None else _number(value), ha="center", va="center", fontsize=54, fontweight="bold"
    )
    axes.text(0.5, 0.24, plot.series[0].name, ha="center", va="center", fontsize=14, color=INK[theme]["soft"])


def _pie(axes: Axes, plot: Plot, theme: Theme) -> None:
    values = [value or 0.0 for value in plot.series[0].values]
    total = sum(values) or 1.0
    edge = {"edgecolor": INK[theme]["paper"], "linewidth": 1.5}
    width = {"width": 0.42} if plot.kind == "donut" else {}
    slices, *_ = axes.pie(values, startangle=90, counterclock=False, wedgeprops={**edge, **width})
    names = [
        f"{name}  {_number(value)} ({value / total:.0%})"
        for name, value in zip(_labels([str(one) for one in plot.along]), values, strict=True)
    ]
    axes.figure.legend(slices, names, loc="outside right center", frameon=False)


def _funnel(axes: Axes, plot: Plot, theme: Theme) -> None:
    values = [value or 0.0 for value in plot.series[0].values]
    widest = max([abs(one) for one in values]) or 1.0
    places = range(len(values))
    axes.barh(places, values, left=[-one / 2 for one in values], height=0.82, color=COLOURS[theme][0])
    axes.set_yticks(places, _labels([str(name) for name in plot.along]))
    axes.invert_yaxis()
    axes.set_xticks([])
    axes.set_xlim(-widest * 0.75, widest * 0.75)
    for at, value in enumerate(values):
        share = f"  {value / values[0]:.0%}" if values[0] else ""
        axes.text(widest * 0.53, at, f"{_number(value)}{share}", va="center")
    for side in axes.spines.values():
        side.set_visible(False)


def _over_an_axis(axes: Axes, plot: Plot) -> None:
    if plot.kind in ("bar", "horizontal_bar"):
        _bars(axes, plot)
    else:
        _lines(axes, plot)
    across = axes.xaxis if plot.kind == "horizontal_bar" else axes.yaxis
    across.set_major_formatter(_tick)
    across.grid(visible=True)
    labels = (plot.y_label, plot.x_label) if plot.kind == "horizontal_bar" else (plot.x_label, plot.y_label)
    axes.set_xlabel(labels[0])
    axes.set_ylabel(labels[1])
    if len(plot.series) > 1:
        names = _labels([one.name for one in plot.series])
        axes.figure.legend(names, loc="outside right center", frameon=False, fontsize=9)


def _tick(value: float, _: int) -> str:
    return _number(value)


def _bars(axes: Axes, plot: Plot) -> None:
    names = _words(plot.along)
    lying = plot.kind == "horizontal_bar"
    wide = 0.82 if plot.stacked else 0.82 / len(plot.series)
    base = [0.0] * len(names)
    for number, one in enumerate(plot.series):
        values = [value or 0.0 for value in one.values]
        shift = 0.0 if plot.stacked else (number - (len(plot.series) - 1) / 2) * wide
        places = [at + shift for at in range(len(names))]
        if lying:
            axes.barh(places, values, height=wide, left=base if plot.stacked else None)
        else:
            axes.bar(places, values, width=wide, bottom=base if plot.stacked else None)
        base = [under + value for under, value in zip(base, values, strict=True)]
    shown = _spread(len(names), 2 * MOST_LABELS if lying else MOST_LABELS)
    labels = [names[at] for at in shown]
    if lying:
        axes.set_yticks(shown, labels, fontsize=8 if len(shown) > MOST_LABELS else 10)
        axes.invert_yaxis()
    else:
        crowded = sum(map(len, labels)) > 90
        axes.set_xticks(shown, labels, rotation=35 if crowded else 0, ha="right" if crowded else "center")


def _spread(count: int, most: int) -> list[int]:
    """Choose which of so many places get a label."""
    return list(range(0, count, max(1, -(-count // most))))


def _lines(axes: Axes, plot: Plot) -> None:
    dated = all(isinstance(one, datetime) for one in plot.along)
    measured = all(isinstance(one, int | float) for one in plot.along)
    places: Sequence[Any] = plot.along if dated or measured else range(len(plot.along))
    if measured:
        order = sorted(range(len(places)), key=lambda at: places[at])
        places = [places[at] for at in order]
        series = [Series(one.name, [one.values[at] for at in order]) for one in plot.series]
    else:
        series = plot.series
    if plot.kind == "area" and plot.stacked:
        axes.stackplot(places, [[value or 0.0 for value in one.values] for one in series], alpha=0.85)
    else:
        for one in series:
            _line(axes, plot.kind, places, [float("nan") if value is None else value for value in one.values])
    if dated:
        dates = import_module("matplotlib.dates")
        locator = dates.AutoDateLocator(maxticks=9)
        axes.xaxis.set_major_locator(locator)
        axes.xaxis.set_major_formatter(dates.ConciseDateFormatter(locator))
    elif not measured:
        names, shown = _words(plot.along), _spread(len(plot.along), MOST_LABELS)
        axes.set_xticks(shown, [names[at] for at in shown], rotation=35, ha="right")


def _line(axes: Axes, kind: str, places: Sequence[Any], values: Sequence[float]) -> None:
    if kind == "scatter":
        axes.scatter(places, values, s=26, alpha=0.75)
        return
    marked = None if len(places) <= MOST_MARKS else _alone(values)
    [line] = axes.plot(places, values, linewidth=2, marker="o", markersize=4, markevery=marked)
    if kind == "area":
        axes.fill_between(places, values, alpha=0.25, color=line.get_color())


def _alone(values: Sequence[float]) -> list[int]:
    """Return which values have no neighbour: without a mark there would be nothing to see of them."""
    there = [False, *(not isnan(value) for value in values), False]
    return [at for at in range(len(values)) if there[at + 1] and not there[at] and not there[at + 2]]


def _words(along: Sequence[Any]) -> list[str]:
    """Name what stands along the axis; dates as short as they can be."""
    if all(isinstance(one, datetime) for one in along):
        firsts = all(one.day == 1 and not one.hour for one in along)
        form = "%Y" if firsts and all(one.month == 1 for one in along) else "%b %Y" if firsts else "%Y-%m-%d"
        return [one.strftime(form) for one in along]
    return _labels(["(none)" if one is None else str(one) for one in along])


def _labels(names: Sequence[str]) -> list[str]:
    """Shorten what is too long at its end, or in its middle where the ends tell names apart."""
    short = [_short(name) for name in names]
    if len(set(short)) == len(set(names)):
        return short
    half = LONGEST_LABEL // 2
    return [name if len(name) <= LONGEST_LABEL else f"{name[: half - 1]}…{name[-half:]}" for name in names]


def _short(text: str, longest: int = LONGEST_LABEL) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def _number(value: float) -> str:
    for size, sign in ((1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return f"{value / size:.3g}{sign}" if abs(value) < 100 * size else f"{value / size:.0f}{sign}"
    return f"{value:.0f}" if float(value).is_integer() else f"{value:.3g}"
