"""App pages below /index.php: routing, and the answers of a server that does not know the way."""

import re

from aboveboard.nextcloud.sandbox.calls import Call, Router, fill_arguments
from aboveboard.nextcloud.sandbox.wire import json_response, page
from aboveboard.sandbox.wire import Response


def respond(call: Call, router: Router, path: str) -> Response:
    """The answer to a request below /index.php, or below / where pretty URLs are on."""
    if call.wrong_password:
        return json_response({"message": ""}, 401)
    # Pages are found by the decoded path, so that a slash separates even if it is escaped.
    found = router.look_up(call, re.sub("%2f", "/", path, flags=re.IGNORECASE))
    if found is None:
        return page("Page not found", 404) if call.wants("text/html") else Response(404)
    if found.route is None:
        return Response(200 if call.method == "OPTIONS" else 405)
    if call.caller is None and not found.route.public:
        return _not_logged_in(call)
    fill_arguments(call, found.values)
    return found.route.handler(call)


def _not_logged_in(call: Call) -> Response:
    if call.wants("text/html"):
        return Response(303, {"location": f"/login?redirect_url={call.path}"})
    return json_response({"message": "Current user is not logged in"}, 401)
