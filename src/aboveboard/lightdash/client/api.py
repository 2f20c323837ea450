"""Lightdash's dialect: the envelope around every answer, its errors, its pages, and the fence around projects."""

from collections.abc import Callable, Sequence
from copy import copy
from functools import lru_cache
from typing import Any, Generic, TypeVar, cast
from urllib.parse import quote

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError
from pydantic.alias_generators import to_camel

from aboveboard.errors import ApiError, BadInput, NotFound, Refused
from aboveboard.http import Nature, Path, Response, Session, path
from aboveboard.http.path import is_uuid
from aboveboard.http.session import Query
from aboveboard.lightdash.client.complaints import flatten_message
from aboveboard.lightdash.client.project_choice import ProjectChoice

T = TypeVar("T")
_AGE = "Its version may be too old or too new for this server."
_GOOD = frozenset({200, 201})


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


class Pagination(Model):
    """Where in a list a page stands, as Lightdash says it."""

    page: int
    total_page_count: int
    total_results: int


class Paged(Model, Generic[T]):
    """One page as Lightdash gives it out."""

    data: list[T]
    pagination: Pagination


class Api:
    """Sends requests to one instance and unwraps what it answers.

    Where only some projects are allowed, every request must show that it stays among them: by the project in
    its path or query, by the project of what comes back (`project_of`) or of what was looked at before (`within`), or
    by being about no project (`org_wide`). What changes the organisation reaches every project, so it is refused then.
    """

    def __init__(
        self,
        session: Session,
        allowed_projects: frozenset[str] = frozenset(),
        default_project: str | None = None,
    ) -> None:
        self._session = session
        self._allowed = allowed_projects
        self._default = default_project
        self._choice = ProjectChoice()
        self._feature = "such feature"

    def about(self, feature: str) -> "Api":
        """Return the same for requests about a feature that some editions lack, to be named where this one does."""
        api = copy(self)
        api._feature = feature
        return api

    @property
    def url(self) -> str:
        """Where people open this Lightdash."""
        return self._session.base_url

    def page(self, project: str | None, *steps: str) -> str:
        """Return the address at which people open what is in a project."""
        way = "/".join(quote(step, safe="") for step in steps)
        return f"{self.url}/projects/{self.project(project).lower()}/{way}"

    async def get(
        self,
        at: Path,
        into: type[T],
        query: Query | None = None,
        *,
        project_of: Callable[[T], str] | None = None,
        within: str | None = None,
        org_wide: bool = False,
    ) -> T:
        if within is not None:
            self.check_project(within)
        self._fence(at, query, shown=org_wide or project_of is not None or within is not None)
        found = self._unwrapped(await self._session.request("GET", at, query=query), into)
        if project_of is not None:
            self.check_project(project_of(found))
        return found

    async def get_page(self, at: Path, of: type[T], query: Query, *, org_wide: bool = False) -> Page[T]:
        """Get one page of a list that Lightdash itself pages."""
        paged = await self.get(at, Paged[of], query, org_wide=org_wide)
        return page_of(paged.data, of, paged.pagination)

    async def post(
        self,
        at: Path,
        into: type[T],
        body: object = None,
        *,
        query: Query | None = None,
        nature: Nature | None = None,
        repeats: bool = True,
        within: str | None = None,
        org_wide: bool = False,
    ) -> T:
        """Post; a POST that only reads, that replaces something, or that must not be repeated says so here."""
        self._fence_change(at, within, org_wide=org_wide)
        answer = await self._session.request("POST", at, query=query, json=body, nature=nature, repeats=repeats)
        return self._unwrapped(answer, into)

    async def patch(
        self,
        at: Path,
        into: type[T],
        body: object = None,
        *,
        nature: Nature | None = None,
        repeats: bool = True,
        within: str | None = None,
        org_wide: bool = False,
    ) -> T:
        """Patch; one that only fills an empty place, or that must not be repeated, says so here."""
        self._fence_change(at, within, org_wide=org_wide)
        answer = await self._session.request("PATCH", at, json=body, nature=nature, repeats=repeats)
        return self._unwrapped(answer, into)

    async def delete(self, at: Path, *, within: str | None = None, org_wide: bool = False) -> None:
        self._fence_change(at, within, org_wide=org_wide)
        self._results(await self._session.request("DELETE", at))

    async def download(self, at: Path) -> bytes:
        """Get a file as it is."""
        self._fence(at, shown=True)
        answer = await self._session.request("GET", at)
        if answer.status >= 400:
            raise self._error(answer)
        if answer.status != 200 or "html" in answer.headers.get("content-type", ""):
            raise self._session.strange(answer)
        return answer.content

    def at(self, template: str, project: str | None, **parts: str) -> Path:
        """Return a path inside a project, the default one where none is given."""
        return path(template, project=self.project(project), **parts)

    @property
    def default_project(self) -> str | None:
        """The project that is meant where none is given."""
        return self._default

    @property
    def allowed_projects(self) -> list[str]:
        """The only projects that tools may touch; none where all may be."""
        return sorted(self._allowed)

    @property
    def has_default(self) -> bool:
        """Tell whether a project can be left out."""
        return self._default is not None

    def is_shown_alone(self, given: str) -> bool:
        """Tell whether a chart or dashboard is asked for without a project.

        A UUID shows its own. A slug may stand in several, a preview being a copy with the same ones, and then Lightdash
        takes whichever was changed last, also one that the caller may not see.
        """
        return not self.has_default and (is_uuid(given) or not self._choice.is_known)

    @property
    def choice(self) -> ProjectChoice:
        """The projects to choose from."""
        return self._choice

    def project(self, given: str | None) -> str:
        """Return the project to work in: the one that is given, else the default, else the only one."""
        project = (self._default or self._choice.only) if given is None else given
        if project is None and self._choice.is_empty:
            among = " among those this server may touch" if self._allowed else ""
            raise Refused(
                f"This token sees no project{among}.",
                next_step="Somebody who administers one can give its owner access.",
            )
        if project is None:
            raise BadInput(f"Give a project_uuid: {self._choice}. (LIGHTDASH_PROJECT_UUID sets a default.)")
        return project

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
        listed = query.get("projectUuids") if query else None
        if isinstance(listed, str | list):
            named += [listed] if isinstance(listed, str) else listed
        for project in named:
            self.check_project(project)
        if self._allowed and not named and not shown:
            raise AssertionError(f"{at.template} does not show which project it touches")

    def _fence_change(self, at: Path, within: str | None, *, org_wide: bool) -> None:
        if org_wide and self._allowed:
            raise Refused(
                "This changes the organisation, and so every project; this server may touch only some of them"
                " (LIGHTDASH_ALLOWED_PROJECTS).",
                next_step="Ask the operator.",
            )
        if within is not None:
            self.check_project(within)
        self._fence(at, shown=org_wide or within is not None)

    def _unwrapped(self, answer: Response, into: type[T]) -> T:
        results = self._results(answer)
        try:
            return _adapter(into).validate_python(results)
        except ValidationError as error:
            where = ".".join(str(part) for part in error.errors(include_input=False)[0]["loc"]) or "its results"
            problem = f"Lightdash answered in a form this client does not know (at {where})."
            raise answer.misfit(problem, next_step=_AGE) from None

    def _results(self, answer: Response) -> object:
        if answer.status >= 400:
            raise self._error(answer)
        if answer.status == 204 and answer.method == "DELETE":
            return None
        if answer.status not in _GOOD:
            raise self._session.strange(answer)
        body = answer.json()
        if not isinstance(body, dict) or "status" not in body:
            raise answer.misfit("Lightdash answered with JSON that is not its own.")
        fields = cast("dict[str, Any]", body)
        if fields["status"] != "ok":
            raise answer.misfit("Lightdash answered that it failed, without a status that says so.")
        return fields.get("results")

    def _error(self, answer: Response) -> ApiError:
        name, message = _said(answer)
        if name == "MissingConfigError":
            return ApiError(
                f"This Lightdash has no {self._feature}: that takes its enterprise edition.", status=answer.status
            )
        if message == "API endpoint not found":
            return NotFound(f"Lightdash answered {answer.status}: {message}.", status=answer.status, next_step=_AGE)
        return self._session.error(answer, message)


def page_of(items: list[T], of: type[T], place: Pagination) -> Page[T]:
    """Make a page of one that Lightdash gave out."""
    more = place.page < place.total_page_count
    return Page[of](items=items, total=place.total_results, next_page=place.page + 1 if more else None)


def slice_page(items: Sequence[T], of: type[T], *, limit: int, page: int) -> Page[T]:
    """Page a list that Lightdash gives out whole."""
    start = (page - 1) * limit
    rest = len(items) > start + limit
    return Page[of](items=list(items[start : start + limit]), total=len(items), next_page=page + 1 if rest else None)


def _said(answer: Response) -> tuple[str, str]:
    """Return what Lightdash says went wrong, and its name for it.

    A 401 for a wrong scheme is plain text, and a proxy's error is a page.
    """
    try:
        error = cast("dict[str, Any]", answer.json())["error"]
        if isinstance(error, str):
            return "", error
        return str(error.get("name", "")), flatten_message(str(error["message"]))
    except (ApiError, AttributeError, KeyError, TypeError):
        return "", ""


@lru_cache(maxsize=256)
def _adapter(into: Any) -> TypeAdapter[Any]:
    return TypeAdapter(into)
