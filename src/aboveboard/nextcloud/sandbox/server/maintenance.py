"""Maintenance mode, which POST /_sandbox/maintenance/on and off switch: each kind of route refuses in its own way."""

from aboveboard.nextcloud.sandbox.calls import Call
from aboveboard.nextcloud.sandbox.dav.dialect import DavError
from aboveboard.nextcloud.sandbox.wire import json_response, page
from aboveboard.sandbox.wire import Response

_MARK = {"x-nextcloud-maintenance-mode": "1"}


def refuse(call: Call) -> Response | None:
    """What a server under maintenance says; only its status is still to be had."""
    if call.path == "/status.php":
        return None
    if call.path.startswith(("/remote.php/", "/public.php/")):
        message = "System is in maintenance mode."
        return DavError(503, "OCA\\DAV\\Exception\\ServerMaintenanceMode", message).response()
    if call.path.startswith("/ocs/"):
        meta = {"status": "failure", "statuscode": 503, "message": "Service unavailable"}
        return json_response({"ocs": {"meta": meta, "data": []}}, 503, _MARK)
    return page("Maintenance mode", 503, {**_MARK, "retry-after": "120"})
