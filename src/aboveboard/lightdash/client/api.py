"""Lightdash's dialect: the envelope around every answer, its errors, its pages, and the fence around projects."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Generic, TypeVar, cast

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError
from pydantic.alias_generators import to_camel

from aboveboard.errors import ApiError, Refused
from aboveboard.http import Answer, Nature, Path, Session
from aboveboard.http.session import Query

T = TypeVar("T")


class Model(BaseModel):
    """What Lightdash calls `projectUuid` is `project_uuid` here, in arguments and results alike."""

    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=True, frozen=True)


class Page(Model, Generic[T]):
    """One page of a list, how many there are in all, and the next page, if there is one."""

    items: list[T]
    total: int
    next_page: int | None = None


class Named(Model):
    """A thing that is only mentioned."""

    uuid: str
    name: str


class _Pagination(Model):
    page: int
    total_page_count: int
    total_results: int


class _Paged(Model, Generic[T]):
    data: list[T]
    pagination: _Pagination


class Api:
    """Sends requests to one instance and unwraps what it answers.

    Where only some projects are allowed, every request must show that it stays among them: by the project in
    its path or query, by the project of what comes back (`project_of`), or by being about no project (`org_wide`).
    """

    def __init__(self, session: Session, allowed_projects: frozenset[str]) -> None:
        self._session = session
        self._allowed = allowed_projects

    async def get(
        self,
        at: Path,
        into: type[T],
        query: Query | None = None,
        *,
        project_of: Callable[[T], str] | None = None,
        org_wide: bool = False,
    ) -> T:
        self._fence(at, query, shown=org_wide or project_of is not None)
        found = self._unwrapped(await self._session.request("GET", at, query=query), into)
        if project_of is not None:
            self.check_project(project_of(found))
        return found

    async def get_page(self, at: Path, of: type[T], query: Query, *, org_wide: bool = False) -> Page[T]:
        """Get one page of a list that Lightdash itself pages."""
        paged = await self.get(at, _Paged[of], query, org_wide=org_wide)
        last = paged.pagination.total_page_count
        page = paged.pagination.page
        return Page[of](
            items=paged.data, total=paged.pagination.total_results, next_page=page + 1 if page < last else None
        )

    async def post(self, at: Path, into: type[T], body: object, *, reads: bool = False) -> T:
        """Post; a POST that only reads says so here, which is what the guard trusts."""
        self._fence(at)
        nature = Nature.READS if reads else None
        return self._unwrapped(await self._session.request("POST", at, json=body, nature=nature), into)

    async def patch(self, at: Path, into: type[T], body: object) -> T:
        self._fence(at)
        return self._unwrapped(await self._session.request("PATCH", at, json=body), into)

    async def delete(self, at: Path) -> None:
        self._fence(at)
        self._results(await self._session.request("DELETE", at))

    def allows(self, project: str) -> bool:
        """Tell whether tools may touch a project."""
        return not self._allowed or project.lower() in self._allowed

    def check_project(self, project: str) -> None:
        """Refuse a project that tools may not touch."""
        if not self.allows(project):
            raise Refused(
                f"The project {project} is not among those this server may touch (LIGHTDASH_ALLOWED_PROJECTS).",
                next_step="list_projects shows those it may.",
            )

    def _fence(self, at: Path, query: Query | None = None, *, shown: bool = False) -> None:
        named = [at.parts["project"]] if "project" in at.parts else []
        if query and isinstance(listed := query.get("projectUuids"), str):
            named.append(listed)
        for project in named:
            self.check_project(project)
        if self._allowed and not named and not shown:
            raise AssertionError(f"{at.template} does not show which project it touches")

    def _unwrapped(self, answer: Answer, into: type[T]) -> T:
        results = self._results(answer)
        try:
            return _adapter(into).validate_python(results)
        except ValidationError as error:
            where = ".".join(str(part) for part in error.errors(include_input=False)[0]["loc"]) or "its results"
            raise ApiError(
                f"Lightdash answered in a form this client does not know (at {where}).",
                status=answer.status,
                next_step="Its version may be too old or too new for this server.",
            ) from None

    def _results(self, answer: Answer) -> object:
        if answer.status >= 400:
            raise self._session.error(answer, _message(answer))
        if answer.status == 204:
            return None
        body = answer.json()
        if not isinstance(body, dict) or "status" not in body:
            raise ApiError("Lightdash answered with JSON that is not its own.", status=answer.status)
        return cast("dict[str, Any]", body).get("results")


def sliced(items: list[T], of: type[T], *, limit: int, page: int) -> Page[T]:
    """Page a list that Lightdash gives out whole."""
    start = (page - 1) * limit
    rest = len(items) > start + limit
    return Page[of](items=items[start : start + limit], total=len(items), next_page=page + 1 if rest else None)


def _message(answer: Answer) -> str:
    """Return what Lightdash says went wrong; a 401 for a wrong scheme is plain text, and a proxy's error is a page."""
    try:
        error = cast("dict[str, Any]", answer.json())["error"]
        return error if isinstance(error, str) else str(error["message"])
    except (ApiError, KeyError, TypeError):
        return ""


@lru_cache(maxsize=256)
def _adapter(into: Any) -> TypeAdapter[Any]:
    return TypeAdapter(into)
