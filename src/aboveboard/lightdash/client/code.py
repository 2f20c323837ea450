"""Charts and dashboards as code: the whole of each as one document, found by its slug."""

from typing import Any, Literal

from pydantic import Field

from aboveboard.lightdash.client.api import Api, Model

Kind = Literal["charts", "dashboards"]


class Documents(Model):
    """A stretch of a project's documents, and which slugs were asked for in vain."""

    documents: list[dict[str, Any]]
    missing_ids: list[str]
    total: int


class Upserted(Model):
    """What writing a document did."""

    slug: str
    action: str


class _Charts(Documents):
    documents: list[dict[str, Any]] = Field(alias="charts")


class _Dashboards(Documents):
    documents: list[dict[str, Any]] = Field(alias="dashboards")


class _Change(Model):
    action: str


class _Changes(Model):
    changes: list[_Change]


class _ChartChanges(_Changes):
    changes: list[_Change] = Field(alias="charts")


class _DashboardChanges(_Changes):
    changes: list[_Change] = Field(alias="dashboards")


_ALL: dict[Kind, tuple[str, type[Documents]]] = {
    "charts": ("/api/v1/projects/{project:uuid}/code/charts", _Charts),
    "dashboards": ("/api/v1/projects/{project:uuid}/code/dashboards", _Dashboards),
}
_ONE: dict[Kind, tuple[str, type[_Changes]]] = {
    "charts": ("/api/v1/projects/{project:uuid}/code/charts/{slug}", _ChartChanges),
    "dashboards": ("/api/v1/projects/{project:uuid}/code/dashboards/{slug}", _DashboardChanges),
}


class Code:
    """The documents of one instance's projects."""

    def __init__(self, api: Api) -> None:
        self._api = api

    async def list(self, kind: Kind, project: str | None, *, slugs: list[str], offset: int) -> Documents:
        template, into = _ALL[kind]
        return await self._api.get(
            self._api.at(template, project), into, {"ids": slugs or None, "offset": offset or None}
        )

    async def write(self, kind: Kind, project: str | None, slug: str, document: dict[str, Any]) -> str:
        """Write a document and return what that did; a space that is not there is not made on the quiet."""
        template, into = _ONE[kind]
        at = self._api.at(template, project, slug=slug)
        changes = (await self._api.post(at, into, {**document, "skipSpaceCreate": True}, replaces=True)).changes
        return changes[0].action if changes else "no changes"
