"""Tags: label the metrics of a project's catalog."""

from typing import Annotated

from pydantic import Field

from aboveboard.effects import ADD, DELETE, READ, REPLACE
from aboveboard.errors import BadInput
from aboveboard.kit.gone import FOR_GOOD, Gone
from aboveboard.kit.toolset import Toolset
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.client.api import Page
from aboveboard.lightdash.client.tags import Tag
from aboveboard.lightdash.tools.parameters import Limit, PageNumber, ProjectUuid

tools = Toolset[LightdashClient]("tags", title="Tags", icon="M3 3h9l9 9-9 9-9-9zm4 3a2 2 0 1 0 0 4 2 2 0 0 0 0-4z")

TAG = Tag(tag_uuid="5348...", name="Core", color="blue")


class SavedTag(Tag):
    """A tag, and where people see the metrics that can have it."""

    url: str


class DeletedTag(Tag, Gone):
    """A tag that is gone."""


SAVED = SavedTag(**vars(TAG), url="https://...")
DELETED = DeletedTag(**TAG.model_dump(), gone="Core", to_get_back=FOR_GOOD)
TagUuid = Annotated[str, Field(description="Tag UUID or name.")]
Color = "A colour such as blue, orange or #2b8a3e."


@tools.tool("List Tags", READ, example=Page[Tag](items=[TAG], total=1))
async def list_tags(
    lightdash: LightdashClient, project_uuid: ProjectUuid = None, limit: Limit = 50, page: PageNumber = 1
) -> Page[Tag]:
    """List the tags that a project's metrics can have."""
    return await lightdash.tags.list(project_uuid, limit=limit, page=page)


@tools.tool("Create Tag", ADD, example=SAVED)
async def create_tag(
    lightdash: LightdashClient,
    name: Annotated[str, Field(description="What it says.", min_length=1, max_length=255)],
    color: Annotated[str, Field(description=Color)],
    project_uuid: ProjectUuid = None,
) -> SavedTag:
    """Create a tag; the same call again creates another one of that name."""
    made = await lightdash.tags.create(project_uuid, name, color)
    return SavedTag(**vars(made), url=lightdash.pages.metrics(project_uuid))


@tools.tool("Update Tag", REPLACE, example=SAVED)
async def update_tag(
    lightdash: LightdashClient,
    tag_uuid: TagUuid,
    project_uuid: ProjectUuid = None,
    name: Annotated[str | None, Field(description="New name.", min_length=1, max_length=255)] = None,
    color: Annotated[str | None, Field(description=Color)] = None,
) -> SavedTag:
    """Give a tag another name or colour; what it had is gone, and metrics keep the tag."""
    if name is None and color is None:
        raise BadInput("Give a new name, a color, or both: there is nothing to change.")
    changed = await lightdash.tags.update(project_uuid, tag_uuid, name=name, color=color)
    return SavedTag(**vars(changed), url=lightdash.pages.metrics(project_uuid))


@tools.tool("Delete Tag", DELETE, example=DELETED)
async def delete_tag(lightdash: LightdashClient, tag_uuid: TagUuid, project_uuid: ProjectUuid = None) -> DeletedTag:
    """Delete a tag for good; metrics that have it lose it."""
    gone = await lightdash.tags.delete(project_uuid, tag_uuid)
    return DeletedTag(**gone.model_dump(), gone=gone.name, to_get_back=FOR_GOOD)
