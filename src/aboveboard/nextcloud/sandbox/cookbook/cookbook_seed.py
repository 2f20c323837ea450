"""Ten recipes of the first state, and a page on the web that has another."""

import json
from typing import Any

from aboveboard.nextcloud.sandbox import web
from aboveboard.nextcloud.sandbox.cookbook.recipes import Cookbook
from aboveboard.nextcloud.sandbox.store import Store
from aboveboard.sandbox.store import Seed

PAGE = "http://recipes.example/lentil-soup.html"

# Name, category, keywords, minutes to prepare and to cook, servings, ingredients, instructions.
_RECIPES: tuple[tuple[str, str, str, int, int, int, list[str], list[str]], ...] = (
    (
        *("Porridge", "Breakfast", "quick,vegetarian", 2, 8, 1),
        ["50 g oats", "250 ml milk", "1 pinch salt"],
        ["Bring everything to the boil.", "Stir for eight minutes."],
    ),
    (
        *("Pancakes", "Breakfast", "sweet,vegetarian", 10, 20, 4),
        ["250 g flour", "500 ml milk", "3 eggs"],
        ["Beat it all together.", "Fry thinly on both sides."],
    ),
    (
        *("Pumpkin soup", "Soups", "autumn,vegetarian", 20, 30, 6),
        ["1 kg pumpkin", "1 onion", "1 l stock"],
        ["Chop.", "Simmer for half an hour.", "Blend."],
    ),
    (
        *("Minestrone", "Soups", "vegan,vegetarian", 25, 40, 6),
        ["2 carrots", "200 g beans", "100 g pasta", "1 tin tomatoes"],
        ["Fry the vegetables.", "Add water and simmer.", "Add the pasta at the end."],
    ),
    (
        *("Käsespätzle", "Mains", "german,vegetarian", 30, 20, 4),
        ["400 g flour", "4 eggs", "200 g cheese", "2 onions"],
        ["## Dough", "Mix flour and eggs.", "## Spätzle", "Scrape into boiling water.", "Layer with cheese."],
    ),
    (
        *("Shepherd's pie", "Mains", "british,winter", 30, 60, 4),
        ["500 g minced lamb", "1 kg potatoes", "2 carrots"],
        ["Brown the lamb.", "Mash the potatoes.", "Bake for half an hour."],
    ),
    (
        *("Chilli sin carne", "Mains", "vegan,vegetarian,winter", 15, 45, 6),
        ["2 tins beans", "1 tin tomatoes", "1 chilli"],
        ["Fry the spices.", "Add the rest and simmer."],
    ),
    (
        *("Green salad", "", "quick,vegan,vegetarian", 10, 0, 2),
        ["1 lettuce", "oil", "vinegar"],
        ["Wash the leaves.", "Dress just before serving."],
    ),
    (
        *("Apfelstrudel", "Desserts", "autumn,sweet,vegetarian", 60, 45, 8),
        ["250 g flour", "1 kg apples", "100 g raisins"],
        ["Stretch the dough until a newspaper can be read through it.", "Fill, roll, bake."],
    ),
    (
        *("Crème brûlée", "Desserts", "french,sweet,vegetarian", 20, 50, 4),
        ["500 ml cream", "5 egg yolks", "80 g sugar"],
        ["Bake in a water bath.", "Chill over night.", "Burn sugar on top."],
    ),
)
ON_THE_WEB = {
    "@context": "https://schema.org",
    "@type": "Recipe",
    "name": "Lentil soup",
    "description": "For cold days.",
    "author": {"@type": "Person", "name": "Carol"},
    "recipeYield": 4,
    "prepTime": "PT15M",
    "cookTime": "PT40M",
    "recipeCategory": "Soups",
    "keywords": "vegan,winter",
    "recipeIngredient": ["250 g lentils", "2 carrots", "1 l water"],
    "recipeInstructions": ["Fry the carrots.", "Add lentils and water, simmer."],
}


def recipe_page(recipe: dict[str, Any]) -> str:
    """A page of the web with a recipe in it, as search engines want it."""
    data = json.dumps(recipe, ensure_ascii=False).replace("</", "<\\/")
    return (
        f'<!DOCTYPE html>\n<html><head><script type="application/ld+json">{data}</script></head><body></body></html>\n'
    )


def fill(store: Store) -> None:
    """Write the recipes."""
    web.publish(store, PAGE, recipe_page(ON_THE_WEB))
    cookbook = Cookbook(store, "admin")
    for name, category, keywords, prepare, cook, servings, ingredients, instructions in _RECIPES:
        store.tick()
        given: dict[str, Any] = {
            "name": name,
            "recipeCategory": category,
            "keywords": keywords,
            "prepTime": f"PT{prepare}M",
            "cookTime": f"PT{cook}M",
            "totalTime": f"PT{prepare + cook}M",
            "recipeYield": servings,
            "recipeIngredient": ingredients,
            "recipeInstructions": instructions,
        }
        picture = {"image": "/Photos/sunset.png"} if name == "Pancakes" else {}
        cookbook.create(given | picture)


seed = Seed(fill)
