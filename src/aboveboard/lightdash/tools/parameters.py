"""Parameters that tools of several areas take."""

from typing import Annotated

from pydantic import Field

# That it can be left out, and what counts then, the instructions say once for all tools.
ProjectUuid = Annotated[str | None, Field(description="UUID or name.")]
ExploreName = Annotated[str, Field(description="Explore name.")]
SpaceUuid = Annotated[str, Field(description="Space UUID, slug or name.")]
UserUuid = Annotated[str, Field(description="User UUID or e-mail address.")]
GroupUuid = Annotated[str, Field(description="Group UUID or name.")]
Search = Annotated[str | None, Field(description="Only those whose name or description has this text.")]
InSpace = Annotated[str | None, Field(description="Only those in this space (UUID, slug or name).")]
OfProject = Annotated[str | None, Field(description="UUID or name.")]
Limit = Annotated[int, Field(description="How many at most.", ge=1, le=200)]
PageNumber = Annotated[int, Field(description="Which page, from 1.", ge=1)]
