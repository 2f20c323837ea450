"""The Cookbook API v1: recipes, and what the app is set to."""

import json
import re
from collections.abc import Callable
from typing import Any

from aboveboard.nextcloud.sandbox.calls import Call, Routes, to_int
from aboveboard.nextcloud.sandbox.cookbook.cleaning import BadRecipe
from aboveboard.nextcloud.sandbox.cookbook.recipes import DEFAULTS, PICTURE, PICTURES, Cookbook, stumble
from aboveboard.nextcloud.sandbox.files.views import Place
from aboveboard.nextcloud.sandbox.wire import Halt, http_date, json_response, page, read_json
from aboveboard.sandbox.wire import Response

API = "/apps/cookbook/api/v1"
_PLACEHOLDER = b'<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"><path d="M4 2v12M12 2v12"/></svg>'

routes = Routes()


@routes.page("OPTIONS", "/apps/cookbook/api/{rest...}", public=True)
def preflight(_: Call) -> Response:
    """What a browser asks first, of any path: so any other method of an unknown path is not allowed, not unknown."""
    return Response(200)


@routes.page("GET", "/apps/cookbook/api/version")
def version(_: Call) -> Response:
    """The version of the app, and of this API."""
    return json_response({"cookbook_version": [0, 11, 9], "api_version": {"epoch": 0, "major": 1, "minor": 2}})


def _given(call: Call) -> dict[str, Any]:
    """The recipe in a request; broken JSON is not foreseen."""
    if "json" not in call.content.content_type:
        return call.content.form()
    try:
        return read_json(call.body)
    except ValueError as error:
        raise stumble() from error


def _write(work: Callable[[], int]) -> Response:
    """The id of what was written."""
    try:
        return json_response(work())
    except BadRecipe as error:
        raise stumble() from error


def found(call: Call) -> tuple[Cookbook, Place]:
    """The recipe that a path names; a word is taken for 0."""
    cookbook, recipe = Cookbook.of(call), to_int(call.arguments["id"])
    place = cookbook.find(recipe)
    if place is None:
        raise Halt(json_response(recipe, 404))
    return cookbook, place


@routes.page("POST", f"{API}/recipes")
def create(call: Call) -> Response:
    """A new recipe."""
    return _write(lambda: Cookbook.of(call).create(_given(call)))


# The web client has a route of its own for the same.
@routes.page("PUT", f"{API}/recipes/{{id}}")
@routes.page("PUT", "/apps/cookbook/webapp/recipes/{id}")
def update(call: Call) -> Response:
    """All of a recipe anew. The id in the body says which; without one, a new recipe is made."""
    cookbook, given = Cookbook.of(call), _given(call)
    if not given.get("id"):
        return _write(lambda: cookbook.create(given))
    place = cookbook.find(to_int(given["id"]))
    if place is None:
        raise stumble()

    def work() -> int:
        cookbook.replace(place, given)
        return place.node.id

    return _write(work)


@routes.page("GET", f"{API}/recipes/{{id}}")
def get(call: Call) -> Response:
    """A recipe, with what is not in its file."""
    cookbook, place = found(call)
    return json_response(show_recipe(cookbook, place, call.root))


def show_recipe(cookbook: Cookbook, place: Place, root: str = "") -> dict[str, Any]:
    """A recipe as answers have it."""
    recipe = cookbook.read(place)
    dates = {
        name: re.sub(r"\+0000$", "+00:00", str(recipe[name]))
        for name in ("dateCreated", "dateModified")
        if recipe.get(name)
    }
    image = f"{root}/apps/cookbook/webapp/recipes/{place.node.id}/image?size=full"
    own = {"id": str(place.node.id), "printImage": cookbook.config["print_image"], "imageUrl": image}
    return {**recipe, **dates, **own}


@routes.page("DELETE", f"{API}/recipes/{{id}}")
def delete(call: Call) -> Response:
    """Gone, or so it is said: the answer is the same for what was never there."""
    recipe = to_int(call.arguments["id"])
    Cookbook.of(call).delete(recipe)
    return json_response(f"Recipe {recipe} deleted successfully")


@routes.page("GET", f"{API}/recipes/{{id}}/image")
def image(call: Call) -> Response:
    """The picture in one of three sizes; without one a drawing, for those who take drawings."""
    cookbook = Cookbook.of(call)
    place = cookbook.find(to_int(call.arguments["id"]))
    name = {"thumb": PICTURES[1], "thumb16": PICTURES[2]}.get(call.text("size"), PICTURE)
    picture = cookbook.view.child(place, name) if place else None
    if picture:
        headers = {
            "cache-control": "public, max-age=604800",
            "last-modified": http_date(picture.node.mtime),
            "etag": f'"{picture.node.etag}"',
            "content-disposition": f'inline; filename="{name}"',
            "content-type": "image/jpeg",
        }
        return Response(200, headers, cookbook.view.tree.content(picture.node))
    if not (call.wants("*/*") or call.wants("image/svg+xml")):
        raise Halt(json_response({"msg": "No image with the matching MIME type was found on the server."}, 406))
    headers = {"content-disposition": 'inline; filename=""', "content-type": "image/svg+xml"}
    return Response(200, headers, _PLACEHOLDER)


@routes.page("GET", f"{API}/config")
def get_config(call: Call) -> Response:
    """What the app is set to."""
    return json_response(Cookbook.of(call).config)


@routes.page("POST", f"{API}/config")
def set_config(call: Call) -> Response:
    """Change the settings that are given; another folder is another cookbook."""
    cookbook, given = Cookbook.of(call), call.content.json()
    for key in DEFAULTS.keys() & given.keys():
        if key == "update_interval" and not str(given[key]).isdecimal():
            raise stumble()
        value = json.dumps(given[key], ensure_ascii=False)
        cookbook.store.run("INSERT OR REPLACE INTO cookbook_config VALUES (?, ?, ?)", call.uid, key, value)
    if "folder" in given:
        cookbook.reindex()
    return json_response("OK")


@routes.page("POST", f"{API}/reindex")
def reindex(call: Call) -> Response:
    """Look at all files anew."""
    Cookbook.of(call).reindex()
    return json_response("Search index rebuilt successfully")


def not_logged_in() -> Response:
    """What someone without a name gets here, where other apps say that they should log in."""
    return page("Internal Server Error", 500)
