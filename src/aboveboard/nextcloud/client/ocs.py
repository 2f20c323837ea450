"""Nextcloud's OCS dialect: an envelope around every answer, which may hold an error inside a 200."""

import re
from dataclasses import replace
from typing import Any, Final, TypeVar, cast

from aboveboard.errors import DOUBT, ApiError, Unauthorised
from aboveboard.http import Nature, Path, Response, Session
from aboveboard.http.session import Query
from aboveboard.nextcloud.client.missing import AppMissing
from aboveboard.nextcloud.client.model import check_value

T = TypeVar("T")

# Without the first, every OCS route takes the request for one of a foreign web page.
HEADERS = {"OCS-APIRequest": "true", "Accept": "application/json"}
_GOOD = frozenset({100, 200})
_STATUS = {997: 401, 998: 404, 996: 500, 101: 400, 102: 400, 103: 400}
"""OCS's own numbers, which version 1 of the dialect puts into a 200, as HTTP says them."""

_NO_ROUTE: Final = "Invalid query, please check the syntax."
"""What OCS answers for an address that nobody has: that of an app which is not there."""
_APP: Final = re.compile(r"/ocs/v\d\.php/apps/(\w+)/")

NOT_KNOWN = (
    "The login name or the app password is wrong, or the password was revoked: ask the operator to check"
    " NEXTCLOUD_USERNAME and NEXTCLOUD_PASSWORD."
)


class InMaintenance(ApiError):
    """The operator has stopped Nextcloud for a while, and it says so."""

    advice = "Nothing was done. Try again once its operator has ended that."


class Ocs:
    """Sends OCS requests to one instance and unwraps what it answers."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def get(self, at: Path, into: type[T], query: Query | None = None) -> T:
        return self._unwrapped(await self._session.request("GET", at, query=query, headers=HEADERS), into, at)

    async def post(self, at: Path, into: type[T], body: object = None, *, nature: Nature | None = None) -> T:
        answer = await self._session.request("POST", at, json=body, headers=HEADERS, nature=nature)
        return self._unwrapped(answer, into, at)

    async def put(self, at: Path, into: type[T], body: object = None) -> T:
        return self._unwrapped(await self._session.request("PUT", at, json=body, headers=HEADERS), into, at)

    async def delete(self, at: Path) -> None:
        self._unwrapped(await self._session.request("DELETE", at, headers=HEADERS), object, at)

    def _unwrapped(self, answer: Response, into: type[T], at: Path) -> T:
        try:
            code, message, data = _envelope(answer)
        except ApiError:
            if answer.status < 400:
                raise
            raise ocs_error(self._session, answer) from None
        if answer.status == 404 and message.startswith(_NO_ROUTE) and (app := _APP.match(at)):
            raise AppMissing(app[1])
        if answer.status >= 400:
            raise ocs_error(self._session, answer, message)
        if code not in _GOOD:
            raise ocs_error(self._session, replace(answer, status=_STATUS.get(code, code)), message)
        if answer.status != 200:
            raise self._session.strange(answer)
        return check_value(data, into, answer)


def ocs_error(session: Session, answer: Response, message: str = "") -> ApiError:
    """Turn an answer into an error; what is about the whole Nextcloud needs other words than the usual."""
    error = session.error(answer, message)
    if isinstance(error, Unauthorised):
        return Unauthorised("Nextcloud does not accept the credentials.", status=401, next_step=NOT_KNOWN)
    if answer.status == 503 and _in_maintenance(answer):
        advice = DOUBT if answer.unsure and answer.writes else None
        return InMaintenance("Nextcloud is in maintenance mode.", status=503, next_step=advice)
    return error


def _in_maintenance(answer: Response) -> bool:
    """Pages and OCS say so in a header, DAV in its body alone."""
    return "x-nextcloud-maintenance-mode" in answer.headers or b"ServerMaintenanceMode" in answer.content


def _explained(data: object) -> str:
    said = cast("dict[str, object]", data).get("message") if isinstance(data, dict) else data
    return said if isinstance(said, str) else ""


def _envelope(answer: Response) -> tuple[int, str, object]:
    try:
        ocs = cast("dict[str, Any]", answer.json())["ocs"]
        meta, data = ocs["meta"], ocs["data"]
        said = str(meta.get("message") or "")
        # Some routes leave the message empty and explain themselves where the data would be.
        return int(meta["statuscode"]), said or _explained(data), data
    except (AttributeError, KeyError, TypeError, ValueError):
        raise answer.misfit("Nextcloud answered with JSON that is not its own.") from None
