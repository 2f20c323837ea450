"""Fills a Nextcloud over its API with what the plan's cases expect: the same paths and texts as in the sandbox.

It speaks HTTP itself, and uses nothing of the client that is to be proven.
"""

import re
import secrets
from collections.abc import Mapping
from time import time
from typing import Any, Final
from urllib.parse import quote
from xml.sax.saxutils import escape

import httpx2

from aboveboard.errors import BadInput, Failure
from aboveboard.nextcloud.sandbox.files.pictures import pdf, png
from aboveboard.nextcloud.sandbox.seed.seed_texts import DOCUMENTS, NOTES

PLAN: Final = "Documents/plan.md"
VERSIONS: Final = ("# Plan\n\nFirst draft.\n", "# Plan\n\n1. Measure\n", "# Plan\n\n1. Measure\n2. Cut\n")
DAYS: Final = 24 * 3600
USER, GROUP, LINK, MAIL = 0, 1, 3, 4
THERE: Final = (405, 409)
"""How WebDAV says that something is there already."""
GROUP_IS_THERE: Final = 102
_FAVORITE: Final = (
    '<d:propertyupdate xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns">'
    "<d:set><d:prop><oc:favorite>1</oc:favorite></d:prop></d:set></d:propertyupdate>"
)


class SeedError(Failure):
    """The Nextcloud did not take what the seed wanted to put there."""


def fill_nextcloud(url: str, environment: Mapping[str, str], seed: Mapping[str, str]) -> list[str]:
    """Fill an instance, and say what was put there; `seed` names an administrator, who makes the second person."""
    user, password = _needed(environment, "NEXTCLOUD_USERNAME"), _needed(environment, "NEXTCLOUD_PASSWORD")
    boss, boss_password = _needed(seed, "admin"), _needed(seed, "password")
    bob_password = secrets.token_urlsafe(24)
    with _Person(url, boss, boss_password) as admin:
        admin.make_group("team")
        admin.make_user("bob", bob_password, "team")
    with _Person(url, user, password) as one, _Person(url, "bob", bob_password) as bob:
        _files(one)
        _plan(one)
        bob.write("Diary.md", "Nobody else reads this.\n")
        bob.write("Holiday/packing list.txt", "Tent\nStove\n")
        _shares(one, bob, user)
    return [
        "the account bob, with a password that nobody knows, and the group team",
        f"files, notes, versions, comments and tags of {user}",
        f"shares of {user}, and one that bob made for {user}",
    ]


def _needed(table: Mapping[str, str], name: str) -> str:
    if not table.get(name):
        where = "env" if name.isupper() else "seed"
        raise BadInput(f"The seed needs {name}: give it under `{where}` of the backend file.")
    return str(table[name])


def _files(one: "_Person") -> None:
    for path, text in DOCUMENTS.items():
        one.write(path, text)
    for path, text in NOTES.items():
        one.write(f"Notes/{path}.md", text)
    one.write("Documents/report.pdf", pdf("Quarterly report"))
    one.write("Photos/sunset.png", png(24, 16))


def _plan(one: "_Person") -> None:
    """Write the file that has all there is to lose; its versions are weeks apart, as Nextcloud thins out close ones."""
    file = 0
    for age, text in zip((120, 80, 40), VERSIONS, strict=True):
        file = one.write(PLAN, text, modified=int(time()) - age * DAYS)
    one.star(PLAN)
    for message in ("Who measures?", "I do, on Monday."):
        one.comment(file, message)
    tags = {name: one.make_tag(name) for name in ("urgent", "reviewed")}
    one.tag(file, tags["urgent"])
    one.write("Documents/old draft.md", "Thrown away.\n")
    one.delete("Documents/old draft.md")


def _shares(one: "_Person", bob: "_Person", user: str) -> None:
    one.share(PLAN, USER, "bob", 1)
    one.share("Projects", USER, "bob", 15)
    one.share("Photos", GROUP, "team", 1)
    one.share("Public", LINK, "", 17, label="For visitors")
    one.share("Documents/report.pdf", LINK, "", 17, password=secrets.token_urlsafe(12), expireDate="2030-12-31")
    one.share("Documents/budget.csv", MAIL, "carol@example.org", 17)
    bob.share("Holiday", USER, user, 15)


class _Person:
    """One account, and what it can put there."""

    def __init__(self, url: str, name: str, password: str) -> None:
        headers = {"OCS-APIRequest": "true", "Accept": "application/json"}
        self._http = httpx2.Client(auth=(name, password), headers=headers, timeout=60, trust_env=False)
        self._url, self._name = url.rstrip("/"), name

    def __enter__(self) -> "_Person":
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def write(self, path: str, content: str | bytes, *, modified: int | None = None) -> int:
        """Write a file with the folders around it, and return its id."""
        folders = path.split("/")[:-1]
        for depth in range(len(folders)):
            self._send("MKCOL", self._file("/".join(folders[: depth + 1])), also=THERE)
        raw = content.encode() if isinstance(content, str) else content
        more = {} if modified is None else {"X-OC-MTime": str(modified)}
        answer = self._send("PUT", self._file(path), content=raw, headers=more)
        known = re.match(r"\d+", answer.headers.get("OC-FileId", ""))
        return int(known[0]) if known else 0

    def delete(self, path: str) -> None:
        self._send("DELETE", self._file(path))

    def star(self, path: str) -> None:
        self._send("PROPPATCH", self._file(path), content=_FAVORITE.encode())

    def comment(self, file: int, message: str) -> None:
        body = {"actorType": "users", "verb": "comment", "message": message}
        self._send("POST", f"/remote.php/dav/comments/files/{file}", json=body)

    def make_tag(self, name: str) -> str:
        """Make a tag, or find the one of that name."""
        body = {"name": name, "userVisible": True, "userAssignable": True}
        made = self._send("POST", "/remote.php/dav/systemtags", json=body, also=THERE)
        if place := made.headers.get("Content-Location"):
            return place.rpartition("/")[2]
        asked = '<d:propfind xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:prop><oc:id/><oc:display-name/></d:prop></d:propfind>'
        found = self._send("PROPFIND", "/remote.php/dav/systemtags/", content=asked.encode(), headers={"Depth": "1"})
        ours = re.search(rf"<oc:id>(\d+)</oc:id><oc:display-name>{re.escape(escape(name))}<", found.text)
        if ours is None:
            raise SeedError(f"The tag {name!r} could neither be made nor found.")
        return ours[1]

    def tag(self, file: int, tag: str) -> None:
        self._send("PUT", f"/remote.php/dav/systemtags-relations/files/{file}/{tag}", also=THERE)

    def share(self, path: str, kind: int, receiver: str, permissions: int, **more: str) -> None:
        """Share something; links and mails of an earlier seed stay, so that a second one would be one too many."""
        if self._shared(path, kind, receiver):
            return
        body: dict[str, Any] = {"path": f"/{path}", "shareType": kind, "permissions": permissions, **more}
        self._ocs("/apps/files_sharing/api/v1/shares", body | ({"shareWith": receiver} if receiver else {}))

    def _shared(self, path: str, kind: int, receiver: str) -> bool:
        found = self._send("GET", f"/ocs/v2.php/apps/files_sharing/api/v1/shares?path={quote('/' + path)}").json()
        shares = [(one["share_type"], one["share_with"] or "") for one in found["ocs"]["data"]]
        return any(one == (kind, receiver) if receiver else one[0] == kind for one in shares)

    def make_group(self, name: str) -> None:
        self._ocs("/cloud/groups", {"groupid": name}, also=(GROUP_IS_THERE,))

    def make_user(self, name: str, password: str, group: str) -> None:
        """Make an account; one that is there is given this password."""
        if self._send("GET", f"/ocs/v2.php/cloud/users/{quote(name)}", also=(404,)).status_code == 404:
            self._ocs("/cloud/users", {"userid": name, "password": password, "groups": [group], "displayName": "Bob"})
            return
        self._ocs(f"/cloud/users/{quote(name)}", {"key": "password", "value": password}, method="PUT")

    def _file(self, path: str) -> str:
        return f"/remote.php/dav/files/{quote(self._name)}/{quote(path)}"

    def _ocs(self, path: str, body: Mapping[str, Any], *, method: str = "POST", also: tuple[int, ...] = ()) -> None:
        """Send what OCS takes; its own number in the body says more than the status."""
        answer = self._send(method, f"/ocs/v2.php{path}", json=dict(body), also=(400,))
        told = answer.json()["ocs"]["meta"]
        if told["statuscode"] not in (100, 200, *also):
            raise SeedError(f"Nextcloud refused {method} {path} of {self._name}: {told['message']}.")

    def _send(self, method: str, path: str, *, also: tuple[int, ...] = (), **given: Any) -> httpx2.Response:
        try:
            answer = self._http.request(method, self._url + path, **given)
        except httpx2.HTTPError as error:
            raise SeedError(f"{self._url} cannot be reached: {error or type(error).__name__}.") from None
        if answer.is_success or answer.status_code in also:
            return answer
        raise SeedError(f"Nextcloud answered {method} {path} of {self._name} with HTTP status {answer.status_code}.")
