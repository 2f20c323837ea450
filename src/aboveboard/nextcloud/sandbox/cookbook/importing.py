"""Recipes out of the web: the schema.org data of a page."""

import ipaddress
import json
import re
from typing import Any, cast

from aboveboard.nextcloud.sandbox import web
from aboveboard.nextcloud.sandbox.calls import Call, Routes
from aboveboard.nextcloud.sandbox.cookbook.cookbook import API, show_recipe
from aboveboard.nextcloud.sandbox.cookbook.recipes import Cookbook
from aboveboard.nextcloud.sandbox.wire import Halt, json_response
from aboveboard.sandbox.wire import Response

_DATA = re.compile(rb'<script type="application/ld\+json">(.*?)</script>', re.DOTALL)
_NEAR = frozenset({"local", "localhost", "intranet", "internal", "private", "corp", "home", "lan"})

routes = Routes()


def _refused(message: str) -> Halt:
    return Halt(json_response(message, 400))


@routes.page("POST", f"{API}/import")
def import_recipe(call: Call) -> Response:
    """The recipe of a page, kept under its name."""
    url = call.content.json().get("url")
    if not url:
        raise _refused('Field "url" is required')
    if not _allowed(str(url)):
        raise _refused("The provided URL is not allowed.")
    if _is_near(str(url)):
        raise _refused(f"Exception while downloading recipe from {url}.: URL resolves to a local/internal address")
    content = web.fetch(call.store, str(url))
    if content is None:
        raise _refused(
            f"Exception while downloading recipe from {url}.: Error occurred while downloading the file: Client error:"
            f" `GET {url}` resulted in a `404 File not found` response:\n<!DOCTYPE HTML>\n"
            '<html lang="en">\n    <head>\n        <meta charset="utf-8">\n        <title>Error response</title>\n'
            "    </h (truncated...)\n"
        )
    recipe = _recipe(content)
    if recipe is None:
        raise _refused("No parser found for the given import.")
    cookbook = Cookbook.of(call)
    made = cookbook.create({**recipe, "url": url})
    place = cookbook.find(made)
    if place is None:
        raise AssertionError("a recipe that was just made is found")
    kept = {
        name: value for name, value in show_recipe(cookbook, place).items() if name not in {"printImage", "imageUrl"}
    }
    return json_response(kept if recipe.get("nutrition") else {**kept, "nutrition": list[str]()})


def _allowed(url: str) -> bool:
    """Whether the Cookbook asks for an address: one of the web, with a name that is not "localhost"."""
    host = web.host_of(url).partition(":")[0]
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return host not in ("", "localhost")
    return False


def _is_near(url: str) -> bool:
    """Whether a name is one of Nextcloud's own network, of which its administrator would have to allow to fetch."""
    host = web.host_of(url).partition(":")[0]
    return "." not in host or host.rpartition(".")[2] in _NEAR


def _recipe(content: bytes) -> dict[str, Any] | None:
    for found in _DATA.findall(content):
        try:
            data = json.loads(found)
        except ValueError:
            continue
        if isinstance(data, dict) and cast("dict[str, Any]", data).get("@type") == "Recipe":
            return cast("dict[str, Any]", data)
    return None
