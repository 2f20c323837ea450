"""The WebDAV dialect: resources with properties, errors as sabre words them, and what a branch of the tree declares."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from lxml import etree

from aboveboard.nextcloud.sandbox.calls import Call
from aboveboard.nextcloud.sandbox.dav.xml import DAV, SABRE, Element, Value, clark, make
from aboveboard.nextcloud.sandbox.wire import XML_TYPE, decode
from aboveboard.sandbox.wire import Response

FEATURES = (
    "1, 3, extended-mkcol, access-control, calendarserver-principal-property-search, nc-paginate,"
    " nextcloud-checksum-update, nc-calendar-search, nc-enable-birthday-calendar, 2"
)
SMALL_FEATURES = "1, 3, extended-mkcol, nextcloud-checksum-update, 2"
METHODS = "OPTIONS, GET, HEAD, DELETE, PROPFIND, PUT, PROPPATCH, COPY, MOVE, REPORT, {}LOCK, UNLOCK"
ALLOWED = METHODS.format("")
# What a request for all properties gets; everything else has to be asked for.
ALLPROP = tuple(
    clark(name)
    for name in (
        "d:getlastmodified",
        "d:getcontentlength",
        "d:resourcetype",
        "d:quota-used-bytes",
        "d:quota-available-bytes",
        "d:getetag",
        "d:getcontenttype",
    )
)
ETAG, RESOURCE_TYPE = clark("d:getetag"), clark("d:resourcetype")
_ESCAPED = re.compile(r"[^A-Za-z0-9_.~()/:@-]+")


class DavError(Exception):
    """A refusal with the name of the exception that sabre throws for it."""

    def __init__(
        self,
        status: int,
        exception: str,
        message: str = "",
        *,
        headers: Mapping[str, str] | None = None,
        details: Iterable[Element] = (),
        early: bool = False,
    ) -> None:
        super().__init__(message)
        # Thrown while the request is looked at, before its method begins to answer.
        self.early = early
        self.status, self.message = status, message
        self.exception = exception if "\\" in exception or status == 500 else f"Sabre\\DAV\\Exception\\{exception}"
        self.headers, self.details = dict(headers or {}), list(details)

    def response(self) -> Response:
        """The error as XML."""
        prefixes = {"d": DAV, "s": SABRE}
        if self.exception.endswith("InvalidPath"):
            prefixes["o"] = "http://owncloud.org/ns"
        root = etree.Element(clark("d:error"), nsmap=prefixes)
        root.append(make("s:exception", self.exception))
        root.append(make("s:message", self.message))
        root.extend(self.details)
        etree.indent(root, "  ")
        body = b'<?xml version="1.0" encoding="utf-8"?>\n' + etree.tostring(root, encoding="utf-8") + b"\n"
        return Response(self.status, {"content-type": XML_TYPE, **self.headers}, body)


def not_found(message: str = "") -> DavError:
    """There is no such resource."""
    return DavError(404, "NotFound", message)


def forbidden(message: str = "") -> DavError:
    """The caller may not."""
    return DavError(403, "Forbidden", message)


def conflict(message: str) -> DavError:
    """It does not fit what is there."""
    return DavError(409, "Conflict", message)


def bad_request(message: str) -> DavError:
    """The request makes no sense."""
    return DavError(400, "BadRequest", message)


def failed_condition(message: str, header: str, *, etag: str | None = None) -> DavError:
    """A condition in a header does not hold."""
    return DavError(
        412,
        "PreconditionFailed",
        message,
        headers={"etag": etag} if etag else {},
        details=[make("s:header", header)],
    )


def not_allowed(message: str) -> DavError:
    """Other methods may work here, this one does not."""
    return DavError(405, "MethodNotAllowed", message, headers={"allow": ALLOWED})


def type_error() -> DavError:
    """The real server's own code failed on a wrong type."""
    return DavError(
        500,
        "TypeError",
        "A type error occurred. For more details, please refer to the logs, which provide additional context about"
        " the type error.",
    )


def encode(path: str) -> str:
    """A path in a URL: lower-case escapes of everything but a few characters."""
    return _ESCAPED.sub(lambda found: "".join(f"%{byte:02x}" for byte in found[0].encode()), path)


class Resource:
    """A thing in the DAV tree; by itself a collection without members."""

    collection = True

    def __init__(self, path: str) -> None:
        self.path = path.rstrip("/")

    @property
    def href(self) -> str:
        """The URL of the resource."""
        return encode(self.path) + ("/" if self.collection else "")

    def value(self, name: str) -> Value | None:
        """A property by its full name; None where the resource has no such property."""
        if name == RESOURCE_TYPE:
            return [make("d:collection")] if self.collection else ""
        return None

    def members(self) -> Iterable["Resource"]:
        """The resources inside."""
        return ()

    def patch(self, updates: Mapping[str, Element | None]) -> dict[str, int]:
        """Set properties, or remove those that come with None; the status of each."""
        return dict.fromkeys(updates, 403)

    @property
    def etag(self) -> str | None:
        """The ETag, quoted where the real server quotes it."""
        value = self.value(ETAG)
        return value if isinstance(value, str) else None

    def has_lock(self, token: str) -> bool:
        """Whether this lock token is the one that locks the resource."""
        return False


@dataclass
class DavCall:
    """A request for something in a branch of the DAV tree."""

    call: Call
    site: "Site"
    branch: "Branch"
    path: tuple[str, ...]

    @property
    def url(self) -> str:
        """The decoded path of the branch in URLs."""
        return self.site.base + (f"/{self.branch.name}" if self.branch.name else "")

    def find(self) -> Resource:
        """The resource that the request is for."""
        return self.branch.find(self)

    def at(self, branch: "Branch", path: Sequence[str]) -> "DavCall":
        """The same request, looking at another place of the site."""
        return DavCall(self.call, self.site, branch, tuple(path))

    def destination(self) -> "DavCall":
        """Where the Destination header points; its host does not matter."""
        header = self.call.header("destination")
        if not header:
            raise type_error()
        escaped = urlsplit(header).path
        if not f"{escaped}/".startswith(f"{self.site.base}/"):
            raise forbidden(f"Requested uri ({decode(escaped)}) is out of base uri ({self.site.base}/)")
        segments = split_path(escaped.removeprefix(self.site.base))
        branch, path = self.site.locate(segments)
        return self.at(branch, path)


Handler = Callable[[DavCall], Response]


@dataclass
class Branch:
    """One tree below /remote.php/dav/: how to find a resource in it, and what else than PROPFIND can be done."""

    name: str
    find: Callable[[DavCall], Resource]
    features: str = FEATURES
    prefixes: tuple[str, ...] = ()
    handlers: dict[str, Handler] = field(default_factory=dict[str, Handler])

    def on(self, *methods: str) -> Callable[[Handler], Handler]:
        """Declare the handler of some methods."""

        def keep(handler: Handler) -> Handler:
            self.handlers.update(dict.fromkeys(methods, handler))
            return handler

        return keep


@dataclass(frozen=True)
class Site:
    """A DAV tree under one base URL."""

    base: str
    root: Branch
    branches: Mapping[str, Branch] = field(default_factory=dict[str, Branch])

    def locate(self, segments: Sequence[str]) -> tuple[Branch, tuple[str, ...]]:
        """The branch that the first segment names, and what follows; the root where there is no such branch."""
        branch = self.branches.get(segments[0]) if segments else None
        return (branch, tuple(segments[1:])) if branch else (self.root, tuple(segments))


def split_path(escaped: str) -> list[str]:
    """The decoded segments of a path; empty ones do not count."""
    return [decode(segment) for segment in escaped.split("/") if segment]


def invalid_path(reason: str) -> DavError:
    """A path or name that Nextcloud does not take, with the reason twice."""
    details = [make("{o:}retry", "false"), make("{o:}reason", reason)]
    return DavError(400, "OCA\\DAV\\Connector\\Sabre\\Exception\\InvalidPath", reason, details=details)
