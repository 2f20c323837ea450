"""What the sandbox's calendars knowingly do otherwise than the recorded ones: in which step, where, and why."""

_NOT_SEARCHED = "neither Calendar nor Tasks is installed, so nothing of them is searched"
_PUBLIC = "a published calendar has an address, but nobody reads it without a login"
_UNRECORDED = "the recording does not show all that happened before"
_WITH_ACL = ("02-get", "04-get-after-color", "06-get-after-each", "13-get-after-remove")


def _no_acl(calendar: str) -> dict[str, str]:
    reason = "what the caller may do is told by the privileges, the list of everyone's rights is not"
    at = f"./remote.php/dav/calendars/{calendar}/.HTTP/1.1"
    return {f"{at} {status}.{{DAV:}}acl": reason for status in ("200 OK", "404 Not Found")}


def _text_of(name: str, reason: str) -> dict[str, str]:
    at = f"./remote.php/dav/calendars/admin/{name}.HTTP/1.1 200 OK"
    return {f"{at}.{{urn:ietf:params:xml:ns:caldav}}calendar-data": reason}


def _status(reason: str) -> dict[str, str]:
    return {"status": reason}


CALENDAR: dict[str, dict[str, str]] = {
    "calendar-events:event-queries/03-expand-override": _text_of(
        "rec-events/k11.ics", "of an override without its series the real server forgets which occurrence it was"
    ),
    "calendar-events:event-queries/38-unified-search": _status(_NOT_SEARCHED),
    "calendar-events:event-queries/40-export-json-expand": {"text": "sorted by name, not by when it was stored"},
    "calendar-events:event-queries/41-upcoming-events-ocs": _status("there is no dashboard"),
    "calendar-admin:calendars/01-list": {
        f"./remote.php/dav/calendars/admin/{name}/.HTTP/1.1 200 OK.{tag}": _UNRECORDED
        for name in ("contact_birthdays", "personal", "rec-events", "rec-todos")
        for tag in ("{DAV:}sync-token", "{http://calendarserver.org/ns/}getctag")
    },
    "calendar-admin:calendars/36-public-anonymous": _status(_PUBLIC),
    "calendar-admin:calendars/38-public-after-unpublish": _status(_PUBLIC),
    "calendar-admin:calendars/39-principal-search": _status("people are found through the shares' own search"),
    "calendar-admin:calendar-trashbin/01-list-objects": {
        f"./remote.php/dav/calendars/admin/trashbin/objects/{number}.ics": _UNRECORDED
        for number in (*range(5, 10), *range(23, 36), 41, 45)
    },
    "calendar-todos:todo-crud/37-unified-search-tasks": _status(_NOT_SEARCHED),
    "objects/calendar:full-event/05-query-as-json": _text_of("obj/full.ics", "the library names some types otherwise"),
    **{f"objects/calendar:calendar-properties/{step}": _no_acl("admin/objp") for step in _WITH_ACL},
    "objects/calendar:shared-full-event/02-bob-props": {
        **_no_acl("bob/obj_shared_by_admin"),
        "./remote.php/dav/calendars/bob/obj_shared_by_admin/.HTTP/1.1 200 OK.{DAV:}sync-token": _UNRECORDED,
        "./remote.php/dav/calendars/bob/obj_shared_by_admin/.HTTP/1.1 200 OK."
        "{http://calendarserver.org/ns/}getctag": _UNRECORDED,
    },
}
