"""What apps keep that not every Nextcloud has: each is filled where it is there, and once."""

from collections.abc import Callable
from typing import Any, Final

from aboveboard.nextcloud.sandbox.cookbook.cookbook_seed import ON_THE_WEB, recipe_page
from aboveboard.nextcloud.sandbox.news.news_seed import FEEDS, rss
from aboveboard.nextcloud.seed.person import LINK, READ_AND_SHARE, Person, SeedError

_CARDS: Final = {
    "Backlog": ("Offline mode", "Dark theme", "Übersetzung 🇩🇪"),
    "Doing": ("Login with a key",),
}
_TOOLS: Final = (("Hammer", 2), ("Säge", 1))
_RECIPES: Final = (
    {"name": "Porridge", "recipeCategory": "Breakfast", "keywords": "quick,vegetarian", "recipeYield": 1},
    {"name": "Pumpkin soup", "recipeCategory": "Soups", "keywords": "autumn,vegetarian", "recipeYield": 6},
)


def fill_apps(one: Person) -> list[str]:
    """Fill the apps that are there, and say what each has now, or that it is missing."""
    there = {app["id"] for app in one.ocs("GET", "/core/navigation/apps")}
    told: list[str] = []
    for app, fill in _APPS.items():
        told += fill(one) if app in there else [f"nothing for {app}, which this Nextcloud does not have"]
    return told


def _deck(one: Person) -> list[str]:
    boards = "deck/api/v1.0/boards"
    if "Product" not in _titles(one, boards):
        board = one.app("POST", boards, {"title": "Product", "color": "317CCC"})["id"]
        rights = {"permissionEdit": True, "permissionShare": False, "permissionManage": False}
        one.app("POST", f"{boards}/{board}/acl", {"type": 0, "participant": "bob", **rights})
        for place, (title, cards) in enumerate(_CARDS.items()):
            stack = one.app("POST", f"{boards}/{board}/stacks", {"title": title, "order": place})["id"]
            for order, card in enumerate(cards):
                body = {"title": card, "type": "plain", "order": order, "description": ""}
                one.app("POST", f"{boards}/{board}/stacks/{stack}/cards", body)
    return ["a Deck board that bob may edit"]


def _tables(one: Person) -> list[str]:
    tables = "tables/api/1/tables"
    if "Tools" not in _titles(one, tables):
        table = one.app("POST", tables, {"title": "Tools", "emoji": "🔧", "template": "custom"})["id"]
        line = {"title": "What", "type": "text", "subtype": "line", "mandatory": True}
        what = one.app("POST", f"{tables}/{table}/columns", line)["id"]
        count = one.app("POST", f"{tables}/{table}/columns", {"title": "Count", "type": "number", "mandatory": False})
        for name, number in _TOOLS:
            one.app("POST", f"{tables}/{table}/rows", {"data": {str(what): name, str(count["id"]): number}})
        one.app("POST", f"{tables}/{table}/views", {"title": "All tools", "emoji": "🔧"})
    return ["a table with a view"]


def _cookbook(one: Person) -> list[str]:
    recipes = "cookbook/api/v1/recipes"
    there = {known["name"] for known in one.app("GET", recipes)}
    for recipe in _RECIPES:
        if recipe["name"] not in there:
            one.app("POST", recipes, recipe)
    return ["recipes"]


def _news(one: Person) -> list[str]:
    """Read a feed that this Nextcloud publishes itself; it may be forbidden, or unable, to fetch from itself."""
    url = _published(one, "garden")
    if url in {feed["url"] for feed in one.app("GET", "news/api/v1-3/feeds")["feeds"]}:
        return ["a feed"]
    try:
        one.app("POST", "news/api/v1-3/feeds", {"url": url, "folderId": None})
    except SeedError:
        return [f"no feed: News does not get {url} (see allow_local_remote_servers in Nextcloud's config.php)"]
    return ["a feed"]


_APPS: Final[dict[str, Callable[[Person], list[str]]]] = {
    "deck": _deck,
    "tables": _tables,
    "cookbook": _cookbook,
    "news": _news,
}


def publish_pages(one: Person) -> dict[str, str]:
    """Publish the page and the feed that the plan lets Nextcloud fetch, and return their addresses."""
    page = _linked(one, "Public/lentil-soup.html", recipe_page(ON_THE_WEB))
    return {"recipe_page": page, "feed_url": _published(one, "stars")}


def _published(one: Person, name: str) -> str:
    title, _, stories = FEEDS[name]
    return _linked(one, f"Public/{name}.xml", rss(title, f"http://feeds.example/{name}/", stories))


def _linked(one: Person, path: str, text: str) -> str:
    one.write(path, text)
    return one.address(f"/index.php/s/{one.share(path, LINK, '', READ_AND_SHARE)['token']}/download")


def _titles(one: Person, path: str) -> set[Any]:
    return {known["title"] for known in one.app("GET", path)}
