"""A recipe as schema.org has it, and as lists of the Cookbook show it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, cast

from pydantic import BeforeValidator, ConfigDict, Field

from aboveboard.nextcloud.client.cookbook.durations import short_form
from aboveboard.nextcloud.client.model import Model


def _text(value: object) -> object:
    return "" if value is None else str(value) if isinstance(value, int | float) else value


def _texts(value: object) -> object:
    """Read a list of texts; a step that schema.org makes an object of is its text."""
    if not isinstance(value, list):
        return [value] if isinstance(value, str) and value else []
    return [_step(one) for one in cast("list[object]", value)]


def _step(one: object) -> str:
    if not isinstance(one, Mapping):
        return str(one)
    fields = cast("Mapping[str, object]", one)
    return str(fields.get("text") or fields.get("name") or "")


def _fields(value: object) -> object:
    """Read an object; PHP writes an empty one as a list."""
    return cast("object", value) if isinstance(value, Mapping) else {}


def _moment(value: object) -> object:
    try:
        return datetime.fromisoformat(str(value)) if value else None
    except ValueError:
        return None


def _keywords(value: object) -> object:
    words = cast("list[object]", value) if isinstance(value, list) else str(value or "").split(",")
    return [text for word in words if (text := str(word).strip())]


Text = Annotated[str, BeforeValidator(_text)]
Texts = Annotated[list[str], BeforeValidator(_texts)]
Moment = Annotated[datetime | None, BeforeValidator(_moment)]
Keywords = Annotated[list[str], BeforeValidator(_keywords)]
Duration = Annotated[str | None, BeforeValidator(lambda value: short_form(value) if isinstance(value, str) else None)]

OWN = frozenset({"@context", "@type", "printImage", "imageUrl", "datePublished"})
"""What the Cookbook adds to each recipe, and says nothing of it."""


class RecipeStub(Model):
    """A recipe in a list."""

    id: int
    name: Text
    category: Text = ""
    keywords: Keywords = Field(default_factory=list)
    date_modified: Moment = None


class Recipe(Model):
    """A recipe; what schema.org has besides is kept as it came."""

    model_config = ConfigDict(extra="allow")

    id: int
    name: Text
    description: Text = ""
    url: Text = ""
    image: Text = ""
    recipe_category: Text = ""
    keywords: Keywords = Field(default_factory=list)
    recipe_yield: Text = ""
    prep_time: Duration = None
    cook_time: Duration = None
    total_time: Duration = None
    tool: Texts = Field(default_factory=list)
    recipe_ingredient: Texts = Field(default_factory=list)
    recipe_instructions: Texts = Field(default_factory=list)
    nutrition: Annotated[dict[str, Any], BeforeValidator(_fields)] = Field(default_factory=dict)
    date_created: Moment = None
    date_modified: Moment = None

    @property
    def others(self) -> dict[str, Any]:
        """The properties that are not among those above, such as author."""
        given = self.model_extra or {}
        return {name: value for name, value in given.items() if name not in OWN and value not in (None, "", [], {})}


class Count(Model):
    """A category or keyword, and how many recipes have it."""

    name: str
    recipes: int = Field(alias="recipe_count")


class Config(Model):
    """What the Cookbook is set to."""

    folder: str
    update_interval: int = Field(alias="update_interval")
    print_image: bool = Field(alias="print_image")
    visible_info_blocks: Annotated[dict[str, bool], BeforeValidator(_fields)] = Field(default_factory=dict)


class Version(Model):
    """The version of the Cookbook, and of its API."""

    cookbook_version: list[int | str] = Field(alias="cookbook_version")
    api_version: dict[str, int] = Field(alias="api_version")
