"""What people say about themselves, and what the server tells them: status, notifications."""

from typing import Any

from aboveboard.nextcloud.sandbox.calls import Call, Routes
from aboveboard.nextcloud.sandbox.ocs import OcsError
from aboveboard.nextcloud.sandbox.wire import bad_argument
from aboveboard.sandbox.table import Table

_TYPES = {"online", "away", "dnd", "busy", "invisible", "offline"}
_ROOT = "/apps/user_status/api/v1"

STATUSES = Table(
    "statuses",
    "uid TEXT PRIMARY KEY REFERENCES users ON DELETE CASCADE, status TEXT, icon TEXT, message TEXT, clear_at INTEGER",
)

routes = Routes()


def _status(call: Call, uid: str) -> dict[str, Any] | None:
    row = call.store.one("SELECT * FROM statuses WHERE uid = ?", uid)
    if row is None:
        return None
    return {
        "userId": uid,
        "message": row["message"],
        "messageId": None,
        "messageIsPredefined": False,
        "icon": row["icon"],
        "clearAt": row["clear_at"],
        "status": row["status"],
        "statusIsUserDefined": True,
    }


@routes.ocs("GET", f"{_ROOT}/user_status")
def get_status(call: Call) -> dict[str, Any]:
    """One's own status."""
    status = _status(call, call.uid)
    if status is None:
        raise OcsError(404, "No status for the current user")
    return status


def _ensure(call: Call) -> None:
    call.store.run("INSERT OR IGNORE INTO statuses (uid, status) VALUES (?, 'online')", call.uid)


@routes.ocs("PUT", f"{_ROOT}/user_status/status")
def set_status(call: Call) -> dict[str, Any]:
    """Online, away, not to be disturbed."""
    if "statusType" not in call.arguments:
        raise bad_argument()
    kind = call.text("statusType")
    if kind not in _TYPES:
        raise OcsError(400, f'Status-type "{kind}" is not supported')
    _ensure(call)
    call.store.run("UPDATE statuses SET status = ? WHERE uid = ?", kind, call.uid)
    return get_status(call)


@routes.ocs("PUT", f"{_ROOT}/user_status/message/custom")
def set_message(call: Call) -> dict[str, Any]:
    """A few words and a picture."""
    _ensure(call)
    values = (call.arguments.get("statusIcon"), call.arguments.get("message"), call.arguments.get("clearAt"))
    call.store.run("UPDATE statuses SET icon = ?, message = ?, clear_at = ? WHERE uid = ?", *values, call.uid)
    return get_status(call)


@routes.ocs("DELETE", f"{_ROOT}/user_status/message")
def clear_message(call: Call) -> list[object]:
    """No words any more."""
    call.store.run("UPDATE statuses SET icon = NULL, message = NULL, clear_at = NULL WHERE uid = ?", call.uid)
    return []


@routes.ocs("GET", f"{_ROOT}/statuses/{{uid}}")
def other_status(call: Call) -> dict[str, Any]:
    """Someone else's status."""
    status = _status(call, call.text("uid"))
    if status is None:
        raise OcsError(404, "No status for the requested userId")
    return {key: status[key] for key in ("userId", "message", "icon", "clearAt", "status")}


@routes.ocs("GET", "/apps/notifications/api/v2/notifications")
def notifications(_: Call) -> list[object]:
    """Nothing happens here that someone would have to be told."""
    return []


@routes.ocs("DELETE", "/apps/notifications/api/v2/notifications/{id}")
def dismiss(_: Call) -> list[object]:
    """Away with it, whether or not it was there."""
    return []


@routes.ocs("GET", "/apps/notifications/api/v2/notifications/{id}")
def notification(call: Call) -> object:
    """One notification, of which there are none."""
    if not call.text("id").isdecimal():
        raise OcsError(
            404,
            "Invalid query, please check the syntax. API specifications are here:"
            " http://www.freedesktop.org/wiki/Specifications/open-collaboration-services.\n",
            code=998,
        )
    raise OcsError(404, data=None)
