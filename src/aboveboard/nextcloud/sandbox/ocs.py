"""The OCS dialect: an envelope with a status of its own, JSON or XML, v1 with HTTP 200 for everything, v2 without."""

from typing import Any, cast

from lxml import etree

from aboveboard.nextcloud.sandbox.calls import Call, Router, fill_arguments
from aboveboard.nextcloud.sandbox.dav.xml import Element
from aboveboard.nextcloud.sandbox.wire import XML_TYPE, digest, json_response
from aboveboard.sandbox.wire import JSON_TYPE, Response, to_json

_UNKNOWN = (
    "Invalid query, please check the syntax. API specifications are here:"
    " http://www.freedesktop.org/wiki/Specifications/open-collaboration-services.\n"
)
NOTHING: list[object] = []


class OcsError(Exception):
    """A refusal in the envelope; its code is the HTTP status unless said otherwise."""

    def __init__(self, status: int, message: str = "", *, code: int | None = None, data: object = NOTHING) -> None:
        super().__init__(message)
        self.status, self.message, self.code, self.data = status, message, code or status, data


class Tagged:
    """Data that goes out with an ETag, so that a client can ask whether it changed."""

    def __init__(self, data: object) -> None:
        self.data, self.etag = data, digest(to_json(data).decode())


def respond(call: Call, router: Router, version: int, path: str) -> Response:
    """The answer to a request below /ocs/v<version>.php."""
    if call.wrong_password:
        headers = {"www-authenticate": 'Basic realm="Authorisation Required"'}
        return _envelope(call, version, OcsError(401, "Unauthorised", code=997), headers)
    found = router.look_up(call, path)
    if found is None:
        return _envelope(call, version, OcsError(404, _UNKNOWN, code=998))
    if found.route is None:
        return Response(405, {"content-type": JSON_TYPE})
    if call.header("ocs-apirequest") != "true":
        return json_response({"message": "CSRF check failed"}, 412)
    if call.caller is None and not found.route.public:
        return _envelope(call, version, OcsError(401, "Current user is not logged in", code=997))
    fill_arguments(call, found.values)
    try:
        return _envelope(call, version, found.route.handler(call))
    except OcsError as error:
        return _envelope(call, version, error)


def _envelope(call: Call, version: int, result: object, headers: dict[str, str] | None = None) -> Response:
    if isinstance(result, Response):
        return result
    headers = dict(headers or {})
    if isinstance(result, Tagged):
        headers["etag"] = f'"{result.etag}"'
        result = result.data
    meta: dict[str, object] = {"status": "ok", "statuscode": 100 if version == 1 else 200, "message": "OK"}
    status, data = 200, result
    if isinstance(result, OcsError):
        meta = {"status": "failure", "statuscode": result.code, "message": result.message}
        status, data = (200 if version == 1 and result.status != 401 else result.status), result.data
    if version == 1:
        meta |= {"totalitems": "", "itemsperpage": ""}
    wanted = call.query.get("format") or ("json" if call.wants("application/json") else "xml")
    if wanted == "json":
        return json_response({"ocs": {"meta": meta, "data": data}}, status, headers)
    return Response(status, {"content-type": XML_TYPE, **headers}, _xml(meta, data))


def _xml(meta: dict[str, object], data: object) -> bytes:
    root = etree.Element("ocs")
    root.append(_element("meta", meta))
    root.append(_element("data", data))
    etree.indent(root, " ")
    return b'<?xml version="1.0"?>\n' + etree.tostring(root, encoding="utf-8") + b"\n"


def _element(name: str, value: object) -> Element:
    try:
        element = etree.Element(name)
    except ValueError:
        element = etree.Element("element")
    if isinstance(value, dict):
        fields = cast("dict[Any, object]", value)
        element.extend(_element("element" if str(key).isdecimal() else str(key), item) for key, item in fields.items())
    elif isinstance(value, list):
        element.extend(_element("element", item) for item in cast("list[object]", value))
    elif isinstance(value, bool):
        element.text = "1" if value else ""
    elif value is not None:
        element.text = str(value)
    return element
