"""Recipes as tools show and take them: schema.org's properties under the names of the tools' parameters."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final, Self

from pydantic import BaseModel

from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.cookbook import recipe as client
from aboveboard.nextcloud.client.cookbook.durations import cookbook_form
from aboveboard.nextcloud.tools.files.area import following

_PROPERTIES: Final = {
    "name": "name",
    "description": "description",
    "ingredients": "recipeIngredient",
    "instructions": "recipeInstructions",
    "url": "url",
    "prep_time": "prepTime",
    "cook_time": "cookTime",
    "total_time": "totalTime",
    "recipe_yield": "recipeYield",
    "category": "recipeCategory",
    "keywords": "keywords",
}
"""What schema.org calls the parameters."""
_PARAMETERS: Final = {known: parameter for parameter, known in _PROPERTIES.items()}


class RecipeInfo(BaseModel):
    """A recipe in a list; without a category or keywords, these are left out."""

    id: int
    name: str
    category: str | None = None
    keywords: str | None = None
    modified: datetime | None = None
    link: str

    @classmethod
    def of(cls, nextcloud: NextcloudClient, recipe: client.RecipeStub) -> Self:
        """Show a recipe of a list."""
        return cls(
            id=recipe.id,
            name=recipe.name,
            category=recipe.category or None,
            keywords=",".join(recipe.keywords) or None,
            modified=recipe.date_modified,
            link=web_url(nextcloud, recipe.id),
        )


class RecipeList(BaseModel):
    """Some recipes, how many there are, and where the next ones begin."""

    items: list[RecipeInfo]
    next_offset: int | None = None
    total: int

    @classmethod
    def page(cls, nextcloud: NextcloudClient, recipes: Sequence[client.RecipeStub], *, limit: int, offset: int) -> Self:
        """Cut a page out of all there is; the Cookbook has no pages."""
        shown = [RecipeInfo.of(nextcloud, one) for one in recipes[offset : offset + limit]]
        return cls(items=shown, next_offset=following(len(recipes), limit, offset), total=len(recipes))


class FullRecipe(BaseModel):
    """A recipe; what it does not say is left out, and what schema.org has besides is in `more`."""

    id: int
    name: str
    description: str | None = None
    ingredients: list[str] | None = None
    instructions: list[str] | None = None
    tools: list[str] | None = None
    prep_time: str | None = None
    cook_time: str | None = None
    total_time: str | None = None
    recipe_yield: int | None = None
    category: str | None = None
    keywords: str | None = None
    nutrition: dict[str, Any] | None = None
    url: str | None = None
    image: str | None = None
    more: dict[str, Any] | None = None
    created: datetime | None = None
    modified: datetime | None = None
    link: str

    @classmethod
    def of(cls, nextcloud: NextcloudClient, recipe: client.Recipe) -> Self:
        """Show a recipe."""
        servings = recipe.recipe_yield
        counted = int(servings) if servings.isdecimal() else None
        odd = {"recipeYield": servings} if servings and counted is None else {}
        return cls(
            id=recipe.id,
            name=recipe.name,
            description=recipe.description or None,
            ingredients=recipe.recipe_ingredient or None,
            instructions=recipe.recipe_instructions or None,
            tools=recipe.tool or None,
            prep_time=recipe.prep_time,
            cook_time=recipe.cook_time,
            total_time=recipe.total_time,
            recipe_yield=counted,
            category=recipe.recipe_category or None,
            keywords=",".join(recipe.keywords) or None,
            nutrition={name: value for name, value in recipe.nutrition.items() if name != "@type"} or None,
            url=recipe.url or None,
            image=recipe.image or None,
            more={**recipe.others, **odd} or None,
            created=recipe.date_created,
            modified=recipe.date_modified,
            link=web_url(nextcloud, recipe.id),
        )


class CreatedRecipe(BaseModel):
    """A recipe that was made."""

    id: int
    name: str
    link: str


class UpdatedRecipe(BaseModel):
    """A recipe, and which of its fields are new; none where all were so already."""

    id: int
    name: str
    changed: list[str]
    link: str


class Counts(BaseModel):
    """Categories or keywords, and how many recipes have each."""

    items: list[client.Count]


class ChangedConfig(client.Config):
    """What the Cookbook is set to after a call; it is at `url`."""

    url: str | None = None


class Indexed(BaseModel):
    """That the index is new."""

    reindexed: bool
    url: str | None = None


def as_properties(**given: Any) -> dict[str, object]:
    """Turn parameters that are given into schema.org's properties, in the form that the Cookbook keeps."""
    return {_PROPERTIES[name]: _kept(name, value) for name, value in given.items() if value is not None}


def as_parameters(properties: Sequence[str]) -> list[str]:
    """Name properties by the parameters that set them."""
    return [_PARAMETERS[name] for name in properties]


def _kept(name: str, value: Any) -> object:
    if name.endswith("_time"):
        return cookbook_form(value) if value.strip() else None
    if name == "keywords":
        return ",".join(dict.fromkeys(word.strip() for word in value.split(",") if word.strip()))
    return value


def web_url(nextcloud: NextcloudClient, recipe: int) -> str:
    """Return where people open a recipe; it needs no pretty URLs."""
    return f"{nextcloud.url}/index.php/apps/cookbook/#/recipe/{recipe}"
