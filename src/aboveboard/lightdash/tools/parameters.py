"""Parameters that tools of several areas take."""

from typing import Annotated

from pydantic import Field

ProjectUuid = Annotated[str | None, Field(description="Project UUID or name; left out: the default.")]
ExploreName = Annotated[str, Field(description="Explore name.")]
SpaceUuid = Annotated[str, Field(description="Space UUID, slug or name.")]
UserUuid = Annotated[str, Field(description="User UUID or e-mail address.")]
GroupUuid = Annotated[str, Field(description="Group UUID or name.")]
Search = Annotated[str | None, Field(description="Only those whose name or description has this text.")]
InSpace = Annotated[str | None, Field(description="Only those in this space (UUID, slug or name).")]
OfProject = Annotated[
    str | None, Field(description="Project UUID or name; give it with a slug, or the default counts.")
]
Limit = Annotated[int, Field(description="How many at most.", ge=1, le=200)]
PageNumber = Annotated[int, Field(description="Which page, from 1.", ge=1)]
