"""Parameters that tools of several areas take."""

from typing import Annotated

from pydantic import Field

ProjectUuid = Annotated[str | None, Field(description="Project UUID, from list_projects; left out: the default.")]
ExploreName = Annotated[str, Field(description="Explore name, from list_explores.")]
SpaceUuid = Annotated[str, Field(description="Space UUID, from list_spaces.")]
UserUuid = Annotated[str, Field(description="User UUID, from list_organization_members.")]
GroupUuid = Annotated[str, Field(description="Group UUID, from list_groups.")]
Search = Annotated[str | None, Field(description="Only those whose name or description has this text.")]
InSpace = Annotated[str | None, Field(description="Only those in this space (UUID).")]
OfProject = Annotated[str | None, Field(description="Project UUID; give it with a slug, which may recur in others.")]
Limit = Annotated[int, Field(description="How many at most.", ge=1, le=200)]
PageNumber = Annotated[int, Field(description="Which page, from 1.", ge=1)]
