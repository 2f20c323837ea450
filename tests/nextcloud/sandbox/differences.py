"""What the sandbox knowingly does otherwise than the recorded server: in which step, where in the answer, and why."""

from tests.nextcloud.sandbox.calendar.differences import CALENDAR
from tests.nextcloud.sandbox.tables import differences as tables

_DECK_UNASKED = "a part of Deck that no tool asks for is not there"
_DECK_SHARES = "the server that loses all shares of someone over a deleted board is not imitated"
_BIRTHDAYS = "birthdays are not made into events"
_ONLY_A_PART = "the recording keeps only the start of so long an answer"
_SAME_SECOND = (
    "the real server keeps the ETag of a file that is written twice within a second; here a second goes by with every"
    " write, unless the clock is held"
)
_ANY_HOST = "the sandbox is served under any name, so every host is trusted"
_NO_ACTIVITY = "nothing is kept of who did what"
_NOT_LEFT = "what earlier scenarios left on the server is not there"
_ALWAYS_ON = "an app cannot be switched off here"
_DRAWING = "a recipe without a picture has a drawing of our own"
_ONE_SIZE = "all sizes of a picture are the picture itself"
_NO_HOST = "the recording does not name the host, and this is a hash of it"
_MANIFEST = "of an app's manifest only the first lines are there"


def _etag(reason: str) -> dict[str, str]:
    return {"header etag": reason, "header oc-etag": reason}


def _status(reason: str) -> dict[str, str]:
    return {"status": reason}


_BOOKS = "./remote.php/dav/addressbooks/users/admin/{}/.HTTP/1.1 200 OK.{}"
_CTAG, _TOKEN = "{http://calendarserver.org/ns/}getctag", "{DAV:}sync-token"
_ACCOUNTS, _LATELY = "z-server-generated--system", "z-app-generated--contactsinteraction--recent"

DIFFERENCES: dict[str, dict[str, str]] = {
    "contacts:addressbooks/01-list": {
        _BOOKS.format(_ACCOUNTS, _CTAG): "as many changes as accounts",
        _BOOKS.format(_ACCOUNTS, _TOKEN): "as many changes as accounts",
        _BOOKS.format(_LATELY, _CTAG): "it tells a moment, and here another one",
    },
    "contacts:contacts-crud/01-list-empty": {"body": _ONLY_A_PART},
    "contacts:contacts-crud/22-get-no-uid": {"text": "the UID that the server makes up is another one"},
    "contacts:contacts-crud/38-list-accepted": {
        "./remote.php/dav/addressbooks/users/admin/contacts/default.HTTP/1.1 200 OK.{DAV:}getcontentlength": (
            "the example has no large picture here"
        )
    },
    "contacts:contacts-crud/41-birthday-calendar": {
        f"./remote.php/dav/calendars/admin/contact_birthdays/contacts-{name}.ics": _BIRTHDAYS
        for name in ("default", "rec-anna.vcf", "rec-ben.vcf")
    },
    "contacts:contacts-queries/15-all-data": {"body": _ONLY_A_PART},
    "contacts:contacts-queries/32-export": {"body": _ONLY_A_PART},
    "contacts:contacts-queries/33-unified-search": _status("the unified search does not look into cards"),
    "objects/contacts:full-vcard-3/08-photo-size-32": {"bytes": "a picture comes in its own size"},
    "capabilities-and-users:capabilities/08-app-info-news": dict.fromkeys(
        (
            *(".ocs.data.summary", ".ocs.data.description", ".ocs.data.author", ".ocs.data.namespace"),
            *(".ocs.data.documentation", ".ocs.data.category", ".ocs.data.website", ".ocs.data.discussion"),
            *(".ocs.data.bugs", ".ocs.data.repository", ".ocs.data.screenshot", ".ocs.data.dependencies"),
            *(".ocs.data.background-jobs", ".ocs.data.repair-steps", ".ocs.data.commands", ".ocs.data.settings"),
            *(".ocs.data.navigations", ".ocs.data.remote", ".ocs.data.public", ".ocs.data.two-factor-providers"),
            *(".ocs.data.activity", ".ocs.data.version"),
        ),
        _MANIFEST,
    ),
    "capabilities-and-users:server-status/06-login-v2-start": dict.fromkeys(
        (".login", ".poll.endpoint"), "an instance with pretty URLs: the sandbox has none, as in objects/login-flow"
    ),
    "capabilities-and-users:lookup-and-status/12-notifications-list": {
        "header etag": "an empty list has no ETag",
        ".ocs.data": "nobody is notified of anything",
    },
    "capabilities-and-users:lookup-and-status/15-activity": _status(_NO_ACTIVITY),
    "capabilities-and-users:lookup-and-status/16-activity-since-end": _status(_NO_ACTIVITY),
    "files:file-crud/14-update-no-if-match": _etag(_SAME_SECOND),
    "files:file-crud/25-delete-stale-if-match": {"header etag": _SAME_SECOND},
    "files:metadata/14-preview-none": {"bytes": "every preview is the same picture"},
    "files:locking-and-quota/03-put-by-owner": _etag(_SAME_SECOND),
    "files:locking-and-quota/04-lock-again": {"prop.{DAV:}getetag": _SAME_SECOND},
    "errors:without-ocs-header/08-get-tables-v1": {"": _NOT_LEFT},
    "errors:without-ocs-header/15-post-tables": {".id": _NOT_LEFT},
    "errors:routes-and-methods/19-wrong-host": _status(_ANY_HOST),
    "errors:routes-and-methods/20-wrong-host-dav": _status(_ANY_HOST),
    "errors:routes-and-methods/21-status-wrong-host": _status(_ANY_HOST),
    "errors:routes-and-methods/25-admin-only-route-as-bob": _status("there are no pages for people"),
    "errors:rate-limit/02-shares-too-many": _status("nothing is limited, as in the rest of the recordings"),
    "errors:app-disabled/01-news-disabled": _status(_ALWAYS_ON),
    "errors:app-disabled/02-news-disabled-post": _status(_ALWAYS_ON),
    "errors:app-disabled/05-news-enabled-again": {".folders": _NOT_LEFT},
    "errors:without-ocs-header/10-get-cookbook": {"": _NOT_LEFT},
    "errors:without-ocs-header/11-get-news": {".folders": _NOT_LEFT},
    "cookbook:recipes/32-image": {"text": _DRAWING},
    "cookbook:recipes/33-image-missing": {"text": _DRAWING},
    "objects/cookbook:full-recipe/04-image-thumb": {"bytes": _ONE_SIZE},
    "objects/cookbook:full-recipe/05-image-thumb16": {"bytes": _ONE_SIZE},
    "objects/cookbook:full-recipe/07-folder": {
        f"./remote.php/dav/files/admin/Recipes/Full%20recipe/{name}.HTTP/1.1 200 OK.{{DAV:}}getcontentlength": _ONE_SIZE
        for name in ("thumb.jpg", "thumb16.jpg")
    },
    "objects/cookbook:categories/14-bin": {
        "./remote.php/dav/trashbin/admin/trash/old%20draft.md.d1794795641": _NOT_LEFT
    },
    "objects/news:full-feed/07-internal-feeds": {".feeds[0].urlHash": _NO_HOST},
    "objects/news:items/01-items": {
        f".items[{place}].{name}": _NO_HOST for place in (0, 1) for name in ("fingerprint", "contentHash")
    },
    "objects/news:items/05-updated": {".items": "the moment that it asks about is one of the recording"},
    **{
        f"deck:{step}": _status(_DECK_UNASKED)
        for step in ("cards/49-upcoming", "cards/50-search", "cards/51-search-empty", "cards/52-due")
    },
    "deck:comments-and-attachments/48-admin-shares-after-board-delete": {
        ".ocs.data": "the first board of a new user has no picture attached"
    },
    "deck:comments-and-attachments/49-bob-shared-with-me-after-board-delete": _status(_DECK_SHARES),
    "deck:comments-and-attachments/51-bob-reads-share-after": _status(_DECK_SHARES),
    "objects/deck:card/55-activity": _status(_NO_ACTIVITY),
    "objects/deck:comment-and-attachment/10-attachment-post-internal": _status(_DECK_UNASKED),
    "objects/deck:clone-and-delete/07-export": _status(_DECK_UNASKED),
    "objects/deck:clone-and-delete/11-deleted-cards": _status(_DECK_UNASKED),
    "objects/deck:clone-and-delete/22-transfer-owner": _status(_DECK_UNASKED),
    "objects/deck:clone-and-delete/23-get-after-transfer": {
        **dict.fromkeys((".acl[0].id", ".acl[0].permissionManage"), _DECK_UNASKED),
        **{
            f".{who}.{key}": _DECK_UNASKED
            for who in ("owner", "acl[0].participant", "users[0]", "users[1]")
            for key in ("uid", "primaryKey", "displayname")
        },
    },
    **tables.DIFFERENCES,
    **CALENDAR,
}
