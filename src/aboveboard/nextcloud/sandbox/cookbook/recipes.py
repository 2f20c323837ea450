"""One person's cookbook. A recipe is a folder: its id is the folder's, and in it are recipe.json and the pictures.

What lists and searches show comes from an index, which follows what the app itself writes, and files only by a reindex.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, cast

from aboveboard.nextcloud.sandbox import web
from aboveboard.nextcloud.sandbox.calls import Call
from aboveboard.nextcloud.sandbox.cookbook.cleaning import clean, folder_name, indexed_name, stored_date
from aboveboard.nextcloud.sandbox.cookbook.cookbook_facts import tell_recipes
from aboveboard.nextcloud.sandbox.files.files import take_away
from aboveboard.nextcloud.sandbox.files.views import Place, View
from aboveboard.nextcloud.sandbox.store import PERSON, Store
from aboveboard.nextcloud.sandbox.wire import Halt, json_response, page
from aboveboard.sandbox.table import Table

CONFIG = Table("cookbook_config", f"{PERSON}, key TEXT, value TEXT, PRIMARY KEY (uid, key)", tell=tell_recipes)
INDEX = Table(
    "cookbook_index",
    f"{PERSON}, recipe INTEGER, name TEXT, category TEXT, keywords TEXT, created TEXT, modified TEXT,"
    " PRIMARY KEY (uid, recipe)",
    fleeting=True,
)

FILE, PICTURE = "recipe.json", "full.jpg"
PICTURES = (PICTURE, "thumb.jpg", "thumb16.jpg")
DEFAULTS: dict[str, Any] = {
    "folder": "/Recipes",
    "update_interval": 5,
    "print_image": True,
    "visibleInfoBlocks": {
        "preparation-time": True,
        "cooking-time": True,
        "total-time": True,
        "nutrition-information": True,
        "tools": True,
    },
}
_DATES = {"dateCreated", "dateModified"}
_SERVICE = "/var/www/nextcloud/apps-extra/cookbook/lib/Service/RecipeService.php"


def stumble() -> Halt:
    """What the app did not foresee: a page for people, whoever asks."""
    return Halt(page("Internal Server Error", 500))


def _refused(status: int, message: str, line: int) -> Halt:
    return Halt(json_response({"msg": message, "file": _SERVICE, "line": line}, status))


class Cookbook:
    """The recipes of one person."""

    def __init__(self, store: Store, uid: str) -> None:
        self.store, self.uid, self.view = store, uid, View(store, uid)

    @classmethod
    def of(cls, call: Call) -> "Cookbook":
        """The recipes of the person who calls."""
        return cls(call.store, call.uid)

    @property
    def config(self) -> dict[str, Any]:
        """The settings, those that nobody set too."""
        rows = self.store.all("SELECT key, value FROM cookbook_config WHERE uid = ?", self.uid)
        return DEFAULTS | {row["key"]: json.loads(row["value"]) for row in rows}

    def folder(self) -> Place:
        """The folder with all recipes, made where there is none."""
        return self.view.make_folders(str(self.config["folder"]))

    def find(self, recipe: int) -> Place | None:
        """The folder of a recipe, if there is one of this id for this person."""
        place = self.view.by_id(recipe)
        above = self.view.find(str(self.config["folder"]))
        if place is None or above is None or place.parent_path != above.path:
            return None
        return place if self.view.child(place, FILE) else None

    def read(self, place: Place) -> dict[str, Any]:
        """What the file of a recipe says."""
        file = self.view.child(place, FILE)
        return cast("dict[str, Any]", json.loads(self.view.tree.content(file.node) if file else "{}"))

    def create(self, given: Mapping[str, Any]) -> int:
        """A new recipe, whose name nobody has yet."""
        recipe = self._cleaned(given, new=True)
        name = self._free_folder(str(given["name"]))
        folder = self.view.tree.make_folder(self.folder().node, name)
        place = self.view.by_id(folder.id)
        if place is None:
            raise AssertionError("a folder of one's own is seen")
        self.view.tree.make_file(folder, FILE, _encoded(recipe))
        self._set_picture(place, str(recipe["image"]), "")
        self.view.tree.make_file(folder, ".nomedia", b"")
        self.index(place)
        return folder.id

    def replace(self, place: Place, given: Mapping[str, Any]) -> None:
        """All of a recipe anew; one without an image loses the picture that it has."""
        before, recipe = self.read(place), self._cleaned(given, new=False)
        name = folder_name(str(given["name"]))
        if name != place.name:
            self.view.tree.move_past_dav(place.node, self.folder().node, self._free_folder(str(given["name"])))
            place = self.view.by_id(place.node.id) or place
        self.write(place, recipe)
        self._set_picture(place, str(recipe["image"]), str(before.get("image", "")))

    def write(self, place: Place, recipe: Mapping[str, Any]) -> None:
        """Write the file of a recipe."""
        file = self.view.child(place, FILE)
        if file:
            self.view.tree.write(file.node, _encoded(recipe))
        self.index(place)

    def delete(self, recipe: int) -> None:
        """Into the bin; of an id that is not there, or someone else's, only what the index knows is forgotten."""
        place = self.find(recipe)
        if place:
            take_away(self.view, place)
        self.store.run("DELETE FROM cookbook_index WHERE recipe = ?", recipe)

    def _cleaned(self, given: Mapping[str, Any], *, new: bool) -> dict[str, Any]:
        if not given.get("name"):
            message = "No recipe name was given. A unique name is required to store the recipe."
            raise _refused(422, message, 207)
        return clean(given, self.store.now(), new=new)

    def _free_folder(self, name: str) -> str:
        folder = folder_name(name)
        if self.view.child(self.folder(), folder):
            raise _refused(409, "Another recipe with that name already exists", 248)
        return folder

    def _set_picture(self, place: Place, image: str, before: str) -> None:
        """A picture out of the person's files or of the web; one that cannot be had leaves the old one."""
        if not image:
            for child in self.view.children(place):
                if child.name in PICTURES:
                    take_away(self.view, child)
        elif image != before:
            source = None if image.startswith("http") else self.view.find(image)
            content = self.view.tree.content(source.node) if source else web.fetch(self.store, image)
            for name in PICTURES if content else ():
                self._put(place, name, content or b"")

    def _put(self, place: Place, name: str, content: bytes) -> None:
        there = self.view.child(place, name)
        if there:
            self.view.tree.write(there.node, content)
        else:
            self.view.tree.make_file(place.node, name, content)

    def index(self, place: Place) -> None:
        """Let lists and searches know of a recipe as it is now."""
        recipe = self.read(place)
        values = (recipe.get("recipeCategory") or None, recipe.get("keywords") or None)
        dates = (recipe.get("dateCreated"), recipe.get("dateModified"))
        self.store.run(
            "INSERT OR REPLACE INTO cookbook_index VALUES (?, ?, ?, ?, ?, ?, ?)",
            self.uid,
            place.node.id,
            indexed_name(str(recipe.get("name", place.name))),
            *values,
            *dates,
        )

    def reindex(self) -> None:
        """Look at all files anew; one that has no dates is written again, with its id, and with the time it is of."""
        self.store.run("DELETE FROM cookbook_index WHERE uid = ?", self.uid)
        for place in self.all():
            recipe = self.read(place)
            if recipe.keys() >= _DATES:
                self.index(place)
                continue
            changed = recipe.get("dateModified")
            made = recipe.get("dateCreated") or changed or stored_date(None, place.node.mtime)
            self.write(place, {**recipe, "id": place.node.id, "dateCreated": made, "dateModified": changed})

    def all(self) -> Iterator[Place]:
        """The folders of all recipes."""
        for place in self.view.children(self.folder()):
            if place.node.folder and self.view.child(place, FILE):
                yield place


def _encoded(recipe: Mapping[str, Any]) -> bytes:
    """JSON as PHP writes it."""
    return json.dumps(recipe, separators=(",", ":")).replace("/", "\\/").encode()
