"""Charts and dashboards as code: the whole of each as one document, found by its slug."""

from collections.abc import Sequence
from typing import Any, Final, Literal

from pydantic import Field

from aboveboard.http import Nature
from aboveboard.http.session import Query
from aboveboard.lightdash.client.api import Api, Model

Kind = Literal["charts", "dashboards"]

AT_A_TIME: Final = 50
"""Slugs to ask for at once: Lightdash gives out no more than a hundred documents."""


class Documents(Model):
    """A stretch of a project's documents, and which slugs were asked for in vain."""

    documents: list[dict[str, Any]]
    missing_ids: list[str]
    total: int


class Upserted(Model):
    """What writing a document did."""

    slug: str
    action: str
    kept_version: str | None = None
    url: str


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

    async def list_from(self, kind: Kind, project: str | None, *, offset: int, limit: int) -> Documents:
        """List documents from an offset on; Lightdash gives out fewer at a time than may be wanted."""
        found = await self._list(kind, project, {"offset": offset or None})
        documents = found.documents
        while len(documents) < limit and offset + len(documents) < found.total:
            more = await self._list(kind, project, {"offset": offset + len(documents)})
            if not more.documents:
                break  # somebody deletes what is being listed
            documents = [*documents, *more.documents]
        return found.model_copy(update={"documents": documents[:limit]})

    async def list_some(self, kind: Kind, project: str | None, slugs: Sequence[str]) -> Documents:
        """List the documents with these slugs, so few at a time that each comes at once.

        With an offset, Lightdash would call those missing that come before it.
        """
        documents: list[dict[str, Any]] = []
        missing: list[str] = []
        for start in range(0, len(slugs), AT_A_TIME):
            some = await self._list(kind, project, {"ids": slugs[start : start + AT_A_TIME]})
            documents += some.documents
            missing += some.missing_ids
        return Documents(documents=documents, missing_ids=missing, total=len(documents))

    async def _list(self, kind: Kind, project: str | None, query: Query) -> Documents:
        template, into = _ALL[kind]
        return await self._api.get(self._api.at(template, project), into, query)

    async def write(self, kind: Kind, project: str | None, slug: str, document: dict[str, Any]) -> str:
        """Write a document and return what that did; a space that is not there is not made on the quiet."""
        template, into = _ONE[kind]
        at = self._api.at(template, project, slug=slug)
        changes = (
            await self._api.post(at, into, {**document, "skipSpaceCreate": True}, nature=Nature.REPLACES)
        ).changes
        return changes[0].action if changes else "no changes"
