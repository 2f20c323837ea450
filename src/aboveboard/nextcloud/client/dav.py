"""Nextcloud's DAV dialect: its methods as methods, its multistatus typed, and the principal whose tree it is."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from aboveboard.errors import ApiError, BadInput, NotFound
from aboveboard.http import Nature, Path, Response, Session, path
from aboveboard.http.once import Once
from aboveboard.nextcloud.client import xml
from aboveboard.nextcloud.client.files.etags import quote_etag
from aboveboard.nextcloud.client.missing import NoRoom
from aboveboard.nextcloud.client.ocs import ocs_error
from aboveboard.nextcloud.client.xml import Element, Resource, element, prop

GOOD: Final[Mapping[str, frozenset[int]]] = {
    "GET": frozenset({200, 206}),
    "PUT": frozenset({201, 204}),
    "POST": frozenset({201}),
    "MKCOL": frozenset({201}),
    "MKCALENDAR": frozenset({201}),
    "MOVE": frozenset({201, 204}),
    "COPY": frozenset({201, 204}),
    "DELETE": frozenset({204}),
    **dict.fromkeys(("PROPFIND", "PROPPATCH", "REPORT", "SEARCH"), frozenset({207})),
}
"""What says that a method did its work. Anything else that is no error is not Nextcloud's, such as a login page."""
_FOLDER: Final = b"This is the WebDAV interface."
_XML: Final = {"Content-Type": "application/xml; charset=utf-8"}


class Dav:
    """Sends DAV requests to one instance, on behalf of one principal."""

    def __init__(self, session: Session, principal: str | None = None) -> None:
        self._session = session
        self._known = principal
        self._principal = Once(self._ask_principal)

    async def principal(self) -> str:
        """Return the id of the user whose credentials these are: with LDAP it is not the login name."""
        return self._known or await self._principal.get()

    async def at(self, template: str, **parts: str) -> Path:
        """Return a path below the DAV root; `{user}` is the principal."""
        for name, value in parts.items():
            if "/" in value and f"{{{name}}}" in template:
                # Nextcloud reads an escaped slash as a slash: "trash/%2F" would be the whole bin.
                raise BadInput(f"{value!r} cannot be the {name}.", next_step="Use the one that a list tool shows.")
        return path(f"{xml.ROOT}{template}", user=await self.principal(), **parts)

    def url(self, at: Path) -> str:
        """Return the whole address, as the Destination header wants it."""
        return str(self._session.url(at))

    def unless_changed(self, at: Path, etag: str) -> dict[str, str]:
        """Return the condition that a destination still has this ETag."""
        return {"If": f"<{self.url(at)}> ([{quote_etag(etag)}])"}

    async def propfind(self, at: Path, *names: str, depth: int) -> list[Resource]:
        """Read properties of a thing (depth 0), or of it and what is directly in it (depth 1)."""
        body = element("d:propfind", [prop(*names)])
        return self._listed(await self.send("PROPFIND", at, body, headers={"Depth": str(depth)}))

    async def propfind_part(self, at: Path, *names: str, start: int, count: int) -> tuple[list[Resource], int | None]:
        """Read a part of what depth 1 gives, and how much that is in all; without a number, everything came at once."""
        # Nextcloud takes any token, and goes by the offset.
        wanted = {"X-NC-Paginate-Count": str(count), "X-NC-Paginate-Offset": str(start), "X-NC-Paginate-Token": "none"}
        headers = {"Depth": "1", "X-NC-Paginate": "true", **wanted}
        answer = await self.send("PROPFIND", at, element("d:propfind", [prop(*names)]), headers=headers)
        total = answer.headers.get("X-NC-Paginate-Total", "")
        return self._listed(answer), int(total) if total.isdecimal() else None

    async def stat(self, at: Path, *names: str) -> Resource:
        """Read properties of one thing."""
        resources = await self.propfind(at, *names, depth=0)
        # Another user's home answers 207 with nothing in it that can be read.
        if not resources or not resources[0].found:
            raise NotFound("There is no such thing.", status=404)
        return resources[0]

    async def file_id(self, file: str | int) -> int:
        """Return the id of a file, which is asked for where a path is given."""
        if isinstance(file, int):
            return file
        found = await self.stat(await self.at("files/{user}/{file:path}", file=file), "oc:fileid")
        number = found.number("oc:fileid")
        if number is None:
            raise ApiError(f"Nextcloud does not tell the id of {file!r}.")
        return number

    async def report(self, at: Path, body: Element, *, depth: int | None = None) -> list[Resource]:
        """Send a report; those of calendars and address books want a depth."""
        headers = None if depth is None else {"Depth": str(depth)}
        return self._listed(await self.send("REPORT", at, body, headers=headers))

    async def search(self, body: Element) -> list[Resource]:
        """Search; only the root takes it."""
        return self._listed(await self.send("SEARCH", path(xml.ROOT), body))

    async def proppatch(self, at: Path, short: str, value: str, *, nature: Nature = Nature.REPLACES) -> None:
        """Set one property."""
        await self.set_properties(at, [element(short, value)], nature=nature)

    async def set_properties(
        self, at: Path, properties: Sequence[Element], *, nature: Nature = Nature.REPLACES
    ) -> None:
        """Set properties, all or none; a refusal stands inside a 207."""
        body = element("d:propertyupdate", [element("d:set", [element("d:prop", properties)])])
        wanted = {prop.tag for prop in properties}
        answer = await self.send("PROPPATCH", at, body, nature=nature)
        resources = self._listed(answer)
        for status in (status for one in resources for status in one.refused.values()):
            raise ocs_error(self._session, replace(answer, status=status, content=b""), "this property cannot be set")
        if not any(wanted <= one.found.keys() for one in resources):
            raise answer.misfit("Nextcloud does not say that it set the property.")

    async def mkcol(
        self, at: Path, headers: Mapping[str, str] | None = None, *, nature: Nature | None = None
    ) -> Response:
        """Make a folder; whatever the answer is, it is returned."""
        return await self._session.request("MKCOL", at, headers=headers, nature=nature)

    async def transfer(
        self, method: str, source: Path, destination: Path, *, headers: Mapping[str, str], nature: Nature
    ) -> Response:
        """Send a MOVE or a COPY; whatever the answer is, it is returned."""
        given = {"Destination": self.url(destination), **headers}
        return await self._session.request(method, source, headers=given, nature=nature)

    async def put(
        self, at: Path, content: bytes, headers: Mapping[str, str], *, nature: Nature, repeats: bool = True
    ) -> Response:
        """Put; whatever the answer is, it is returned."""
        given = {"Content-Type": "application/octet-stream", **headers}
        return await self._session.request("PUT", at, content=content, headers=given, nature=nature, repeats=repeats)

    async def get(self, at: Path, headers: Mapping[str, str] | None = None, at_most: int | None = None) -> Response:
        """Get; whatever the answer is, it is returned. Lengths are those of the file, not of its compressed form."""
        given = {"Accept-Encoding": "identity", **(headers or {})}
        return await self._session.request("GET", at, headers=given, at_most=at_most)

    async def request(
        self,
        method: str,
        at: Path,
        *,
        content: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        nature: Nature | None = None,
    ) -> Response:
        """Send what no other method here sends; whatever the answer is, it is returned."""
        return await self._session.request(method, at, content=content, headers=headers, nature=nature)

    async def post(self, at: Path, body: object) -> Response:
        """Post JSON, which comments and tags take, and return the answer to a success."""
        answer = await self._session.request("POST", at, json=body)
        return self.good(answer)

    async def delete(self, at: Path, headers: Mapping[str, str] | None = None) -> Response:
        """Delete; whatever the answer is, it is returned."""
        return await self._session.request("DELETE", at, headers=headers)

    async def send(
        self,
        method: str,
        at: Path,
        body: Element,
        *,
        headers: Mapping[str, str] | None = None,
        nature: Nature | None = None,
    ) -> Response:
        """Send a request with an XML body and return the answer to a success."""
        given = {**_XML, **(headers or {})}
        answer = await self._session.request(method, at, content=xml.serialize_xml(body), headers=given, nature=nature)
        return self.good(answer)

    def good(self, answer: Response) -> Response:
        """Return the answer to a success, or raise the error that it is."""
        if answer.status >= 400:
            raise self.error(answer)
        if (answer.status not in GOOD[answer.method] and not _tells_each(answer)) or _is_page(answer):
            raise self._session.strange(answer)
        return answer

    def error(self, answer: Response) -> ApiError:
        """Turn an answer into the error a reader can act on; what is missing here is known by its path."""
        if answer.status == 507:
            return NoRoom()
        error = ocs_error(self._session, answer, xml.message(answer.content))
        if not isinstance(error, NotFound):
            return error
        problem = str(error).removesuffix(NotFound.advice).rstrip()
        return NotFound(
            problem, status=error.status, next_step="Check the path: listing its folder shows what there is."
        )

    def _listed(self, answer: Response) -> list[Resource]:
        try:
            return xml.multistatus(answer.content)
        except ApiError as error:
            raise answer.misfit(str(error)) from None

    async def _ask_principal(self) -> str:
        [root, *_] = await self.propfind(path(xml.ROOT), "d:current-user-principal", depth=0) or [Resource("", {})]
        holder = root.found.get(xml.name("d:current-user-principal"))
        href = "" if holder is None else holder.findtext(xml.name("d:href")) or ""
        place = xml.place_of(href)
        if not place.startswith("principals/users/"):
            raise ApiError("Nextcloud does not tell whose credentials these are.")
        return place.removeprefix("principals/users/")


def created_id(answer: Response) -> int:
    """Return the id of what a POST made."""
    number = re.search(r"/(\d+)/?$", answer.headers.get("content-location", ""))
    if number is None:
        raise answer.misfit("Nextcloud does not tell the id of what it made.")
    return int(number[1])


def _tells_each(answer: Response) -> bool:
    """Tell whether a deletion is answered by a list of what was deleted, as some DAV servers do."""
    if (answer.method, answer.status) != ("DELETE", 200):
        return False
    try:
        gone = xml.multistatus(answer.content)
    except ApiError:
        return False
    return bool(gone) and all(200 <= one.status < 300 for one in gone)


def _is_page(answer: Response) -> bool:
    """Tell whether a page came in place of a file, which has a version; of a folder, Nextcloud sends a sentence."""
    versioned = "etag" in answer.headers or "last-modified" in answer.headers
    return answer.method == "GET" and not versioned and not _FOLDER.startswith(answer.content[: len(_FOLDER)])


def without_folder(resources: Sequence[Resource], folder: str) -> list[Resource]:
    """Leave out the folder that was asked about, which a listing holds too."""
    return [one for one in resources if one.place.strip("/") != folder.strip("/")]
