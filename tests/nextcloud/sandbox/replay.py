"""Sends recorded requests to a sandbox: the same bytes, with the ids of the recording exchanged for ours."""

import json
import re
from typing import Any, cast

from lxml import etree
from tests.nextcloud.sandbox.comparing import Comparison
from tests.nextcloud.sandbox.naming import Names
from tests.nextcloud.sandbox.recordings import Step
from tests.nextcloud.sandbox.sending import HOST, Got, Person, basic, send

from aboveboard.nextcloud.sandbox import Sandbox

SHARE_PASSWORD, PASSWORD = "Share-pass-1", "Person-pass-1"
_JSON_IDS = {"fileId": "file", "id": "file", "folderId": "folder", "newestItemId": "item", "itemIds": "item"}
_XML_IDS = (
    (re.compile(r"(<oc:systemtag>)(\d+)"), "tag"),
    (re.compile(r"(<oc:fileid/></d:prop><d:literal>)(\d+)"), "file"),
)


async def clear_calendars(person: Person) -> None:
    """Leave someone the calendars that everyone has, with nothing in them."""
    home = f"/remote.php/dav/calendars/{person.uid}"
    for name in ("team", "tasks"):
        await person.send("DELETE", f"{home}/{name}/", headers={"x-nc-caldav-no-trashbin": "1"})
    for place in ("personal", "inbox", "trashbin/objects"):
        for href in await inside(person, f"{home}/{place}/"):
            await person.send("DELETE", href, headers={"schedule-reply": "F"})


async def inside(person: Person, place: str) -> list[str]:
    """The URLs of what a collection holds; the bin has to be queried."""
    query = (
        '<c:calendar-query xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:d="DAV:"><d:prop><d:getetag/></d:prop>'
        '<c:filter><c:comp-filter name="VCALENDAR"/></c:filter></c:calendar-query>'
    )
    method, body = ("REPORT", query) if "trashbin" in place else ("PROPFIND", "")
    listing = await person.send(method, place, headers={"depth": "1"}, body=body)
    found = [href.text or "" for href in etree.fromstring(listing.body).iter("{DAV:}href")]
    return [href for href in found if href != place]


class Replay:
    """A sandbox under a recorded scenario, and whose id is whose."""

    def __init__(self) -> None:
        self.sandbox = Sandbox()
        self.names = Names()
        self.admin, self.bob = Person(self.sandbox, "admin"), Person(self.sandbox, "bob")
        self.login = Person(self.sandbox, "admin", self.sandbox.passwords["admin"])

    async def clear(self) -> None:
        """Make the sandbox as empty as the server was when the recording began."""
        for recipe in (await self.admin.send("GET", "/index.php/apps/cookbook/api/v1/recipes")).json:
            await self.admin.send("DELETE", f"/index.php/apps/cookbook/api/v1/recipes/{recipe['id']}")
        for person in (self.admin, self.bob):
            for share in (await person.send("GET", "/ocs/v2.php/apps/files_sharing/api/v1/shares")).data:
                await person.send("DELETE", f"/ocs/v2.php/apps/files_sharing/api/v1/shares/{share['id']}")
            for name in await self.list_home(person):
                await person.send("DELETE", name, headers={"x-nc-skip-trashbin": "true"})
            await person.send("DELETE", f"/remote.php/dav/trashbin/{person.uid}/trash")
            change = {"key": "email", "value": ""}
            await self.login.post(f"/ocs/v2.php/cloud/users/{person.uid}", change, "PUT")
            await clear_calendars(person)
        for kind in ("feeds", "folders"):
            for one in (await self.admin.send("GET", f"/index.php/apps/news/api/v1-3/{kind}")).json[kind]:
                await self.admin.send("DELETE", f"/index.php/apps/news/api/v1-3/{kind}/{one['id']}")
        for tag in (1, 2, 3):
            await self.admin.send("DELETE", f"/remote.php/dav/systemtags/{tag}")

    async def list_home(self, person: Person) -> list[str]:
        """The URLs of what someone has."""
        listing = await person.send("PROPFIND", f"/remote.php/dav/files/{person.uid}/", headers={"depth": "1"})
        hrefs = [href.text or "" for href in etree.fromstring(listing.body).iter("{DAV:}href")]
        return hrefs[1:]

    async def known(self, person: Person, path: str, theirs: str, content: str = "x") -> None:
        """A file that the recording knows by an id."""
        got = await person.put(path, content)
        assert got.status in {201, 204}, got
        self.names.learn("file", theirs, str(int(got.headers["oc-fileid"][:8])))

    async def step(self, step: Step) -> dict[str, str]:
        """Send the recorded request; say where the answer differs."""
        got = await self.ask(step)
        return Comparison(step, self.names).differences(got)

    async def ask(self, step: Step) -> Got:
        """Send the recorded request."""
        target = self.names.path(step.path) + (f"?{self._fill(step.query)}" if step.query else "")
        headers = {name: self._fill(value) for name, value in step.headers.items()}
        authorization = self._authorization(step)
        if authorization:
            headers["authorization"] = authorization
        body = self._body(step)
        return await send(self.sandbox, step.method, target, headers=headers, body=body)

    def _fill(self, text: str) -> str:
        filled = self.names.path(text).replace("<SHARE-PASSWORD-1>", SHARE_PASSWORD).replace("<PASSWORD-1>", PASSWORD)
        return filled.replace("%3CSHARE-TOKEN", "<SHARE-TOKEN").replace("<BASE-URL>", f"http://{HOST}")

    def _authorization(self, step: Step) -> str:
        sandbox, person = self.sandbox, step.person
        special = {
            "link-shares/11-public-with-password": ("anyone", SHARE_PASSWORD),
            "link-shares/07-public-legacy": (self.names.ours("token", "<SHARE-TOKEN-2>"), ""),
            "app-password/03-use-it": ("admin", self.names.ours("token", "<APP-PASSWORD-1>")),
            "app-password/04-delete-it": ("admin", self.names.ours("token", "<APP-PASSWORD-1>")),
            "app-password/05-use-after-delete": ("admin", self.names.ours("token", "<APP-PASSWORD-1>")),
        }.get(f"{step.scenario}/{step.name}")
        people = {
            **{uid: (uid, password) for uid, password in sandbox.users.items()},
            "admin-login": ("admin", sandbox.passwords["admin"]),
            "wrong-password": ("admin", "wrong"),
            "unknown-user": ("nobody-here", "wrong"),
            "carol": ("carol", PASSWORD),
        }
        login = special or people.get(person)
        if "bearer" in step.name:
            return "Bearer nonsense"
        return basic(*login) if login else ""

    def _own_ids(self, kind: str, theirs: Any) -> Any:
        if isinstance(theirs, list):
            return [self._own_ids(kind, one) for one in cast("list[Any]", theirs)]
        return None if theirs is None else int(self.names.ours(kind, str(theirs)))

    def _body(self, step: Step) -> str | bytes:
        if isinstance(step.body, bytes):
            return step.body
        if "json" in step.headers.get("content-type", "") and step.body.startswith('{"'):
            value = json.loads(self._fill(step.body))
            for key, kind in _JSON_IDS.items():
                if key in value:
                    value[key] = self._own_ids(kind, value[key])
            return json.dumps(value, ensure_ascii=False)
        body = self._fill(step.body)
        for pattern, kind in _XML_IDS:
            body = pattern.sub(lambda found, kind=kind: found.group(1) + self.names.ours(kind, found.group(2)), body)
        return body
