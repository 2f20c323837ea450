"""A file, a note, a link, a table and a contact with every field set to something unusual, made past our own client."""

import codecs
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

import httpx2
from tests.nextcloud.calendar_texts import ODD, ODD_TASK
from tests.nextcloud.flavours import APPLE
from tests.nextcloud.made_once import made_once
from tests.nextcloud.odd_tables import make_odd_table

from aboveboard.nextcloud.sandbox import Sandbox

FILE: Final = "Work/Ödd #1 100%.txt"
NOTE: Final = "Notes/Ünï/Sub/Ödd.txt"
LATIN: Final = "Grüße aus Köln, 7 °C".encode("latin-1")
TEXT: Final = codecs.BOM_UTF8 + "# Größe?\r\n\r\n- [ ] 🚀\r\n".encode()
CARD: Final = "ödd card.vcf"
"""In admin's first address book; its UID is `odd-card`."""
_SHARES: Final = "/ocs/v2.php/apps/files_sharing/api/v1/shares"
_RECIPES: Final = "/index.php/apps/cookbook/api/v1/recipes"
_NEWS: Final = "/index.php/apps/news"
RECIPE: Final = {
    "name": "Ödd stew",
    "description": "**all** fields",
    "url": "https://example.com/r",
    "image": "/Odd.png",
    "prepTime": "PT1H5M",
    "cookTime": "PT90M",
    "totalTime": "PT2H35M",
    "recipeCategory": "Main",
    "keywords": "a,b c,ü",
    "recipeYield": 4,
    "yield": "4 people",
    "tool": ["pan", "knife"],
    "recipeIngredient": ["## Dough", "200 g flour"],
    "recipeInstructions": ["mix", "bake"],
    "nutrition": {"@type": "NutritionInformation", "calories": "100 kcal", "x-own": "z"},
    "author": {"@type": "Person", "name": "Jane"},
    "aggregateRating": {"@type": "AggregateRating", "ratingValue": "4.5"},
    "x-custom": "kept?",
}
_PROPERTY: Final = (
    '<d:propertyupdate xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns" xmlns:nc="http://nextcloud.org/ns">'
    "<d:set><d:prop>{}</d:prop></d:set></d:propertyupdate>"
)


@dataclass(frozen=True)
class Odd:
    """What was made, as the arguments of a case name it."""

    note: int
    etag: str
    version: str
    link: int
    person: int
    """The share of the file with a person."""
    recipe: int
    feed: int
    folder: int
    item: int
    of_table: Mapping[str, int]
    """The parts of a table, by what they are."""

    @property
    def names(self) -> dict[str, object]:
        """What can be named in a case, and what it is."""
        return {**vars(self), **self.of_table}


class _Maker:
    def __init__(self, client: httpx2.AsyncClient) -> None:
        self._client = client

    async def send(
        self, method: str, path: str, *, headers: Mapping[str, str] | None = None, **body: object
    ) -> httpx2.Response:
        given = {"ocs-apirequest": "true", "accept": "application/json", **(headers or {})}
        answer = await self._client.request(method, path, headers=given, **body)  # pyright: ignore[reportArgumentType]
        assert answer.status_code < 300, (method, path, answer.text)
        return answer

    async def file(self, path: str, *contents: bytes) -> int:
        """Make a file with versions, and with all that a file can have besides; return its id."""
        at = f"/remote.php/dav/files/admin/{quote(path)}"
        made = httpx2.Response(404)
        for number, content in enumerate(contents):
            moment = {"x-oc-mtime": str(1600000000 + number), "oc-checksum": "MD5:0a"}
            made = await self.send("PUT", at, content=content, headers={"x-nc-webdav-auto-mkcol": "1", **moment})
        file = int(made.headers["oc-fileid"][:8])
        await self.patch(at, '<x:color xmlns:x="urn:odd">blue &amp; green</x:color>')
        await self.patch(at, "<oc:favorite>1</oc:favorite>")
        await self.send("PUT", f"/remote.php/dav/systemtags-relations/files/{file}/1")
        comment = {"actorType": "users", "verb": "comment", "message": "Ünï <b> @bob"}
        await self.send("POST", f"/remote.php/dav/comments/files/{file}", json=comment)
        return file

    async def patch(self, at: str, prop: str) -> None:
        """Set a property."""
        await self.send("PROPPATCH", at, content=_PROPERTY.format(prop), headers={"content-type": "application/xml"})

    async def share(self, path: str, **fields: object) -> int:
        """Share a file in some way; return the share's id."""
        made = await self.send("POST", _SHARES, json={"path": f"/{path}", **fields})
        number = int(made.json()["ocs"]["data"]["id"])
        # What a file of a person can have is set by an update alone.
        await self.send("PUT", f"{_SHARES}/{number}", json={"hideDownload": "true", "note": "Ünï\nnote"})
        return number

    async def recipe(self) -> int:
        """Make a recipe with a picture, with all that schema.org has, and with what it has not; return its id."""
        await self.send("PUT", "/remote.php/dav/files/admin/Odd.png", content=b"\x89PNG odd")
        made = await self.send("POST", _RECIPES, json=RECIPE)
        return int(made.json())

    async def feed(self) -> tuple[int, int, int]:
        """Make a feed in a folder, with all that the web client can set, a read and starred item; return all three."""
        folder = (await self.send("POST", f"{_NEWS}/api/v1-3/folders", json={"name": "Ödd"})).json()["folders"][0]["id"]
        body = {"url": "http://feeds.example/stars.xml", "folderId": folder}
        feed = (await self.send("POST", f"{_NEWS}/api/v1-3/feeds", json=body)).json()["feeds"][0]["id"]
        odd = {"pinned": True, "fullTextEnabled": True, "updateMode": 1, "ordering": 2, "title": "Ödd title"}
        await self.send("PATCH", f"{_NEWS}/feeds/{feed}", json=odd)
        await self.send("POST", f"{_NEWS}/api/v1-3/feeds/{feed}/filter", json={"titleKeywords": "spam"})
        listed = await self.send("GET", f"{_NEWS}/api/v1-3/items?type=0&id={feed}")
        item = listed.json()["items"][0]["id"]
        for mark in ("read", "star"):
            await self.send("POST", f"{_NEWS}/api/v1-3/items/{item}/{mark}")
        return feed, folder, item


@made_once
async def make_odd_things(sandbox: Sandbox) -> Odd:
    """Make all of it."""
    auth = (sandbox.username, sandbox.token)
    transport = httpx2.ASGITransport(sandbox.app)
    async with httpx2.AsyncClient(transport=transport, auth=auth, base_url="http://sandbox") as client:
        make = _Maker(client)
        file = await make.file(FILE, b"first", b"second", LATIN)
        version = f"/remote.php/dav/versions/admin/versions/{file}/1600000000"
        await make.patch(version, "<nc:version-label>Keep me</nc:version-label>")
        link = await make.share(
            FILE, shareType=3, permissions=3, password="Odd-Secret-1", expireDate="2031-02-28", label="Ünï link"
        )
        person = await make.share(FILE, shareType=0, shareWith="bob", permissions=19, expireDate="2031-03-31")
        note = await make.file(NOTE, b"older", TEXT)
        await make.file(f"Notes/Ünï/Sub/.attachments.{note}/size.txt", b"200 x 90")
        await make.share(NOTE, shareType=3, permissions=1, label="Note")
        task = "/remote.php/dav/calendars/admin/tasks/odd.ics"
        await make.send("PUT", task, content=ODD_TASK.encode(), headers={"content-type": "text/calendar"})
        event = "/remote.php/dav/calendars/admin/personal/odd.ics"
        await make.send("PUT", event, content=ODD.encode(), headers={"content-type": "text/calendar"})
        at = f"/remote.php/dav/addressbooks/users/admin/contacts/{quote(CARD)}"
        await make.send("PUT", at, content=APPLE.replace("UID:apple-1", "UID:odd-card").encode())
        read = (await make.send("GET", f"/index.php/apps/notes/api/v1/notes/{note}")).json()
        recipe = await make.recipe()
        feed, folder, item = await make.feed()
        table = await make_odd_table(make.send)
        return Odd(note, str(read["etag"]), "1600000000", link, person, recipe, feed, folder, item, table)
