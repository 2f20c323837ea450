"""Collections that are there for a purpose, and what may be done with what is in calendars."""

from collections.abc import Callable, Iterable

from aboveboard.nextcloud.sandbox.dav.dialect import Resource
from aboveboard.nextcloud.sandbox.dav.xml import Element, Value, clark, make

_OWNER = ("d:write", "d:write-properties", "d:write-content", "d:unlock", "d:bind", "d:unbind", "d:write-acl")
_READER = ("d:read", "d:read-acl", "d:read-current-user-privilege-set")
_ALL = ("d:all", "d:read", *_OWNER, "d:read-acl", "d:read-current-user-privilege-set")
_INBOX = ("cal:schedule-deliver", "cal:schedule-deliver-invite", "cal:schedule-deliver-reply")
_OUTBOX = ("cal:schedule-send", "cal:schedule-send-invite", "cal:schedule-send-reply", "cal:schedule-send-freebusy")
PRIVILEGES = {
    "home": (*_OWNER, *_READER),
    "owner": (*_OWNER, *_READER, "cal:read-free-busy"),
    "reader": ("d:write-properties", *_READER, "cal:read-free-busy"),
    "inbox": (*_INBOX, "cal:schedule-query-freebusy", "d:unbind", "d:write-properties", *_READER),
    "outbox": (*_OUTBOX, "cal:schedule-post-vevent", *_READER),
    "all": _ALL,
}


def privileges(kind: str) -> list[Element]:
    """What the caller may do."""
    return [make("d:privilege", [make(name)]) for name in PRIVILEGES[kind]]


class Place(Resource):
    """A collection that is there for a purpose: the home, the inbox, the outbox, the bin."""

    def __init__(self, path: str, kind: str, *types: str, inside: Callable[[], Iterable[Resource]] = tuple) -> None:
        super().__init__(path)
        self.kind, self._types, self._inside = kind, types, inside

    def value(self, name: str) -> Value | None:
        """Its type and what may be done with it."""
        if name == clark("d:resourcetype"):
            return [make("d:collection"), *(make(one) for one in self._types)]
        if name == clark("d:current-user-privilege-set"):
            return privileges(self.kind)
        if name == clark("ncc:trash-bin-retention-duration") and "ncc:trash-bin" in self._types:
            return "2592000"
        return super().value(name)

    def members(self) -> Iterable[Resource]:
        """What is inside."""
        return self._inside()
