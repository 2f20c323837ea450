"""Tags: coloured labels for the metrics of a project's catalog."""

import re
from collections.abc import Sequence

from aboveboard.errors import BadInput, NotFound, explain_unknown
from aboveboard.http import Path
from aboveboard.http.path import uuid
from aboveboard.lightdash.client.api import Api, Model, Page, slice_page

COLORS = (
    *("gray", "red", "pink", "grape", "violet", "indigo", "blue"),
    *("cyan", "teal", "green", "lime", "yellow", "orange"),
)


class Tag(Model):
    """A tag; one with a `yaml_reference` comes from the dbt project, whose next deployment may bring it back."""

    tag_uuid: str
    name: str
    color: str
    yaml_reference: str | None = None


class _Made(Model):
    tag_uuid: str


class Tags:
    """The tags of one instance's projects."""

    def __init__(self, api: Api) -> None:
        self._api = api

    async def list(self, project: str | None, *, limit: int, page: int) -> Page[Tag]:
        return slice_page(list(await self.every(project)), Tag, limit=limit, page=page)

    async def create(self, project: str | None, name: str, color: str) -> Tag:
        body = {"name": name, "color": _checked(color)}
        made = await self._api.post(self._api.at("/api/v1/projects/{project:uuid}/tags", project), _Made, body)
        return Tag(tag_uuid=made.tag_uuid, name=name, color=color)

    async def update(self, project: str | None, tag: str, *, name: str | None, color: str | None) -> Tag:
        at = self._at(project, tag)
        given = {"name": name, "color": None if color is None else _checked(color)}
        old = await self._get(project, tag)
        body = {key: value for key, value in given.items() if value is not None}
        await self._api.patch(at, type(None), body)
        return old.model_copy(update=body)

    async def delete(self, project: str | None, tag: str) -> Tag:
        """Delete a tag and return what it was."""
        at = self._at(project, tag)
        old = await self._get(project, tag)
        await self._api.delete(at)
        return old

    async def _get(self, project: str | None, tag: str) -> Tag:
        # Lightdash changes a tag of any project under any project's path, and has no route that reads one.
        wanted = uuid("tag", tag)
        for found in await self.every(project):
            if found.tag_uuid == wanted:
                return found
        raise NotFound(f"The project has no tag with the UUID {wanted}.", status=404)

    async def every(self, project: str | None) -> Sequence[Tag]:
        return await self._api.get(self._api.at("/api/v1/projects/{project:uuid}/tags", project), list[Tag])

    def _at(self, project: str | None, tag: str) -> Path:
        return self._api.at("/api/v1/projects/{project:uuid}/tags/{tag:uuid}", project, tag=tag)


def _checked(color: str) -> str:
    """Lightdash stores any text as a colour, and then shows none."""
    if color in COLORS or re.fullmatch("#[0-9a-fA-F]{6}", color):
        return color
    raise BadInput(explain_unknown("colour", color, COLORS, of="Lightdash") + " One such as #2b8a3e will do too.")
