"""Recipes as the index knows them: all, by words, by category, by keyword."""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from aboveboard.nextcloud.sandbox.calls import Call, Routes
from aboveboard.nextcloud.sandbox.cookbook.cleaning import seconds_of, stored_date
from aboveboard.nextcloud.sandbox.cookbook.cookbook import API, not_logged_in
from aboveboard.nextcloud.sandbox.cookbook.recipes import Cookbook
from aboveboard.nextcloud.sandbox.server.unified_search import Provider, fold_case
from aboveboard.nextcloud.sandbox.wire import Halt, json_response
from aboveboard.sandbox.wire import Response

WITHOUT = "_"
"""How a path says: without a category. Lists say * for the same."""

routes = Routes()
Row = sqlite3.Row


def _entries(call: Call, order: str = "name") -> list[Row]:
    sql = f"SELECT * FROM cookbook_index WHERE uid = ? ORDER BY {order}"  # noqa: S608 - a column's name
    return call.store.all(sql, call.uid)


def _stub(call: Call, row: Row, *, dated: bool) -> dict[str, Any]:
    """A recipe in a list; the picture's address has a date where lists want it fresh."""
    image = f"{call.root}/apps/cookbook/webapp/recipes/{row['recipe']}/image"
    fresh = f"&t={seconds_of(row['modified'])}" if dated else ""
    return {
        "recipe_id": row["recipe"],
        "name": row["name"],
        "keywords": row["keywords"],
        "category": row["category"],
        "dateCreated": row["created"],
        "dateModified": row["modified"],
        "imageUrl": f"{image}?size=thumb{fresh}",
        "imagePlaceholderUrl": f"{image}?size=thumb16",
        "id": str(row["recipe"]),
    }


def _chosen(call: Call, rows: Iterable[Row], wanted: Callable[[Row], bool]) -> Response:
    return json_response([_stub(call, row, dated=True) for row in rows if wanted(row)])


@routes.page("GET", f"{API}/recipes", public=True)
def list_recipes(call: Call) -> Response:
    """All recipes by their names, capitals or not."""
    if call.caller is None:
        return not_logged_in()
    rows = sorted(_entries(call), key=lambda row: str(row["name"]).lower())
    return json_response([_stub(call, row, dated=False) for row in rows])


def _has(row: Row, words: list[str]) -> bool:
    """Whether any of the words is in the name, a keyword or the category, ASCII letters in any case."""
    text = fold_case("\n".join(str(row[column] or "") for column in ("name", "keywords", "category")))
    return any(word in text for word in words)


@routes.page("GET", f"{API}/search/{{query}}")
def search(call: Call) -> Response:
    """Recipes that have one of the words, which spaces and commas part."""
    words = fold_case(call.text("query").replace(",", " ")).split()
    return _chosen(call, _entries(call), lambda row: _has(row, words))


def _search_everywhere(call: Call, term: str) -> list[dict[str, Any]]:
    found = [row for row in _entries(call) if _has(row, term.split())]
    return [
        {
            "thumbnailUrl": f"{call.host}/apps/cookbook/webapp/recipes/{row['recipe']}/image?size=thumb",
            "title": row["name"],
            "subline": row["category"] or "",
            "resourceUrl": f"{call.host}/apps/cookbook/#/recipe/{row['recipe']}",
            "icon": "",
            "rounded": False,
            "attributes": [],
        }
        for row in found
    ]


provider = Provider("cookbook", "Recipes", _search_everywhere)


def _counted(names: Iterable[str]) -> list[dict[str, Any]]:
    return [{"name": name, "recipe_count": count} for name, count in sorted(Counter(names).items())]


@routes.page("GET", f"{API}/categories")
def categories(call: Call) -> Response:
    """The categories, and last how many recipes have none."""
    rows = _entries(call)
    named = [row["category"] for row in rows if row["category"]]
    return json_response([*_counted(named), {"name": "*", "recipe_count": len(rows) - len(named)}])


@routes.page("GET", f"{API}/category/{{category}}")
def in_category(call: Call) -> Response:
    """The recipes of a category by their names; those of none as they came."""
    category = call.text("category")
    if category == WITHOUT:
        return _chosen(call, _entries(call, "recipe"), lambda row: row["category"] is None)
    return _chosen(call, _entries(call), lambda row: row["category"] == category)


@routes.page("PUT", f"{API}/category/{{category}}")
def rename_category(call: Call) -> Response:
    """Another name for a category, in all of its recipes; one that is there takes them in."""
    cookbook, old, new = Cookbook.of(call), call.text("category"), call.content.json().get("name")
    if not new:
        raise Halt(json_response("New category name not found in data", 400))
    cookbook.reindex()
    for row in _entries(call):
        place = cookbook.find(row["recipe"])
        if place and row["category"] == old:
            modified = stored_date(None, call.store.now())
            cookbook.write(place, {**cookbook.read(place), "recipeCategory": new, "dateModified": modified})
    return json_response(new)


@routes.page("GET", f"{API}/keywords")
def keywords(call: Call) -> Response:
    """The keywords, and how many recipes have each."""
    return json_response(
        _counted(word for row in _entries(call) for word in str(row["keywords"] or "").split(",") if word)
    )


@routes.page("GET", f"{API}/tags/{{keywords}}")
def with_keywords(_: Call) -> Response:
    """Nothing, whatever there is: on SQLite, that is what the real app finds."""
    return json_response([])
