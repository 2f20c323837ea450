"""Recipes of the Cookbook, as documents to search."""

from collections.abc import Collection, Mapping

from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.cookbook.recipe import Recipe, RecipeStub
from aboveboard.nextcloud.client.missing import AppMissing
from aboveboard.nextcloud.tools.cookbook.views import web_url
from aboveboard.search.entries import Entry, Known
from aboveboard.search.source import Listing


class RecipeSource:
    """The recipes of one person."""

    name = "recipe"

    def __init__(self, nextcloud: NextcloudClient) -> None:
        self._nextcloud = nextcloud

    async def listing(self, mark: str | None, known: Mapping[str, Known]) -> Listing:
        """List all recipes; when each was changed tells whether it is another."""
        entries = [_entry(one) for one in await self._stubs()]
        return Listing(entries=entries, present={entry.key for entry in entries})

    async def text(self, entry: Entry) -> str:
        """Fetch a recipe, and write it down."""
        return _text(await self._nextcloud.recipes.get(int(entry.key)))

    async def visible(self, keys: Collection[str]) -> Collection[str]:
        """Tell which recipes there are, by one list."""
        return {str(one.id) for one in await self._stubs()} & set(keys)

    async def rest(self) -> None:
        """Do nothing: reading recipes needs nothing but the client."""

    async def link(self, entry: Entry) -> str:
        """Return where people open a recipe."""
        return web_url(self._nextcloud, int(entry.key))

    async def _stubs(self) -> list[RecipeStub]:
        try:
            return await self._nextcloud.cookbook.list()
        except AppMissing:
            return []


def _entry(stub: RecipeStub) -> Entry:
    changed = stub.date_modified
    return Entry(
        key=str(stub.id),
        etag=f"{changed}|{','.join(stub.keywords)}",
        title=stub.name,
        place=stub.category,
        modified=None if changed is None else int(changed.timestamp()),
    )


def _text(recipe: Recipe) -> str:
    parts = [
        recipe.description,
        ", ".join(recipe.keywords),
        "\n".join(f"- {one}" for one in recipe.recipe_ingredient),
        "\n\n".join(recipe.recipe_instructions),
        ", ".join(recipe.tool),
    ]
    return "\n\n".join(part for part in parts if part.strip())
