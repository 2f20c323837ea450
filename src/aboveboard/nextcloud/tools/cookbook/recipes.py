"""Cookbook: find, read, write and import recipes, and what the app is set to."""

from collections.abc import Sequence
from functools import partial
from typing import Annotated

from pydantic import Field

from aboveboard.effects import DELETE, ENSURE, READ, REPLACE
from aboveboard.kit.call import Call
from aboveboard.kit.toolset import Toolset
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.cookbook.recipe import Config, Count, Version
from aboveboard.nextcloud.tools.cookbook.views import (
    ChangedConfig,
    Counts,
    CreatedRecipe,
    FullRecipe,
    Indexed,
    RecipeInfo,
    RecipeList,
    UpdatedRecipe,
    as_parameters,
    as_properties,
    web_url,
)
from aboveboard.nextcloud.tools.gone import Deleted, from_the_bin
from aboveboard.nextcloud.tools.ids import AS_TEXT, OrTitle
from aboveboard.nextcloud.tools.waiting import tell_while

tools = Toolset[NextcloudClient](
    "cookbook",
    title="Cookbook",
    icon="M4 10h16v6a4 4 0 0 1-4 4H8a4 4 0 0 1-4-4zM9 4h2v4H9zm4 0h2v4h-2z",
    prefix="nc_cookbook_",
    app="cookbook",
)

_LINK = "https://cloud.example/.../29"
RECIPE = FullRecipe(
    id=29, name="Tea", ingredients=["200 ml water"], instructions=["Boil"], prep_time="PT5M", link=_LINK
)
LISTED = RecipeList(items=[RecipeInfo(id=29, name="Tea", category="Drinks", keywords="hot,quick", link=_LINK)], total=1)
CONFIG = ChangedConfig(folder="/Recipes", update_interval=5, print_image=True, visible_info_blocks={"tools": True})

GONE = Deleted(gone="Tea", to_get_back="nc_webdav_restore_from_trash with {...} brings it back.", id=29)

RecipeId = Annotated[int, OrTitle, AS_TEXT, Field(description="Recipe id or name.")]
Limit = Annotated[int, Field(description="How many at most.", ge=1, le=500)]
Offset = Annotated[int, Field(description="How many to skip.", ge=0)]
Name = Annotated[str, Field(description="No other recipe's name.", min_length=1, max_length=100)]
Lines = Annotated[list[str] | None, Field(description="One each; ## begins a section.")]
Time = Annotated[str | None, Field(description="1 h 30 min, or PT1H30M.")]
Servings = Annotated[int | None, Field(description="Servings.", ge=1)]
Category = Annotated[str | None, Field(description="One category.")]
Keywords = Annotated[str | None, Field(description="Separated by commas.")]
Source = Annotated[str | None, Field(description="Where it is from.")]
Description = Annotated[str | None, Field(description="Markdown.")]


# A second import finds the recipe of the first, and is refused: it is no ADD.
@tools.tool("Import Recipe from URL", ENSURE.reaching_out(), example=RECIPE)
async def import_recipe(
    nextcloud: NextcloudClient,
    call: Call,
    url: Annotated[str, Field(description="The page of a recipe, on the public web.", min_length=1)],
) -> FullRecipe:
    """Let Nextcloud fetch a web page and keep the recipe on it, unless there is one of that name.

    It reaches out to that address, with the picture, and may take minutes.
    """
    work = partial(nextcloud.recipes.import_from, url)
    recipe = await tell_while(call, "Nextcloud fetches the page", work)
    return FullRecipe.of(nextcloud, recipe)


@tools.tool("List Recipes", READ, example=LISTED)
async def list_recipes(nextcloud: NextcloudClient, limit: Limit = 100, offset: Offset = 0) -> RecipeList:
    """List recipes by name, with category and keywords."""
    return RecipeList.page(nextcloud, await nextcloud.cookbook.list(), limit=limit, offset=offset)


@tools.tool("Get Recipe", READ, example=RECIPE)
async def get_recipe(nextcloud: NextcloudClient, recipe_id: RecipeId) -> FullRecipe:
    """Read a recipe."""
    return FullRecipe.of(nextcloud, await nextcloud.recipes.get(recipe_id))


# A name that is taken is refused, so the same call again changes nothing: it is no ADD.
@tools.tool("Create Recipe", ENSURE, example=CreatedRecipe(id=29, name="Tea", link=_LINK))
async def create_recipe(
    nextcloud: NextcloudClient,
    name: Name,
    description: Description = None,
    ingredients: Lines = None,
    instructions: Lines = None,
    url: Source = None,
    prep_time: Time = None,
    cook_time: Time = None,
    total_time: Time = None,
    recipe_yield: Servings = None,
    category: Category = None,
    keywords: Keywords = None,
) -> CreatedRecipe:
    """Create a recipe, unless there is one of that name."""
    given = as_properties(
        name=name,
        description=description,
        ingredients=ingredients,
        instructions=instructions,
        url=url,
        prep_time=prep_time,
        cook_time=cook_time,
        total_time=total_time,
        recipe_yield=recipe_yield,
        category=category,
        keywords=keywords,
    )
    made = await nextcloud.recipes.create(given)
    return CreatedRecipe(id=made.id, name=made.name, link=web_url(nextcloud, made.id))


@tools.tool("Update Recipe", REPLACE, example=UpdatedRecipe(id=29, name="Tea", changed=["prep_time"], link=_LINK))
async def update_recipe(
    nextcloud: NextcloudClient,
    recipe_id: RecipeId,
    name: Annotated[str | None, Field(description="New name.", min_length=1, max_length=100)] = None,
    description: Description = None,
    ingredients: Lines = None,
    instructions: Lines = None,
    url: Source = None,
    prep_time: Time = None,
    cook_time: Time = None,
    total_time: Time = None,
    recipe_yield: Servings = None,
    category: Category = None,
    keywords: Keywords = None,
) -> UpdatedRecipe:
    """Replace what is given of a recipe; all else stays, its picture too. Empty texts and lists clear a field.

    The Cookbook has no guard against two who write at once: what someone else changes in that moment is lost.
    """
    changes = as_properties(
        name=name,
        description=description,
        ingredients=ingredients,
        instructions=instructions,
        url=url,
        prep_time=prep_time,
        cook_time=cook_time,
        total_time=total_time,
        recipe_yield=recipe_yield,
        category=category,
        keywords=keywords,
    )
    recipe, changed = await nextcloud.recipes.update(recipe_id, changes)
    link = web_url(nextcloud, recipe_id)
    return UpdatedRecipe(id=recipe_id, name=recipe.name, changed=as_parameters(changed), link=link)


@tools.tool("Delete Recipe", DELETE, example=GONE)
async def delete_recipe(nextcloud: NextcloudClient, recipe_id: RecipeId) -> Deleted:
    """Delete a recipe with its picture; its folder stays in the trash bin of the files for a while."""
    name = await nextcloud.recipes.delete(recipe_id)
    if name is None:
        return Deleted.before("recipe", recipe_id)
    # A recipe is a folder, and has its id.
    return Deleted(gone=name, to_get_back=await from_the_bin(nextcloud, recipe_id), id=recipe_id)


@tools.tool("Search Recipes", READ, example=LISTED)
async def search_recipes(
    nextcloud: NextcloudClient,
    query: Annotated[str, Field(description="Words, of which one must occur.", min_length=1, max_length=500)],
    limit: Limit = 100,
    offset: Offset = 0,
) -> RecipeList:
    """Find recipes by words in name, keyword or category."""
    return RecipeList.page(nextcloud, await nextcloud.cookbook.search(query), limit=limit, offset=offset)


@tools.tool("List Recipe Categories", READ, example=Counts(items=[Count(name="Drinks", recipe_count=3)]))
async def list_categories(nextcloud: NextcloudClient) -> Counts:
    """List the categories and how many recipes each has; the empty name is for recipes without one."""
    return Counts(items=await nextcloud.cookbook.categories())


@tools.tool("Get Recipes in Category", READ, example=LISTED)
async def get_recipes_in_category(
    nextcloud: NextcloudClient,
    category: Annotated[str, Field(description="Its name; empty: recipes without one.")],
    limit: Limit = 100,
    offset: Offset = 0,
) -> RecipeList:
    """List the recipes of a category."""
    return RecipeList.page(nextcloud, await nextcloud.cookbook.in_category(category), limit=limit, offset=offset)


@tools.tool("List Recipe Keywords", READ, example=Counts(items=[Count(name="quick", recipe_count=3)]))
async def list_keywords(nextcloud: NextcloudClient) -> Counts:
    """List the keywords and how many recipes have each."""
    return Counts(items=await nextcloud.cookbook.keywords())


@tools.tool("Get Recipes with Keywords", READ, example=LISTED)
async def get_recipes_with_keywords(
    nextcloud: NextcloudClient,
    keywords: Annotated[list[str], Field(description="Keywords that a recipe must all have.", min_length=1)],
    limit: Limit = 100,
    offset: Offset = 0,
) -> RecipeList:
    """List the recipes that have all of some keywords."""
    return RecipeList.page(nextcloud, await nextcloud.cookbook.with_keywords(keywords), limit=limit, offset=offset)


@tools.tool("Set Cookbook Configuration", REPLACE, example=CONFIG)
async def set_config(
    nextcloud: NextcloudClient,
    folder: Annotated[str | None, Field(description="Folder of the recipes, such as /Recipes.", min_length=1)] = None,
    update_interval: Annotated[int | None, Field(description="Minutes between looks for new files.", ge=1)] = None,
    print_image: Annotated[bool | None, Field(description="Whether pictures are printed.")] = None,
) -> ChangedConfig:
    """Replace settings of the Cookbook; those left out stay.

    With another folder, the recipes of the old one are no longer shown; their files stay where they are.
    """
    config = await nextcloud.cookbook.set_config(folder, update_interval, print_image=print_image)
    return ChangedConfig.model_validate({**config.model_dump(), "url": nextcloud.app_url("cookbook")})


@tools.tool("Reindex Recipes", REPLACE, example=Indexed(reindexed=True))
async def reindex(nextcloud: NextcloudClient) -> Indexed:
    """Let the Cookbook look at all recipe files anew, so that lists show what was put there as files.

    It writes a file that has no dates again, in its own form and with dates; what the recipe says stays.
    """
    await nextcloud.cookbook.reindex()
    return Indexed(reindexed=True, url=nextcloud.app_url("cookbook"))


async def recipe_ids(nextcloud: NextcloudClient, typed: str) -> Sequence[str]:
    """Complete a recipe's id, by its beginning or by words of the recipe."""
    if typed and not typed.isdecimal():
        return [str(one.id) for one in await nextcloud.cookbook.search(typed)]
    return [str(one.id) for one in await nextcloud.cookbook.list() if str(one.id).startswith(typed)]


@tools.resource("cookbook://version", "Cookbook Version")
async def version(nextcloud: NextcloudClient) -> Version:
    """Which version of the Cookbook this is, and of its API."""
    return await nextcloud.cookbook.version()


@tools.resource("cookbook://config", "Cookbook Configuration")
async def config(nextcloud: NextcloudClient) -> Config:
    """In which folder the Cookbook keeps this user's recipes, and what it shows of them."""
    return await nextcloud.cookbook.config()


@tools.resource("nc://Cookbook/{recipe_id}", "Recipe", completers={"recipe_id": recipe_ids})
async def recipe(nextcloud: NextcloudClient, recipe_id: str) -> FullRecipe:
    """A recipe."""
    return FullRecipe.of(nextcloud, await nextcloud.recipes.get(int(recipe_id)))
