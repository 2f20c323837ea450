"""How the tools are called, by their plan: in the main project, or in the preview project with what stands there."""

from collections.abc import Mapping
from typing import Any, Final

from tests.lightdash import places
from tests.lightdash.sessions import Session
from tests.plans import arrange, case_of, good_cases, made_up, values_of

VALUES: Final = values_of("lightdash", "http://lightdash")
"""What the plan's names stand for where the service is scripted or a sandbox of the test's own."""
PREVIEW: Final[Mapping[str, Any]] = {
    "project": places.PREVIEW,
    "sales": places.PREVIEW_SPACE,
    "chart": places.PREVIEW_CHART,
    "other_chart": places.OTHER_PREVIEW_CHART,
    "dashboard": places.PREVIEW_DASHBOARD,
    "plain_dashboard": places.PREVIEW_DASHBOARD,
}
"""The plan's names, for the other project."""
NOTHING: Final[str] = VALUES["nothing"]
VERA: Final[str] = VALUES["vera"]
INVITED: Final[str] = VALUES["invited"]
STRANGER: Final[str] = VALUES["stranger"]
EVERYBODY: Final[str] = VALUES["everybody"]
FIRST: Final = {case.tool: case for case in reversed(good_cases("lightdash"))}
"""The first case of each tool that succeeds."""


async def arranged(session: Session, tool: str, name: str | None = None) -> dict[str, Any]:
    """Do what a case of a tool wants to be done before it, and return its arguments."""
    return await arrange(session, case_of("lightdash", tool, name), VALUES)


def made_up_call(tool: str, values: Mapping[str, Any] = VALUES) -> dict[str, Any]:
    """Return arguments for a tool where nothing can be arranged."""
    return made_up(FIRST[tool], values)
