"""The pages that people see: few words, no scripts, nothing from elsewhere; they work on a phone."""

import secrets
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import HTMLResponse, Response

from aboveboard.kit.mode import Mode

MODES: Final = {
    Mode.READ_ONLY: ("Only look", "It reads. Nothing is changed."),
    Mode.ADDITIVE: ("Look and add", "It also adds new things. Nothing that is there is changed or deleted."),
    Mode.FULL: ("Look, add, change and delete", "It may do everything that you may."),
}


class Pages:
    """What people see in a browser: forms, and words where something went wrong."""

    def __init__(self, title: str) -> None:
        self._title = title

    def show(
        self,
        name: str,
        *,
        status: int = 200,
        leads_to: str = "",
        refresh: str = "",
        **values: Any,
    ) -> Response:
        """Make a page; a form on it may lead to one other place beside ours."""
        nonce = secrets.token_urlsafe(16)
        text = _templates().get_template(f"{name}.html").render(service=self._title, nonce=nonce, **values)
        headers = {**_headers(nonce, leads_to), **({"Refresh": refresh} if refresh else {})}
        return HTMLResponse(text, status_code=status, headers=headers)

    def error(self, told: str, *, status: int = 400, reason: str = "") -> Response:
        """Make the page of a sign-in that cannot go on."""
        return self.show("error", status=status, told=told, reason=reason)


@cache
def _templates() -> Environment:
    """Return what all pages of this process are made from: a template is compiled once."""
    templates = Environment(
        loader=PackageLoader("aboveboard.kit.people", "assets"), autoescape=True, undefined=StrictUndefined
    )
    templates.filters["day"] = _day
    templates.globals.update({"MODES": MODES})  # pyright: ignore[reportArgumentType, reportCallIssue]
    return templates


def _headers(nonce: str, leads_to: str) -> Mapping[str, str]:
    policy = (
        "default-src 'none'",
        f"style-src 'nonce-{nonce}'",
        f"form-action 'self' {leads_to}".rstrip(),
        "frame-ancestors 'none'",
        "base-uri 'none'",
    )
    return {
        "Content-Security-Policy": "; ".join(policy),
        "Cache-Control": "no-store",
        # Not no-referrer: browsers would then send our own forms without their Origin, which is checked.
        "Referrer-Policy": "same-origin",
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Cross-Origin-Opener-Policy": "same-origin",
    }


def _day(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")
