"""What is there when a recorded scenario about recipes begins."""

import base64
from collections.abc import Awaitable, Callable, Mapping

from tests.nextcloud.sandbox.recordings import steps_of
from tests.nextcloud.sandbox.replay import Replay

from aboveboard.nextcloud.sandbox.cookbook.cookbook_seed import recipe_page

Arrange = Callable[[Replay], Awaitable[None]]


async def _recipe(replay: Replay, theirs: str, **fields: object) -> None:
    made = await replay.admin.post("/index.php/apps/cookbook/api/v1/recipes", fields)
    replay.names.learn("file", theirs, str(made.json))


async def _three_recipes(replay: Replay) -> None:
    await _recipe(replay, "62", name="Soup", keywords="hot,veg", recipeCategory="Starters")
    await _recipe(replay, "65", name="Salad", keywords="cold,veg", recipeCategory="Starters")
    await _recipe(replay, "68", name="Cake", keywords="sweet", recipeCategory="Sweets & More")
    soup = {
        "@type": "Recipe",
        "name": "Imported soup",
        "description": "d",
        "recipeYield": 4,
        "recipeIngredient": ["1 l water", "2 carrots"],
        "recipeInstructions": ["Boil", "Eat"],
        "prepTime": "PT10M",
        "cookTime": "PT20M",
        "recipeCategory": "Soup",
        "keywords": "easy,quick",
    }
    replay.sandbox.publish("http://recipes.example:8093/recipe.html", recipe_page(soup))
    replay.sandbox.publish("http://recipes.example:8093/feed.xml", "<?xml version='1.0'?><rss/>")


async def _picture(replay: Replay) -> None:
    shown = next(step for step in steps_of("objects/cookbook", "full-recipe") if step.name == "03-image-full")
    await replay.admin.put("pic.png", base64.b64decode(shown.answer["base64"]))


async def _categorised(replay: Replay) -> None:
    for theirs, name, category in (("188", "One", "Main"), ("194", "Two", "Main"), ("200", "Three", "Other")):
        fields = {"recipeCategory": category, "keywords": "k1,k2", "recipeIngredient": ["x"], "image": "/pic.png"}
        await _recipe(replay, theirs, name=name, **fields)


SCENARIOS: Mapping[str, Arrange] = {
    "cookbook:search-and-config": _three_recipes,
    "objects/cookbook:full-recipe": _picture,
    "objects/cookbook:categories": _categorised,
}
