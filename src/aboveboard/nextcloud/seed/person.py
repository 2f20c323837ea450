"""One account, and what it can put there: HTTP alone, and nothing of the client that is to be proven."""

import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote

import httpx2
from lxml import etree

from aboveboard.errors import BadInput, Failure

THERE: Final = (405, 409)
"""How WebDAV says that something is there already."""
GROUP_IS_THERE: Final = 102
USER, GROUP, LINK, MAIL = 0, 1, 3, 4
READ_AND_SHARE: Final = 17
_SPACES: Final = {"d": "DAV:", "oc": "http://owncloud.org/ns", "nc": "http://nextcloud.org/ns"}
_DECLARED: Final = " ".join(f'xmlns:{prefix}="{space}"' for prefix, space in _SPACES.items())
_FAVORITE: Final = (
    '<d:propertyupdate xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns">'
    "<d:set><d:prop><oc:favorite>1</oc:favorite></d:prop></d:set></d:propertyupdate>"
)


class SeedError(Failure):
    """The Nextcloud did not take what the seed wanted to put there."""


class Person:
    """One account, and what it can put there."""

    def __init__(self, url: str, name: str, password: str) -> None:
        headers = {"OCS-APIRequest": "true", "Accept": "application/json"}
        self._http = httpx2.Client(auth=(name, password), headers=headers, timeout=60, trust_env=False)
        self._url, self.name = url.rstrip("/"), name

    def __enter__(self) -> "Person":
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def address(self, path: str) -> str:
        """Return the address of a page under the one by which the Nextcloud was given."""
        return self._url + path

    def write(self, path: str, content: str | bytes, *, modified: int | None = None) -> int:
        """Write a file with the folders around it, unless it is as it should be; return its id."""
        raw = content.encode() if isinstance(content, str) else content
        if self.holds(path, raw):
            return int(self._found(self._file(path), "oc:fileid", depth=0)[0][0])
        folders = path.split("/")[:-1]
        for depth in range(len(folders)):
            self.send("MKCOL", self._file("/".join(folders[: depth + 1])), also=THERE)
        more = {} if modified is None else {"X-OC-MTime": str(modified)}
        answer = self.send("PUT", self._file(path), content=raw, headers=more)
        known = re.match(r"\d+", answer.headers.get("OC-FileId", ""))
        return int(known[0]) if known else 0

    def holds(self, path: str, content: bytes) -> bool:
        """Tell whether a file has this content: each equal write would be one more version of it."""
        there = self.send("GET", self._file(path), also=(404,))
        return there.status_code != 404 and there.content == content

    def throw_away(self, path: str, content: str) -> None:
        """Put a file into the bin that has never been anywhere else; one of its kind is enough."""
        bin_of = f"/remote.php/dav/trashbin/{quote(self.name)}/trash/"
        if (path,) not in self._found(bin_of, "nc:trashbin-original-location"):
            self.write(path, content)
            self.send("DELETE", self._file(path))

    def star(self, path: str) -> None:
        """Make a file one of the favorites."""
        self.send("PROPPATCH", self._file(path), content=_FAVORITE.encode())

    def comment(self, file: int, message: str) -> None:
        """Say something about a file, once."""
        comments = f"/remote.php/dav/comments/files/{file}"
        if (message,) not in self._found(comments, "oc:message"):
            self.send("POST", comments, json={"actorType": "users", "verb": "comment", "message": message})

    def make_tag(self, name: str) -> str:
        """Make a tag, or find the one of that name."""
        body = {"name": name, "userVisible": True, "userAssignable": True}
        made = self.send("POST", "/remote.php/dav/systemtags", json=body, also=THERE)
        if place := made.headers.get("Content-Location"):
            return place.rpartition("/")[2]
        tags = self._found("/remote.php/dav/systemtags/", "oc:display-name", "oc:id")
        known = {one[0]: one[1] for one in tags}
        if name not in known:
            raise SeedError(f"The tag {name!r} could neither be made nor found.")
        return known[name]

    def tag(self, file: int, tag: str) -> None:
        """Put a tag on a file; one that has it already keeps it."""
        self.send("PUT", f"/remote.php/dav/systemtags-relations/files/{file}/{tag}", also=THERE)

    def share(self, path: str, kind: int, receiver: str, permissions: int, **more: str) -> Mapping[str, Any]:
        """Share something; links and mails of an earlier seed stay, so that a second one would be one too many."""
        if there := self._shared(path, kind, receiver):
            return there
        body: dict[str, Any] = {"path": f"/{path}", "shareType": kind, "permissions": permissions, **more}
        return self.ocs(
            "POST", "/apps/files_sharing/api/v1/shares", body | ({"shareWith": receiver} if receiver else {})
        )

    def _shared(self, path: str, kind: int, receiver: str) -> Mapping[str, Any] | None:
        shares = self.ocs("GET", f"/apps/files_sharing/api/v1/shares?path={quote('/' + path)}")
        ours = [one for one in shares if one["share_type"] == kind and receiver in ("", one["share_with"])]
        return ours[0] if ours else None

    def make_user(self, name: str, password: str, group: str) -> None:
        """Make an account, and its group where it is missing; one that an earlier seed made is given this password."""
        if self.send("GET", f"/ocs/v2.php/cloud/users/{quote(name)}", also=(404,)).status_code == 404:
            self.ocs("POST", "/cloud/groups", {"groupid": group}, also=(GROUP_IS_THERE,))
            body = {"userid": name, "password": password, "groups": [group], "displayName": "Bob"}
            self.ocs("POST", "/cloud/users", body)
            return
        if group not in self.ocs("GET", f"/cloud/users/{quote(name)}")["groups"]:
            raise BadInput(
                f"There is an account {name} that no seed made: it is not in the group {group}.",
                next_step="Fill an instance that may be lost.",
            )
        self.ocs("PUT", f"/cloud/users/{quote(name)}", {"key": "password", "value": password})

    def mail_of(self, name: str) -> str:
        """Tell the mail address of an account, by which it is invited; one that has none is given one."""
        known = self.ocs("GET", f"/cloud/users/{quote(name)}")["email"]
        if known:
            return str(known)
        given = f"{re.sub(r'[^A-Za-z0-9.-]', '-', name)}@example.org"
        self.ocs("PUT", f"/cloud/users/{quote(name)}", {"key": "email", "value": given})
        return given

    def _found(self, path: str, *names: str, depth: int = 1) -> list[tuple[str, ...]]:
        """Read these properties of everything at a place; what something has not is empty."""
        wanted = "".join(f"<{name}/>" for name in names)
        asked = f"<d:propfind {_DECLARED}><d:prop>{wanted}</d:prop></d:propfind>"
        answer = self.send("PROPFIND", path, content=asked.encode(), headers={"Depth": str(depth)})
        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
        there = etree.fromstring(answer.content, parser).iterfind("d:response", _SPACES)
        return [tuple(one.findtext(f".//{name}", "", _SPACES) for name in names) for one in there]

    def _file(self, path: str) -> str:
        return f"/remote.php/dav/files/{quote(self.name)}/{quote(path)}"

    def ocs(self, method: str, path: str, body: Mapping[str, Any] | None = None, *, also: tuple[int, ...] = ()) -> Any:
        """Send what OCS takes, and return its data; its own number in the body says more than the status."""
        told = self.send(method, f"/ocs/v2.php{path}", json=body, also=(400,)).json()["ocs"]
        if told["meta"]["statuscode"] not in (100, 200, *also):
            raise SeedError(f"Nextcloud refused {method} {path} of {self.name}: {told['meta']['message']}.")
        return told["data"]

    def app(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """Send what an app takes as JSON, and return what it says."""
        return self.send(method, f"/index.php/apps/{path}", json=body).json()

    def send(self, method: str, path: str, *, also: tuple[int, ...] = (), **given: Any) -> httpx2.Response:
        """Send anything; only what was done, and a status that was expected, comes back."""
        try:
            answer = self._http.request(method, self._url + path, **given)
        except httpx2.HTTPError as error:
            raise SeedError(f"{self._url} cannot be reached: {error or type(error).__name__}.") from None
        if answer.is_success or answer.status_code in also:
            return answer
        raise SeedError(f"Nextcloud answered {method} {path} of {self.name} with HTTP status {answer.status_code}.")
