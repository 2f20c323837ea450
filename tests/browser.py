"""A real browser for tests: where it is, how it is started, and a watch over what its pages do."""

import shutil
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Dialog, Page

PROGRAMS: Final = ("chromium-headless-shell", "chromium")
"""The first that is there: without the parts that draw windows a browser takes half the time."""
CHROMIUM: Final = next(filter(None, map(shutil.which, PROGRAMS)), None)
ARGUMENTS: Final = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]

needs_chromium: Final = pytest.mark.skipif(
    CHROMIUM is None, reason="no Chromium (apt-get install chromium-headless-shell)"
)


@contextmanager
def started() -> "Generator[Browser]":
    """Start the browser; no event loop may run in this thread meanwhile."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


class Watch:
    """Notes what pages ask the network for, and every mistake they make: errors, complaints, dialogs."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.wrong: list[str] = []

    def over(self, page: "Page") -> None:
        """Keep watch over a page."""
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("dialog", self._dialog)
        page.on("console", self._console)

    def check(self) -> None:
        """Say that nothing came from elsewhere and nothing went wrong."""
        assert self.wrong == []
        assert {url.split(":")[0] for url in self.asked} <= {"file", "data", "about"}

    def _dialog(self, dialog: "Dialog") -> None:
        self.wrong.append(dialog.message)
        dialog.dismiss()

    def _console(self, message: "ConsoleMessage") -> None:
        if message.type == "error":
            self.wrong.append(message.text)
