"""Recipes, one by one: read, create, change, delete, import.

A PUT replaces all of a recipe, and the id in its body decides which one; without an id it makes a new one. A DELETE is
answered the same for what was never there. So both look first.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from aboveboard.errors import ApiError, BadInput, Conflict, NotFound
from aboveboard.http import Path, Response, Session, path
from aboveboard.nextcloud.client.apps import App
from aboveboard.nextcloud.client.cookbook.recipe import Recipe
from aboveboard.nextcloud.client.fetching import check_address
from aboveboard.nextcloud.client.model import check_value, unknown_form

_RECIPES: Final = "/index.php/apps/cookbook/api/v1/recipes"
PATIENCE: Final = 300.0
"""Seconds that an import may take: Nextcloud fetches the page, and the picture."""


class Recipes:
    """The recipes of one user."""

    def __init__(self, session: Session) -> None:
        self._app = App(session, "cookbook")

    async def get(self, recipe: int) -> Recipe:
        answer = await self._read(recipe)
        return self._app.read(answer, Recipe)

    async def create(self, fields: Mapping[str, object]) -> Recipe:
        """Create a recipe, unless there is one of that name, and return what is kept of it."""
        answer = await self._app.send("POST", path(_RECIPES), body=dict(fields))
        made = self._written(answer, str(fields["name"]))
        # All that is answered is a number, of which a lost digit leaves another: it is believed once it is read.
        try:
            recipe = await self.get(made)
        except NotFound:
            raise unknown_form(answer, "the recipe's id") from None
        if _letters(recipe.name) != _letters(str(fields["name"])):
            raise unknown_form(answer, "the recipe's id")
        return recipe

    async def update(self, recipe: int, changes: Mapping[str, object]) -> tuple[Recipe, list[str]]:
        """Change some fields and keep all others; return the recipe, and what of it was not so before.

        Where all is so already, nothing is written.
        """
        if not changes:
            raise BadInput("There is nothing to change.", next_step="Give at least one field with its new value.")
        answer = await self._read(recipe)
        before = self._app.read(answer, dict[str, Any])
        changed = [name for name, value in changes.items() if before.get(name) != value]
        after = {**before, **changes, "id": str(recipe)}
        if changed:
            await self._keeps_picture(recipe, before)
            # Every write is kept as a version of the file, so one whose answer is lost is not sent again.
            written = await self._app.send("PUT", _at(recipe), body=after, repeats=False)
            if self._written(written, str(after.get("name"))) != recipe:
                raise unknown_form(written, "the recipe's id")
        return check_value(after, Recipe, answer), changed

    async def delete(self, recipe: int) -> str | None:
        """Delete a recipe and return its name; None where there was none."""
        try:
            old = check_value((read := await self._read(recipe)).json(), Recipe, read)
        except _NoRecipe:
            return None
        answer = await self._app.send("DELETE", _at(recipe))
        if "deleted" not in self._app.read(answer, str):
            raise unknown_form(answer, "its words")
        return old.name

    async def import_from(self, url: str) -> Recipe:
        """Let Nextcloud fetch a page and keep the recipe on it, unless there is one of that name."""
        check_address(url, "web page")
        at = path("/index.php/apps/cookbook/api/v1/import")
        # What a gateway gave up waiting for goes on in Nextcloud: it is not begun again.
        answer = await self._app.send("POST", at, body={"url": url}, repeats=False, patience=PATIENCE)
        if answer.status == 409:
            raise Conflict(
                "There is a recipe with the name of the one on this page already; nothing was imported.",
                status=409,
                next_step="list_recipes shows it: delete or rename that one first if this one shall be kept too.",
            )
        if answer.status == 400:
            raise ApiError(_why_not(answer), status=400, next_step="Nothing was imported.")
        return self._app.read(answer, Recipe)

    async def _read(self, recipe: int) -> Response:
        answer = await self._app.send("GET", _at(recipe))
        if answer.status < 400:
            return answer
        error = self._app.error(answer)
        # The app's own answer for what it does not have is the id, as JSON.
        if answer.status == 404 and "json" in answer.headers.get("content-type", ""):
            raise _NoRecipe(f"There is no recipe {recipe}.", status=404)
        raise error

    async def _keeps_picture(self, recipe: int, before: Mapping[str, Any]) -> None:
        """Refuse to write a recipe whose picture would go: one that has a picture, and does not say which."""
        if before.get("image"):
            return
        at = path(f"{_RECIPES}/{{recipe}}/image", recipe=str(recipe))
        answer = await self._app.send("GET", at, query={"size": "thumb16"}, headers={"Accept": "image/jpeg, image/png"})
        if answer.status < 400 and "svg" not in answer.headers.get("content-type", ""):
            raise Conflict(
                f"Recipe {recipe} has a picture that it does not name, and the Cookbook would delete it with any change"
                "; nothing was written.",
                status=answer.status,
                next_step="Ask the user to choose the picture anew in the Cookbook, and change the recipe then.",
            )

    def _written(self, answer: Response, name: str) -> int:
        if answer.status == 409:
            raise Conflict(
                f"There is another recipe named {name!r}; nothing was written.",
                status=409,
                next_step="Choose another name: each recipe has its own.",
            )
        return self._app.read(answer, int)


class _NoRecipe(NotFound):
    """The Cookbook itself says that it has no such recipe."""


def _at(recipe: int) -> Path:
    return path(f"{_RECIPES}/{{recipe}}", recipe=str(recipe))


def _letters(name: str) -> str:
    """Return what is left of a name whatever the app makes of spaces and signs."""
    return "".join(char for char in name.casefold() if char.isalnum())


def _why_not(answer: Response) -> str:
    """Tell why an import failed; what the page itself said is not repeated, as anyone may have written it."""
    try:
        said = str(answer.json())
    except ApiError:
        said = ""
    if "not allowed" in said:
        return "The Cookbook fetches no page from this address: it wants a host name, no number and not localhost."
    if "local/internal" in said:
        return "Nextcloud fetches no page from its own network, unless its administrator allows that."
    if "No parser" in said:
        return "This page has no recipe that the Cookbook can read (it looks for schema.org data)."
    status = re.search(r"resulted in a `(\d{3})\b", said)
    if "downloading" in said:
        return f"Nextcloud could not fetch the page{f': it answered {status[1]}' if status else ''}."
    return "Nextcloud could not import a recipe from this page."
