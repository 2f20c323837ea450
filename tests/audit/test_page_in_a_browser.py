"""The HTML report as a person sees it, in a real browser."""

from collections.abc import Callable, Generator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.audit.examples import clean_report, nasty_report, watched_report
from tests.browser import Watch, needs_chromium, started

from aboveboard.audit.evidence import HINTS, example
from aboveboard.audit.report import Format, Report, render
from aboveboard.audit.rule import Finding, Severity
from aboveboard.audit.verdict import Ruling, Verdict

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = needs_chromium

Open = Callable[..., "Page"]


@pytest.fixture(scope="module")
def browser() -> "Generator[Browser]":
    with started() as chromium:
        yield chromium


@pytest.fixture
def show(browser: "Browser", tmp_path: Path) -> Generator[Open]:
    """Open the report, and watch that it asks the network for nothing and makes no mistake."""
    watch = Watch()
    contexts: list[BrowserContext] = []

    def go(**options: Any) -> "Page":
        report = options.pop("report", None) or nasty_report()
        file = tmp_path / "report.html"
        file.write_text(render(report, Format.HTML), encoding="utf-8")
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        watch.over(page)
        page.goto(file.as_uri())
        return page

    yield go
    for context in contexts:
        context.close()
    watch.check()


def test_a_cell_shows_the_evidence_behind_it(show: Open) -> None:
    page = show()
    cell = page.locator("tr.tool[data-name=delete_note] td").first
    assert not cell.locator(".card").is_visible()
    cell.locator("summary").click()
    text = cell.locator(".card").inner_text()
    assert '"readOnlyHint": true' in text
    assert "ANN06" in text
    assert "Violated: it was seen to be false, by backend. DELETE /notes/1 removed notes/1" in text
    page.keyboard.press("Escape")
    assert not cell.locator(".card").is_visible()


def test_the_filters_leave_what_was_asked_for(show: Open) -> None:
    page = show()
    everything = page.locator(".server > .findings > .finding").count()
    page.locator(".toggle.info").click()
    page.locator(".toggle.warning").click()
    shown = page.locator(".server > .findings > .finding:visible")
    assert 0 < shown.count() < everything
    assert set(shown.evaluate_all("all => all.map(one => one.dataset.severity)")) == {"error"}
    page.locator(".toggle.info").click()
    page.locator(".toggle.warning").click()
    page.locator("select[name=tool]").select_option("delete_note")
    assert page.locator("tr.tool:visible").count() == 1
    page.locator("select[name=tool]").select_option("")
    page.locator("input[type=search]").fill("nothing has this text")
    assert page.locator("tr.tool:visible").count() == 0
    assert page.locator("output").inner_text() == f"0 of {everything} findings, 0 of 5 tools"


def test_the_colours_follow_the_system_and_then_the_reader(show: Open) -> None:
    def background(page: "Page") -> str:
        return page.evaluate("getComputedStyle(document.body).backgroundColor")

    light, dark = show(color_scheme="light"), show(color_scheme="dark")
    bright, night = background(light), background(dark)
    assert bright != night
    light.locator(".theme").click()
    dark.locator(".theme").click()
    assert (background(light), background(dark)) == (night, bright)


def test_it_is_readable_on_a_phone(show: Open) -> None:
    page = show(viewport={"width": 360, "height": 740}, is_mobile=True, has_touch=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    cell = page.locator("tr.tool[data-name=delete_note] td").first
    assert "Read-only" in cell.inner_text()
    cell.locator("summary").tap()
    box = cell.locator(".card").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 360


def test_it_reads_without_javascript(show: Open) -> None:
    page = show(java_script_enabled=False)
    assert not page.locator(".filters").is_visible()
    assert not page.locator(".theme").is_visible()
    finding = page.locator(".server > .findings > .finding").first
    finding.locator("summary").click()
    assert "What to do" in finding.inner_text()
    cell = page.locator("tr.tool[data-name=get_note] td").first
    cell.locator("summary").click()
    assert cell.locator(".card").is_visible()


def test_a_clean_server_is_told_so_and_no_more_than_was_seen(show: Open) -> None:
    page = show(report=clean_report())
    assert page.locator("h1").inner_text() == "So far, so good."
    assert page.locator(".nothing").inner_text() == "Nothing found."
    warning = Finding(rule="SIZ02", severity=Severity.WARNING, message="130 tools", server="notes")
    page = show(report=replace(clean_report(), findings=[warning]))
    assert page.locator("h1").inner_text() == "Something to mend."


def test_what_was_watched_is_told_with_all_that_stands_behind_it(show: Open) -> None:
    page = show(report=watched_report())
    assert page.locator("h1").inner_text() == "Not all above board."
    counts = page.locator(".rulings li").all_inner_texts()
    assert [" ".join(one.split()) for one in counts] == [
        "4 holds",
        "2 violated",
        "1 not observed",
        "0 untried",
        "1 unverifiable",
    ]
    how = page.locator(".how").inner_text()
    assert "6 walks in 1.2 s, 0.200 s each. Moved by itself, and left out: clock notes/*/age." in how
    assert "the reset was never put to the test" in how
    cell = page.locator("tr.tool[data-name=get_note] td").last
    cell.locator("summary").click()
    text = cell.locator(".card").inner_text()
    assert "Not observed: it was not seen to be false, by backend. 3 trials (GET /notes/{id})" in text
    assert "Why it could not be seen The mail goes out later." in text
    assert "Called with id: #0b1c with tags: id: #0b1c, tags: true" in text
    signs = page.locator("tr.tool[data-name=delete_note] .pill.seen")
    assert [one[0] for one in signs.all_inner_texts()] == ["✗", "✗", "✓", "?"]
    colours = signs.evaluate_all("all => all.map(one => getComputedStyle(one).color)")
    assert len(set(colours)) == 3, "violated, holds and unverifiable look different"


def _many() -> Report:
    """A hundred and eighty tools, all but one of which hold."""
    base = watched_report()
    tools = [*base.servers[0].tools, *(example(f"list_things_of_kind_{number}") for number in range(178))]
    verdicts = [
        Verdict(tool=tool.name, hint=hint, declared=tool.declared(hint), verdict=Ruling.HOLDS, server="notes")
        for tool in tools[2:]
        for hint in HINTS
    ]
    return replace(base, servers=[replace(base.servers[0], tools=tools)], verdicts=[*base.verdicts, *verdicts])


def test_of_many_tools_those_with_nothing_to_settle_are_folded_until_they_are_asked_for(show: Open) -> None:
    page = show(report=_many(), viewport={"width": 390, "height": 800}, is_mobile=True, has_touch=True)
    assert page.locator("tr.tool:visible").count() == 1
    assert "179 tools without anything to settle" in page.locator("details.quiet > summary").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.evaluate("document.documentElement.scrollHeight") < 3 * 800
    sums = [" ".join(one.split()) for one in page.locator("details.quiet .sum").all_inner_texts()]
    assert sums == ["Read-only ✓ 179", "Destructive ✓ 179", "Idempotent ✓ 179", "Open world ✓ 178 · 1"]
    matrix = page.locator(".matrix").first.bounding_box()
    assert matrix is not None
    assert matrix["y"] < 800, "the matrix begins on the first screen"
    page.locator("details.quiet > summary").tap()
    assert page.evaluate("document.documentElement.scrollHeight") < 180 * 130
    page.locator("details.quiet > summary").tap()
    page.locator("input[type=search]").fill("kind_17")
    assert page.locator("tr.tool:visible").count() == 9
    page.locator("input[type=search]").fill("")
    assert page.locator("tr.tool:visible").count() == 1


def test_the_matrix_comes_first_and_names_the_call_that_broke_a_hint(show: Open) -> None:
    page = show()
    matrix, findings = (
        page.locator(".matrix").first.bounding_box(),
        page.locator(".server > .findings").first.bounding_box(),
    )
    assert matrix is not None
    assert findings is not None
    assert matrix["y"] < findings["y"]
    base = watched_report()
    called = ["first: id: 1", "second: id: 2"]
    broken = [
        replace(one, cause="PUT /notes/{id} overwrote notes/2, in case 'second'", arguments=called)
        if one.verdict is Ruling.VIOLATED
        else one
        for one in base.verdicts
    ]
    page = show(report=replace(base, verdicts=broken))
    cell = page.locator("tr.tool[data-name=delete_note] td").first
    cell.locator("summary").click()
    assert "The call that did it second: id: 2" in cell.locator(".card").inner_text()
    assert "id: 1" not in cell.locator(".card").inner_text()
