"""How an answer differs from the recorded one: where, and what is wrong there.

Everything is compared, apart from what cannot be equal: ids, ETags and tokens must only be the same thing under
another name, each name for one thing throughout a scenario; a moment of the recording must be a moment of the sandbox.
"""

import base64
import hashlib
import io
import json
import re
import zipfile
from datetime import UTC, datetime
from typing import Any, cast
from urllib.parse import unquote

from lxml import etree
from tests.nextcloud.sandbox.naming import Names
from tests.nextcloud.sandbox.recordings import Step
from tests.nextcloud.sandbox.sending import Got

# What the recordings keep of the headers, apart from the length, which follows from the body.
KEPT = re.compile(
    "content-(type|disposition|location|range)|e?tag|dav|allow|accept-ranges|last-modified|location|www-authenticate|"
    "lock-token|ms-author-via|retry-after|oc-(etag|fileid|checksum)|x-oc-mtime|x-nc-.*|x-notes-.*|x-nextcloud-.*"
)
_FILE_IDS = {"fileid", "item_source", "file_source", "file_parent", "via_fileid", "objectId", "fileId", "oc-fileid"}
_SANDBOX_NOW = range(1767600000, 1768600000)
_PLACEHOLDER = re.compile(r"<([A-Z-]+-\d+)>")
_INVITED = re.compile(r"sabredav-[0-9a-f-]{36}")
_MADE = re.compile(r"(?<=DTSTAMP:)(?:202611|202601)\d\dT\d{6}Z|sabre-vobject-[0-9a-f-]+")
_HTTP_DATE = re.compile(r"\w{3}, \d\d \w{3} (\d{4}) \d\d:\d\d:\d\d GMT")
_NEWS_LISTS = {"folders": "folder", "feeds": "feed", "all": "feed", "items": "item", "updated": "item"}
_OTHER_NAMES = {"requestId": "token", "feedId": "feed", "folderId": "folder", "newestItemId": "item"}
_RECORDED_NOW = range(1794760000, 1794890000)
_ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d\+00:?00| \d\d:\d\d:\d\d)")
_PARSER_WORDS = re.compile(r"[^>]*\n on line \d+, column \d+", re.DOTALL)


class Comparison:
    """One step under comparison."""

    def __init__(self, step: Step, names: Names) -> None:
        self.step, self.names = step, names
        self.wrong: dict[str, str] = {}

    def differences(self, got: Got) -> dict[str, str]:
        """Where the sandbox answered otherwise."""
        if got.status != self.step.status:
            return {"status": f"{got.status}, not {self.step.status}: {got.body[:400]!r}"}
        self._headers(got)
        self._body(got)
        return self.wrong

    def _note(self, path: str, ours: object, theirs: object) -> None:
        self.wrong[path] = f"{ours!r}, not {theirs!r}"

    def _headers(self, got: Got) -> None:
        theirs = {name: value for name, value in self.step.answer_headers.items() if name != "content-length"}
        ours = {name: value for name, value in got.headers.items() if KEPT.fullmatch(name) or name in theirs}
        for name in ours.keys() ^ theirs.keys():
            self._note(f"header {name}", ours.get(name), theirs.get(name))
        for name in sorted(ours.keys() & theirs.keys()):
            self._leaf(f"header {name}", name, theirs[name], ours[name])

    def _body(self, got: Got) -> None:
        theirs, method = self.step.answer, self.step.method
        if theirs is None:
            if got.body and method != "HEAD":
                self._note("body", got.body, None)
        elif isinstance(theirs, str):
            self._text(theirs, got)
        elif "json" in theirs:
            self._value("", theirs["json"], got.json)
        elif "base64" in theirs:
            self._bytes(base64.b64decode(theirs["base64"]), got.body)
        elif not got.body.startswith(b"<!DOCTYPE html>"):
            self._note("body", got.body, theirs)

    def _bytes(self, theirs: bytes, ours: bytes) -> None:
        if theirs.startswith(b"PK"):
            if _unzipped(theirs) != _unzipped(ours):
                self._note("zip", _unzipped(ours), _unzipped(theirs))
        elif theirs != ours:
            self._note("bytes", ours, theirs)

    def _text(self, theirs: str, got: Got) -> None:
        ours = got.body.decode()
        theirs = _PLACEHOLDER.sub(r"&lt;\1&gt;", theirs) if theirs.startswith("<?xml") else theirs
        theirs = re.sub(r"<[A-Z]+-TOKEN-\d+>", lambda found: self.names.ours("token", found.group()), theirs)
        if theirs.startswith("<?xml"):
            self._xml(etree.fromstring(theirs.encode()), etree.fromstring(got.body))
        elif theirs.startswith("{"):
            self._value("", json.loads(theirs), json.loads(ours))
        elif _plain(theirs) != _plain(ours) and not _made_alike(theirs, ours):
            self._note("text", ours, theirs)

    def _xml(self, theirs: Any, ours: Any) -> None:
        if theirs.tag == "{DAV:}multistatus" and ours.tag == theirs.tag:
            self._learn_trash(theirs, ours)
            self._learn_invitations(theirs, ours)
            mine, yours = self._responses(ours, translate=False), self._responses(theirs, translate=True)
            # The bin is sorted by time, and much of the recording happened within one second.
            sorted_otherwise = self.step.method == "SEARCH" or "/trashbin/" in self.step.path
            if not sorted_otherwise and list(mine) != list(yours) and mine.keys() == yours.keys():
                self._note("order", list(mine), list(yours))
            self._value("", yours, mine)
        else:
            self._value(_local(theirs), _tree(theirs), _tree(ours))

    def _learn_trash(self, theirs: Any, ours: Any) -> None:
        """A name in the bin ends in a time; it is known by what stands before."""
        found = [re.findall(r"/trash/([^/]+\.d\d+)", href.text) for href in ours.iter("{DAV:}href")]
        mine = [names[0] for names in found if names]
        taken: set[str] = set()
        for href in theirs.iter("{DAV:}href"):
            for name in re.findall(r"/trash/([^/]+\.d\d+)", href.text):
                stem = name.rpartition(".d")[0]
                known = self.names.ours("trash", name)
                same = (one for one in mine if one.rpartition(".d")[0] == stem and one not in taken)
                partner = known if known in mine else next(same, None)
                if partner and known in {name, partner}:
                    taken.add(partner)
                    self.names.learn("trash", name, partner)

    def _learn_invitations(self, theirs: Any, ours: Any) -> None:
        """An invitation has a random name; new ones are known by their order."""
        names = [_INVITED.findall(" ".join(root.itertext("{DAV:}href"))) for root in (theirs, ours)]
        known = [self.names.ours("token", name) for name in names[0]]
        new = [name for name in names[1] if name not in known]
        for name in names[0]:
            if self.names.ours("token", name) == name and new:
                self.names.learn("token", name, new.pop(0))

    def _responses(self, root: Any, *, translate: bool) -> dict[str, Any]:
        """The properties by URL, status and name."""
        found: dict[str, Any] = {}
        for response in root.iterfind("{DAV:}response"):
            href = response.findtext("{DAV:}href")
            stats: dict[str, Any] = {}
            for propstat in response.iterfind("{DAV:}propstat"):
                props = {child.tag: _tree(child) for child in propstat.find("{DAV:}prop")}
                stats[propstat.findtext("{DAV:}status")] = props
            found[self.names.path(href) if translate else href] = stats
        return found

    def _value(self, path: str, theirs: Any, ours: Any) -> None:
        if isinstance(theirs, dict) and isinstance(ours, dict):
            self._object(path, cast("dict[str, Any]", theirs), cast("dict[str, Any]", ours))
        elif isinstance(theirs, list) and isinstance(ours, list):
            self._list(path, cast("list[Any]", theirs), cast("list[Any]", ours))
        else:
            self._leaf(path, re.split(r"[./}]", path)[-1], theirs, ours)

    def _object(self, path: str, theirs: dict[str, Any], ours: dict[str, Any]) -> None:
        for key in theirs.keys() ^ ours.keys():
            self._note(f"{path}.{key}", "there" if key in ours else "missing", "there" if key in theirs else "missing")

        # Names first: other values, links most of all, may hold them.
        def late(key: str) -> tuple[bool, bool, str]:
            return not self._kind(key, theirs[key]), "url" in key.lower(), key

        if "lastModified" in ours and "ETag" in ours and ours["ETag"] != _etag(ours["lastModified"]):
            self._note(f"{path}.ETag", ours["ETag"], _etag(ours["lastModified"]))
        for key in sorted(theirs.keys() & ours.keys(), key=late):
            self._value(f"{path}.{key}", theirs[key], ours[key])

    def _list(self, path: str, theirs: list[Any], ours: list[Any]) -> None:
        if len(theirs) != len(ours):
            self._note(path, ours, theirs)
            return
        for place, (one, other) in enumerate(zip(theirs, ours, strict=True)):
            self._value(f"{path}[{place}]", one, other)

    def _learn_location(self, theirs: str, ours: str) -> None:
        kind = "comment" if "/comments/" in theirs else "tag"
        self.names.learn(kind, theirs.rpartition("/")[2], ours.rpartition("/")[2])

    def _leaf(self, path: str, key: str, theirs: Any, ours: Any) -> None:
        if key == "content-location":
            self._learn_location(theirs, ours)
        if theirs == ours and not self._kind(key, theirs):
            return
        if _passing(self.step, key) and theirs and ours:
            self.names.renew("etag", str(theirs).strip('"'), str(ours).strip('"'))
            return
        kind = self._kind(key, theirs)
        if kind and type(theirs) is type(ours):
            if not self.names.learn(kind, *(_bare(kind, value) for value in (theirs, ours))):
                self._note(path, ours, theirs)
        elif not (_same_moment(theirs, ours) or self._same_text(theirs, ours)):
            self._note(path, ours, theirs)

    def _same_text(self, theirs: Any, ours: Any) -> bool:
        """Texts that differ only in ids and tokens, or in the words of an XML parser."""
        if not isinstance(theirs, str) or not isinstance(ours, str):
            return False
        if _PARSER_WORDS.fullmatch(theirs) and _PARSER_WORDS.fullmatch(ours):
            return True
        if _undated(self.names.path(theirs)) == _undated(ours) or _made_alike(theirs, ours):
            return True
        if _matches_placeholders(theirs, ours):
            return True
        return " " in theirs and re.sub(r"\d+", "#", theirs) == re.sub(r"\d+", "#", ours)

    def _kind(self, key: str, theirs: Any) -> str:
        """What kind of name a value is, if it is one."""
        name = key.rpartition("}")[2]
        if isinstance(theirs, str) and re.fullmatch(r"<[A-Z0-9-]+>", theirs):
            return "" if "HASH" in theirs else "token"
        if name in _FILE_IDS and str(theirs) not in {"99999999", ""}:
            return "file"
        if "/apps/cookbook/" in self.step.path and name in {"", "id", "recipe_id"} and isinstance(theirs, int | str):
            return "file" if str(theirs).isdecimal() else ""
        if name in _OTHER_NAMES and theirs:
            return _OTHER_NAMES[name]
        if name in {"id", "uuid", "lock-token", "filename", "x-nc-paginate-token", "x-notes-chunk-cursor"}:
            return self._id_kind(name)
        if name in {"etag", "getetag", "oc-etag"} and theirs and not str(theirs).isdigit():
            return "etag"
        return ""

    def _id_kind(self, name: str) -> str:
        path = self.step.path
        if name != "id":
            return "token"
        for part, kind in (("/shares", "share"), ("/comments/", "comment"), ("/systemtags/1/files", "file")):
            if part in path:
                return kind
        if "/apps/news/" in path:
            return _NEWS_LISTS.get(path.rpartition("/")[2], "")
        if "/systemtags" in path:
            return "tag"
        return "file" if "/notes" in path or "/dav/files/" in path else ""


def _bare(kind: str, value: object) -> str:
    """A name without quotes, zeros and the name of the server."""
    text = str(value).strip('"<>') if kind != "token" or not str(value).startswith("<opaque") else str(value)[1:-1]
    if kind == "token" and isinstance(value, str) and value.startswith("<") and "opaque" not in value:
        return value
    found = re.fullmatch(r"0*(\d+)[a-z]{12}", text)
    return found.group(1) if kind == "file" and found else text


def _passing(step: Step, key: str) -> bool:
    """Whether a value names nothing that lasts: a request, or an ETag of Deck, shared by all that a second changes."""
    return key == "requestId" or ("/deck/" in step.path and key in {"ETag", "etag"})


def _etag(modified: int) -> str:
    return hashlib.md5(str(modified).encode(), usedforsecurity=False).hexdigest()


def _same_moment(theirs: Any, ours: Any) -> bool:
    """A moment of the recording and one of the sandbox; a moment that a client chose must be equal."""
    if isinstance(theirs, str) and isinstance(ours, str):
        one, other = _HTTP_DATE.fullmatch(theirs), _HTTP_DATE.fullmatch(ours)
        if one and other:
            return one.group(1) == other.group(1) == "2026"
        if _ISO_DATE.fullmatch(theirs) and _ISO_DATE.fullmatch(ours):
            moments = [datetime.fromisoformat(text) for text in (theirs, ours)]
            seconds = [int(moment.replace(tzinfo=moment.tzinfo or UTC).timestamp()) for moment in moments]
            return _same_moment(*seconds)
        if re.fullmatch(r"\d{10}-\d{10}-\d+", theirs):
            return re.fullmatch(r"\d{10}-\d{10}-\d+", ours) is not None
        return theirs.isdigit() and ours.isdigit() and _same_moment(int(theirs), int(ours))
    if isinstance(theirs, int) and isinstance(ours, int):
        scale = 10**6 if theirs > 10**15 else 1000 if theirs > 10**12 else 1
        return theirs // scale in _RECORDED_NOW and ours // scale in _SANDBOX_NOW
    return False


def _undated(text: str) -> str:
    """A text without what only says when a picture changed, and whether pretty URLs are on."""
    return re.sub(r"&t=\d{10}$", "&t=", text.removeprefix("/index.php"))


def _matches_placeholders(theirs: str, ours: str) -> bool:
    pattern = re.sub(r"<[A-Z0-9-]+>", "\0", theirs)
    return "\0" in pattern and re.fullmatch(".+".join(map(re.escape, pattern.split("\0"))), ours) is not None


def _local(element: Any) -> str:
    return str(element.tag).rpartition("}")[2]


def _tree(element: Any) -> Any:
    """An element as a value: its text, or its children."""
    children = [child for child in element if isinstance(child.tag, str)]
    if not children and not element.attrib:
        return element.text or ""
    inner = [{child.tag: _tree(child)} for child in children]
    if len({child.tag for child in children}) == len(children):
        inner = {child.tag: _tree(child) for child in children}
    return {"attributes": dict(element.attrib), "inner": inner or element.text} if element.attrib else inner


def _made_alike(theirs: str, ours: str) -> bool:
    """Calendars that differ only in when they were made, and in ids that nobody gave them."""
    return "BEGIN:VCALENDAR" in theirs and _MADE.sub("#", _plain(theirs)) == _MADE.sub("#", _plain(ours))


def _plain(text: str) -> str:
    return _PARSER_WORDS.sub("#", re.sub(r"\s+$", "", text))


def _unzipped(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {unquote(name): archive.read(name) for name in archive.namelist()}
