"""What the sandbox knowingly does otherwise than the recorded server: in which step, where in the answer, and why."""

_DECK = "Deck is not part of the sandbox yet"
_TABLES = "Tables is not part of the sandbox yet"
_COOKBOOK = "Cookbook is not part of the sandbox yet"
_NEWS = "News is not part of the sandbox yet"
_NOT_SEARCHED = "neither Calendar nor Tasks is installed, so nothing of them is searched"
_PUBLIC = "a published calendar has an address, but nobody reads it without a login"
_UNRECORDED = "the recording does not show all that happened before"
_CONTACTS = "address books are not part of the sandbox yet"
_SAME_SECOND = (
    "the real server keeps the ETag of a file that is written twice within a second; here a second goes by with every"
    " write, unless the clock is held"
)
_ANY_HOST = "the sandbox is served under any name, so every host is trusted"
_NO_ACTIVITY = "nothing is kept of who did what"


def _etag(reason: str) -> dict[str, str]:
    return {"header etag": reason, "header oc-etag": reason}


def _status(reason: str) -> dict[str, str]:
    return {"status": reason}


_WITH_ACL = ("02-get", "04-get-after-color", "06-get-after-each", "13-get-after-remove")


def _no_acl(calendar: str) -> dict[str, str]:
    reason = "what the caller may do is told by the privileges, the list of everyone's rights is not"
    at = f"./remote.php/dav/calendars/{calendar}/.HTTP/1.1"
    return {f"{at} {status}.{{DAV:}}acl": reason for status in ("200 OK", "404 Not Found")}


def _text_of(name: str, reason: str) -> dict[str, str]:
    at = f"./remote.php/dav/calendars/admin/{name}.HTTP/1.1 200 OK"
    return {f"{at}.{{urn:ietf:params:xml:ns:caldav}}calendar-data": reason}


DIFFERENCES: dict[str, dict[str, str]] = {
    "capabilities-and-users:server-status/02-capabilities-anonymous": {".ocs.data.capabilities.cookbook": _COOKBOOK},
    "capabilities-and-users:capabilities/01-capabilities-json": {
        ".ocs.data.capabilities.cookbook": _COOKBOOK,
        ".ocs.data.capabilities.deck": _DECK,
        ".ocs.data.capabilities.tables": _TABLES,
    },
    "capabilities-and-users:capabilities/05-navigation-apps": {".ocs.data": "apps that are not there are not named"},
    "capabilities-and-users:capabilities/06-enabled-apps-as-admin": {
        ".ocs.data.apps": "apps that are not there are not named"
    },
    "capabilities-and-users:capabilities/08-app-info-news": _status(_NEWS),
    "capabilities-and-users:lookup-and-status/12-notifications-list": {
        "header etag": "an empty list has no ETag",
        ".ocs.data": "nobody is notified of anything",
    },
    "capabilities-and-users:lookup-and-status/15-activity": _status(_NO_ACTIVITY),
    "capabilities-and-users:lookup-and-status/16-activity-since-end": _status(_NO_ACTIVITY),
    "capabilities-and-users:lookup-and-status/17-search-providers": {
        ".ocs.data": "apps that are not there do not search"
    },
    "files:file-crud/14-update-no-if-match": _etag(_SAME_SECOND),
    "files:file-crud/25-delete-stale-if-match": {"header etag": _SAME_SECOND},
    "files:metadata/14-preview-none": {"bytes": "every preview is the same picture"},
    "files:locking-and-quota/03-put-by-owner": _etag(_SAME_SECOND),
    "files:locking-and-quota/04-lock-again": {"prop.{DAV:}getetag": _SAME_SECOND},
    "errors:authentication/06-anonymous-deck": _status(_DECK),
    "errors:authentication/07-anonymous-deck-ocs": _status(_DECK),
    "errors:authentication/08-anonymous-tables-v1": _status(_TABLES),
    "errors:authentication/09-anonymous-tables-v2": _status(_TABLES),
    "errors:authentication/10-anonymous-cookbook": _status(_COOKBOOK),
    "errors:authentication/11-anonymous-news": _status(_NEWS),
    "errors:without-ocs-header/04-get-contacts": _status(_CONTACTS),
    "errors:without-ocs-header/06-get-deck": _status(_DECK),
    "errors:without-ocs-header/07-get-deck-ocs": _status(_DECK),
    "errors:without-ocs-header/08-get-tables-v1": _status(_TABLES),
    "errors:without-ocs-header/09-get-tables-v2": _status(_TABLES),
    "errors:without-ocs-header/10-get-cookbook": _status(_COOKBOOK),
    "errors:without-ocs-header/11-get-news": _status(_NEWS),
    "errors:without-ocs-header/14-post-deck": _status(_DECK),
    "errors:without-ocs-header/15-post-tables": _status(_TABLES),
    "errors:without-ocs-header/16-post-cookbook": _status(_COOKBOOK),
    "errors:without-ocs-header/17-post-news": _status(_NEWS),
    "errors:without-ocs-header/20-internal-deck-route-without-header": _status(_DECK),
    "errors:routes-and-methods/10-wrong-method-deck": _status(_DECK),
    "errors:routes-and-methods/11-wrong-method-tables": _status(_TABLES),
    "errors:routes-and-methods/12-wrong-method-cookbook": _status(_COOKBOOK),
    "errors:routes-and-methods/13-wrong-method-news": _status(_NEWS),
    "errors:routes-and-methods/19-wrong-host": _status(_ANY_HOST),
    "errors:routes-and-methods/20-wrong-host-dav": _status(_ANY_HOST),
    "errors:routes-and-methods/21-status-wrong-host": _status(_ANY_HOST),
    "errors:routes-and-methods/25-admin-only-route-as-bob": _status("there are no pages for people"),
    "errors:body-wins-over-path/01-deck-put-board": _status(_DECK),
    "errors:body-wins-over-path/02-deck-get-a": _status(_DECK),
    "errors:body-wins-over-path/03-deck-get-b": _status(_DECK),
    "errors:body-wins-over-path/05-news-put-folder": _status(_NEWS),
    "errors:body-wins-over-path/06-news-folders": _status(_NEWS),
    "errors:rate-limit/02-shares-too-many": _status("nothing is limited, as in the rest of the recordings"),
    "errors:app-disabled/05-news-enabled-again": _status(_NEWS),
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
