"""What the sandbox knowingly does otherwise than the recorded server: in which step, where in the answer, and why."""

from tests.nextcloud.sandbox.tables import differences as tables

_DECK = "Deck is not part of the sandbox yet"
_COOKBOOK = "Cookbook is not part of the sandbox yet"
_NEWS = "News is not part of the sandbox yet"
_CALENDAR = "calendars are not part of the sandbox yet"
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


DIFFERENCES: dict[str, dict[str, str]] = {
    "capabilities-and-users:server-status/02-capabilities-anonymous": {".ocs.data.capabilities.cookbook": _COOKBOOK},
    "capabilities-and-users:capabilities/01-capabilities-json": {
        ".ocs.data.capabilities.cookbook": _COOKBOOK,
        ".ocs.data.capabilities.deck": _DECK,
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
    "errors:authentication/10-anonymous-cookbook": _status(_COOKBOOK),
    "errors:authentication/11-anonymous-news": _status(_NEWS),
    "errors:without-ocs-header/03-get-calendar": _status(_CALENDAR),
    "errors:without-ocs-header/04-get-contacts": _status(_CONTACTS),
    "errors:without-ocs-header/06-get-deck": _status(_DECK),
    "errors:without-ocs-header/07-get-deck-ocs": _status(_DECK),
    "errors:without-ocs-header/10-get-cookbook": _status(_COOKBOOK),
    "errors:without-ocs-header/11-get-news": _status(_NEWS),
    "errors:without-ocs-header/14-post-deck": _status(_DECK),
    "errors:without-ocs-header/16-post-cookbook": _status(_COOKBOOK),
    "errors:without-ocs-header/17-post-news": _status(_NEWS),
    "errors:without-ocs-header/20-internal-deck-route-without-header": _status(_DECK),
    "errors:routes-and-methods/10-wrong-method-deck": _status(_DECK),
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
    "errors:rate-limit/01-mkcalendar-too-many": _status(_CALENDAR),
    "errors:rate-limit/02-shares-too-many": _status("nothing is limited, as in the rest of the recordings"),
    "errors:rate-limit/04-calendar-limit-reached": _status(_CALENDAR),
    "errors:app-disabled/05-news-enabled-again": _status(_NEWS),
    **tables.DIFFERENCES,
}
