"""The interactive chart as a person sees it: a real browser, a small host, and what real calls answered."""

from collections.abc import Callable, Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import anyio
import pytest
from tests.browser import Watch, needs_chromium, started
from tests.lightdash.analyst import analyst

from aboveboard.kit.views import DRAWN
from aboveboard.lightdash.sandbox import Sandbox
from aboveboard.lightdash.server import SERVICE
from aboveboard.lightdash.tools.charts.plots import DRAWABLE
from aboveboard.lightdash.tools.charts.view import ADDRESS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, FrameLocator, Page

pytestmark = needs_chromium

HOST: Final = Path(__file__).parent / "chart_host.html"
EVIL: Final = "<img src=x onerror=alert(1)>"
BY_MONTH: Final = {
    "explore": "orders",
    "dimensions": ["orders_order_date_month", "orders_status"],
    "metrics": ["orders_order_count"],
}
STRANGE: Final = f"select '{EVIL}' as name, 3 as n union all select 'a long name that goes on and on and on', 4.5"
Answers = dict[str, dict[str, Any]]


async def _answers() -> tuple[str, Answers]:
    """Read the page, and draw what the tests look at."""
    sandbox = Sandbox(enterprise=True)
    async with analyst(sandbox, shows_views=True) as session:

        async def drawn(**arguments: Any) -> dict[str, Any]:
            result = await session.call("render_chart", **arguments)
            assert not result.is_error, result.content
            return result.model_dump(mode="json", by_alias=True, exclude_none=True)

        months = (await session.ask("run_metric_query", **BY_MONTH))["query_uuid"]
        strange = (await session.ask("run_sql", sql=STRANGE))["query_uuid"]
        whole = await drawn(query_uuid=strange, chart_type="bar", title=EVIL)
        kinds = {kind: {**whole, "_meta": {DRAWN: {**whole["_meta"][DRAWN], "kind": kind}}} for kind in DRAWABLE}
        grouped = {"query_uuid": months, "group_by": "orders_status"}
        made = {
            "months": await drawn(**grouped, chart_type="line", title="Orders by month"),
            "piled": await drawn(**grouped, chart_type="bar", stacked=True),
            "failed": (await session.call("render_chart")).model_dump(mode="json", by_alias=True),
        }
        [page] = (await session.client.read_resource(ADDRESS)).contents
    sandbox.close()
    return getattr(page, "text", ""), kinds | made


@pytest.fixture(scope="module")
def answers() -> tuple[str, Answers]:
    return anyio.run(_answers)


@pytest.fixture(scope="module")
def browser(answers: object) -> "Generator[Browser]":
    """Start the browser, after the calls: both want the thread for themselves."""
    with started() as chromium:
        yield chromium


class View:
    """The page within its host."""

    def __init__(self, page: "Page") -> None:
        self.page = page
        self.frame: FrameLocator = page.frame_locator("iframe")

    def tell(self, method: str, **params: Any) -> None:
        self.page.evaluate("([method, params]) => tell(method, params)", [f"ui/notifications/{method}", params])

    def heard(self, method: str) -> list[dict[str, Any]]:
        return self.page.evaluate("method => heard.filter((one) => one.method === method)", method)

    def awaited(self, method: str) -> list[dict[str, Any]]:
        """Return what the host hears, which is a moment after the click that made the page say it."""
        self.page.wait_for_function("method => heard.some((one) => one.method === method)", arg=method)
        return self.heard(method)

    def count(self, selector: str) -> int:
        return self.frame.locator(selector).count()

    def text(self, selector: str) -> str:
        return " ".join(self.frame.locator(selector).inner_text().split())

    def background(self) -> str:
        return self.frame.locator("body").evaluate("body => getComputedStyle(body).backgroundColor")

    def told(self, selector: str) -> str:
        """Point at something, and read what is told of it."""
        self.frame.locator(selector).first.hover()
        self.frame.locator(".tip").wait_for()
        return self.text(".tip")

    def show(self, result: dict[str, Any], **arguments: Any) -> None:
        self.tell("tool-input", arguments=arguments)
        self.tell("tool-result", **result)


Open = Callable[..., View]


@pytest.fixture
def opened(browser: "Browser", answers: tuple[str, Answers]) -> Generator[Open]:
    """Open the page in a host, and watch that it asks the network for nothing and makes no mistake."""
    watch = Watch()
    contexts: list[BrowserContext] = []

    def go(width: int = 720, *, can: dict[str, Any] | None = None, **context: Any) -> View:
        contexts.append(browser.new_context(viewport={"width": width, "height": 600}, has_touch=width < 400))
        page = contexts[-1].new_page()
        watch.over(page)
        page.goto(HOST.as_uri())
        told = {"theme": "light", "locale": "en-GB", **context}
        page.evaluate("([html, context, can]) => open(html, context, can)", [answers[0], told, can or {}])
        return View(page)

    yield go
    for context in contexts:
        context.close()
    watch.check()


def test_it_greets_the_host_and_says_how_large_it_is(opened: Open, answers: tuple[str, Answers]) -> None:
    view = opened()
    [hello] = view.heard("ui/initialize")
    assert hello["params"]["protocolVersion"] == "2026-01-26"
    assert hello["params"]["appCapabilities"]["availableDisplayModes"] == ["inline", "fullscreen"]
    assert view.text(".said") == "Drawing…"
    view.show(answers[1]["bar"])
    view.frame.locator("svg").wait_for()
    view.page.wait_for_function("heard.some((one) => one.method?.endsWith('size-changed') && one.params.height > 300)")
    view.page.evaluate("send({ id: 'x', method: 'ui/resource-teardown', params: {} })")
    view.page.wait_for_function("heard.some((one) => one.id === 'x' && one.result)")


def test_lines_over_dates_tell_their_values_and_the_legend_hides_them(
    opened: Open, answers: tuple[str, Answers]
) -> None:
    drawn = answers[1]["months"]["_meta"][DRAWN]
    view = opened()
    view.show(answers[1]["months"])
    view.frame.locator("svg").wait_for()
    assert drawn["scale"] == "time"
    assert view.count(".legend button") == len(drawn["series"]) > 2
    lines = view.count(".line")
    assert lines >= len(drawn["series"])
    told = view.told("svg")
    assert all(one["name"] in told for one in drawn["series"])
    month = next(at for at, one in enumerate(drawn["along"]) if _month(one) in told)
    assert all(f"{one['values'][month]:.0f}" in told for one in drawn["series"] if one["values"][month] is not None)

    first = view.frame.locator(".legend button").first
    first.click()
    assert first.get_attribute("aria-pressed") == "false"
    assert view.count(".line") < lines
    assert drawn["series"][0]["name"] not in view.told("svg")
    first.click()
    assert view.count(".line") == lines


def _month(iso: str) -> str:
    """Write a month as British readers do."""
    names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sept", "Oct", "Nov", "Dec"]
    return f"{names[int(iso[5:7]) - 1]} {iso[:4]}"


BOXES: Final = "all => all.map((bar) => ['x', 'y', 'height'].map((name) => Number(bar.getAttribute(name))))"


def test_bars_on_one_another_are_as_high_as_their_sum_and_tell_it(opened: Open, answers: tuple[str, Answers]) -> None:
    drawn = answers[1]["piled"]["_meta"][DRAWN]
    view = opened()
    view.show(answers[1]["piled"])
    view.frame.locator("svg").wait_for()
    assert view.count(".bar") == sum(value is not None for one in drawn["series"] for value in one["values"])
    columns: dict[float, list[tuple[float, float]]] = {}
    for x, y, height in view.frame.locator(".bar").evaluate_all(BOXES):
        columns.setdefault(x, []).append((y, y + height))
    totals = [sum(one["values"][row] or 0 for one in drawn["series"]) for row in range(len(drawn["along"]))]
    for parts in columns.values():
        assert [top for top, _ in parts[:-1]] == pytest.approx([bottom for _, bottom in parts[1:]]), "each on the last"
    heights = [parts[0][1] - parts[-1][0] for parts in columns.values()]
    assert heights == pytest.approx([total * heights[0] / totals[0] for total in totals])

    view.frame.locator("svg").focus()
    view.page.keyboard.press("ArrowRight")
    assert view.text(".tip").endswith(f"Total {totals[0]:.0f}")
    view.page.keyboard.press("Escape")
    assert not view.frame.locator(".tip").is_visible()


def test_the_table_has_every_value_and_is_sorted_on_demand(opened: Open, answers: tuple[str, Answers]) -> None:
    drawn = answers[1]["months"]["_meta"][DRAWN]
    view = opened()
    view.show(answers[1]["months"])
    view.frame.get_by_role("button", name="Table").click()
    assert not view.frame.locator("svg").is_visible()
    assert view.count("tbody tr") == len(drawn["along"])
    view.frame.locator("th button").nth(1).click()
    column = [one or 0 for one in drawn["series"][0]["values"]]
    cells = view.frame.locator("tbody td:nth-child(2)").all_inner_texts()
    assert cells[0] == f"{max(column):.0f}"
    view.frame.get_by_role("button", name="Chart").click()
    assert view.frame.locator("svg").is_visible()


def test_the_colours_follow_the_host(opened: Open, answers: tuple[str, Answers]) -> None:
    view = opened(theme="dark")
    view.show(answers[1]["bar"])
    view.frame.locator("svg").wait_for()
    dark, bar = view.background(), "bar => getComputedStyle(bar).fill"
    colour = view.frame.locator(".bar").first.evaluate(bar)
    view.tell("host-context-changed", theme="light")
    view.frame.locator("[data-theme=light] .bar").first.wait_for()
    assert view.background() != dark
    assert view.frame.locator(".bar").first.evaluate(bar) != colour
    view.tell("host-context-changed", styles={"variables": {"--color-background-primary": "rgb(1, 2, 3)"}})
    view.frame.locator("html[style*='rgb(1, 2, 3)']").wait_for()
    assert view.background() == "rgb(1, 2, 3)"


def test_names_from_the_data_are_only_ever_text(opened: Open, answers: tuple[str, Answers]) -> None:
    view = opened()
    for kind in DRAWABLE:
        view.show(answers[1][kind])
        view.frame.locator(f"svg[data-kind={kind}]").wait_for()
        assert view.text("h1") == EVIL, kind
        view.frame.locator("svg").hover()
        view.frame.get_by_role("button", name="Table").click()
        assert EVIL in view.text(".rows"), kind
        view.frame.get_by_role("button", name="Chart").click()
        assert view.count("main img:not(.picture), header img, .legend img") == 0, kind
    view.show(answers[1]["pie"])
    view.frame.locator("svg[data-kind=pie]").wait_for()
    assert EVIL in view.told(".slice")


def test_every_kind_fits_a_phone(opened: Open, answers: tuple[str, Answers], tmp_path: Path) -> None:
    view = opened(360)
    for kind in (*DRAWABLE, "months", "piled"):
        result = answers[1][kind]
        view.show(result)
        view.frame.locator(f"svg[data-kind={result['_meta'][DRAWN]['kind']}]").wait_for()
        wide = view.frame.locator("html").evaluate("html => html.scrollWidth")
        assert wide <= 360, kind
        view.page.screenshot(path=tmp_path / f"{kind}.png")
    view.frame.locator("svg").tap()
    box = view.frame.locator(".tip").bounding_box()
    assert box is not None, "what a finger pointed at is told"
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 360


def test_where_the_host_keeps_the_data_the_picture_is_shown_and_the_call_made_again(
    opened: Open, answers: tuple[str, Answers]
) -> None:
    whole = answers[1]["bar"]
    bare = {"content": whole["content"]}
    view = opened()
    view.show(bare)
    view.frame.locator("img.picture").wait_for()
    assert view.frame.locator("img.picture").evaluate("image => image.decode().then(() => image.naturalWidth)") == 1280
    assert view.count("svg") == 0
    assert view.heard("tools/call") == []

    name = f"{SERVICE.prefix}render_chart"
    view = opened(can={"serverTools": {}}, toolInfo={"tool": {"name": name, "inputSchema": {"type": "object"}}})
    view.page.evaluate("whole => { answers['tools/call'] = whole; }", whole)
    view.show(bare, chart="x", theme="dark")
    view.frame.locator("svg .bar").first.wait_for()
    assert not view.frame.locator("img.picture").is_visible()
    assert [one["params"] for one in view.heard("tools/call")] == [
        {"name": name, "arguments": {"chart": "x", "theme": "dark"}}
    ]


def test_what_went_wrong_is_said(opened: Open, answers: tuple[str, Answers]) -> None:
    view = opened()
    view.show(answers[1]["failed"])
    view.frame.get_by_text("Give a chart or a query_uuid, one of the two.").wait_for()
    view = opened()
    view.tell("tool-cancelled", reason="the person stopped it")
    view.frame.get_by_text("Not drawn: the person stopped it").wait_for()


def test_the_way_to_lightdash_and_the_full_screen_go_through_the_host(
    opened: Open, answers: tuple[str, Answers]
) -> None:
    view = opened(can={"openLinks": {}}, availableDisplayModes=["inline", "fullscreen"])
    view.page.evaluate("answers['ui/request-display-mode'] = { mode: 'fullscreen' }")
    view.show(answers[1]["months"])
    view.frame.locator("svg").wait_for()
    view.frame.get_by_role("button", name="Full screen").click()
    assert [one["params"] for one in view.awaited("ui/request-display-mode")] == [{"mode": "fullscreen"}]
    view.frame.get_by_role("button", name="Open in Lightdash").click()
    [asked] = view.awaited("ui/open-link")
    assert asked["params"] == {"url": answers[1]["months"]["_meta"][DRAWN]["url"]}
