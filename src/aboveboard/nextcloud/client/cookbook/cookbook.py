"""The Cookbook as a whole: its recipes in lists, by words, category and keyword, and what it is set to.

One list tells name, category and keywords of every recipe. So categories and keywords are chosen here: the app's own
ways to do that know no slash in a category, and with SQLite find no keyword at all.
"""

import builtins
from typing import Final

from aboveboard.errors import BadInput
from aboveboard.http import Nature, Session, path
from aboveboard.http.path import names
from aboveboard.nextcloud.client.apps import App
from aboveboard.nextcloud.client.cookbook.recipe import Config, Count, RecipeStub, Version
from aboveboard.nextcloud.client.spellings import spellings

_API: Final = "/index.php/apps/cookbook/api/v1"
_WITHOUT: Final = "*"
"""How the app names recipes without a category; an empty name says it here."""


class Cookbook:
    """The cookbook of one user."""

    def __init__(self, session: Session) -> None:
        self._app = App(session, "cookbook")

    async def list(self) -> builtins.list[RecipeStub]:
        """List all recipes, by name."""
        return await self._app.get(path(f"{_API}/recipes"), builtins.list[RecipeStub])

    async def search(self, query: str) -> builtins.list[RecipeStub]:
        """Find recipes that have any of the words in name, keyword or category."""
        # It parts words at spaces and commas, finds nothing at a path with a slash, and folds ASCII letters only.
        words = [word for one in query.replace("/", " ").replace(",", " ").split() for word in spellings(one)]
        clean = " ".join(dict.fromkeys(word for word in words if word.strip(".")))
        if not clean:
            raise BadInput("There is nothing to search for.", next_step="Give at least one word.")
        return await self._app.get(path(f"{_API}/search/{{query}}", query=clean), builtins.list[RecipeStub])

    async def in_category(self, category: str) -> builtins.list[RecipeStub]:
        """List the recipes of a category; the empty name is for those without one."""
        wanted = "" if category == _WITHOUT else category
        return [recipe for recipe in await self.list() if recipe.category == wanted]

    async def with_keywords(self, keywords: builtins.list[str]) -> builtins.list[RecipeStub]:
        """List the recipes that have all of the keywords, in any case."""
        wanted = {word.strip().casefold() for word in keywords if word.strip()}
        if not wanted:
            raise BadInput("There is no keyword to look for.", next_step="list_keywords shows which there are.")
        return [one for one in await self.list() if wanted <= {word.casefold() for word in one.keywords}]

    async def categories(self) -> builtins.list[Count]:
        """List the categories; the empty name is for recipes without one."""
        found = await self._app.get(path(f"{_API}/categories"), builtins.list[Count])
        none = [one.model_copy(update={"name": ""}) for one in found if one.name == _WITHOUT and one.recipes]
        return [*(one for one in found if one.name != _WITHOUT), *none]

    async def keywords(self) -> builtins.list[Count]:
        """List the keywords."""
        return await self._app.get(path(f"{_API}/keywords"), builtins.list[Count])

    async def config(self) -> Config:
        return await self._app.get(path(f"{_API}/config"), Config)

    async def set_config(
        self, folder: str | None = None, update_interval: int | None = None, *, print_image: bool | None = None
    ) -> Config:
        """Change settings; those that are not given stay."""
        place = None if folder is None else f"/{'/'.join(names(folder))}"
        wanted = {"folder": place, "update_interval": update_interval, "print_image": print_image}
        given = {name: value for name, value in wanted.items() if value is not None}
        if not given:
            raise BadInput("There is nothing to set.", next_step="Give folder, update_interval or print_image.")
        if place == "/":
            raise BadInput("All of the files cannot be the folder of the recipes.", next_step="Name a folder.")
        answer = await self._app.send("POST", path(f"{_API}/config"), body=given, nature=Nature.REPLACES)
        self._app.read(answer, str)
        return await self.config()

    async def reindex(self) -> None:
        """Let the app look at all recipe files anew."""
        self._app.read(await self._app.send("POST", path(f"{_API}/reindex")), str)

    async def version(self) -> Version:
        return await self._app.get(path("/index.php/apps/cookbook/api/version"), Version)
