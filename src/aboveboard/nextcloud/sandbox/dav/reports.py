"""REPORT: reading which one is asked for, and places that have none."""

from aboveboard.nextcloud.sandbox.dav.dialect import DavCall, DavError
from aboveboard.nextcloud.sandbox.dav.xml import Element, XmlError, clark, make, parse
from aboveboard.sandbox.wire import Response


def read_report(dav: DavCall, name: str) -> Element:
    """The body of a report of this name; a broken one is the server's own failure here, not the client's."""
    try:
        root = parse(dav.call.body)
    except XmlError as error:
        raise DavError(500, "Sabre\\Xml\\LibXMLException", str(error)) from error
    if root.tag != clark(name):
        raise DavError(415, "ReportNotSupported", details=[make("d:supported-report")])
    return root


def unknown(dav: DavCall) -> Response:
    """A place without reports."""
    read_report(dav, "d:nothing")
    raise AssertionError("no report has this name")
