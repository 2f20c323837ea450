"""What the Cookbook makes of a recipe that it is given: schema.org, with every field in one form."""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, cast

LONGEST_FOLDER = 100
LONGEST_INDEXED = 128
"""Bytes of a name that the index takes."""

_DURATION = re.compile(r"P(?:\d+[YMWD])*(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?")
_DEFAULTS: Mapping[str, Any] = {
    "@context": "http://schema.org",
    "@type": "Recipe",
    "image": "",
    "recipeCategory": "",
    "recipeYield": None,
    "keywords": "",
    "tool": [],
    "recipeIngredient": [],
    "recipeInstructions": [],
    "description": "",
    "url": "",
}
_TIMES = ("prepTime", "cookTime", "totalTime")


class BadRecipe(Exception):
    """Something is of a type that the app does not expect, and it stumbles."""


def clean(given: Mapping[str, Any], now: int, *, new: bool) -> dict[str, Any]:
    """A recipe as it is written into its file; what is not known stays, and of a new one no date is believed."""
    recipe = {**given, **{name: given.get(name, default) for name, default in _DEFAULTS.items()}}
    for name in ("id", "imageUrl"):
        recipe.pop(name, None)
    recipe |= {name: _duration(given.get(name)) for name in _TIMES}
    for name, kind in (("keywords", str), ("nutrition", dict), ("recipeIngredient", list), ("tool", list)):
        if not isinstance(recipe.get(name) or kind(), kind):
            raise BadRecipe
    if not isinstance(recipe["recipeInstructions"], list):
        raise BadRecipe
    recipe["recipeInstructions"] = list(_steps(cast("list[Any]", recipe["recipeInstructions"])))
    recipe["nutrition"] = {"@type": "NutritionInformation", **(given.get("nutrition") or {})}
    recipe["dateCreated"] = stored_date(None if new else given.get("dateCreated"), now)
    return recipe | {"dateModified": stored_date(None, now), "datePublished": None}


def _duration(given: Any) -> str | None:
    """Hours, minutes and seconds; days are lost on the way."""
    if not given:
        return None
    found = _DURATION.fullmatch(str(given))
    if found is None:
        raise BadRecipe
    hours, minutes, seconds = (int(number or 0) for number in found.groups())
    minutes, seconds = minutes + seconds // 60, seconds % 60
    return f"PT{hours + minutes // 60}H{minutes % 60}M{seconds}S"


def _steps(given: list[Any]) -> Iterator[str]:
    """The instructions as plain texts; a section becomes a heading and its steps."""
    for step in given:
        if isinstance(step, str):
            yield step
        elif isinstance(step, dict):
            fields = cast("dict[str, Any]", step)
            if fields.get("@type") == "HowToSection":
                yield f"## {fields.get('name', '')}"
                yield from _steps(fields.get("itemListElement") or [])
            else:
                yield str(fields.get("text", ""))


def stored_date(given: Any, now: int) -> str:
    """A moment as the files have it: the given one, or now."""
    try:
        moment = datetime.fromisoformat(str(given)) if given else datetime.fromtimestamp(now, UTC)
    except ValueError:
        moment = datetime.fromtimestamp(now, UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%S+0000")


def folder_name(name: str) -> str:
    """The folder of a recipe: its name without what a file name cannot have, cut where it is too long."""
    safe = re.sub(r'[\\/:*?"<>|\x00-\x1f]', "_", name).strip()
    return f"{safe[: LONGEST_FOLDER - 3]}___" if len(safe) > LONGEST_FOLDER else safe


def indexed_name(name: str) -> str:
    """A name as the index has it."""
    if len(name.encode()) <= LONGEST_INDEXED:
        return name
    return f"{name.encode()[: LONGEST_INDEXED - 3].decode('utf-8', 'ignore')}…"


def seconds_of(date: str) -> int:
    """A moment of a file in seconds since 1970."""
    return int(datetime.fromisoformat(date).timestamp())
