"""The report as JUnit XML: a case per applied rule and server and, of what was watched, one per tool and hint."""

import re
from typing import Any, Final

from lxml import etree

from aboveboard.audit.evidence import Server
from aboveboard.audit.report import Line, Report, lines
from aboveboard.audit.rule import Severity
from aboveboard.audit.rules import RULES
from aboveboard.audit.verdict import Ruling, Verdict

_NOT_XML: Final = re.compile("[^\\t\\n\\r\\u0020-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")


def text(report: Report, *, verbose: bool) -> str:
    """Write the report; programs always get all of it."""
    del verbose
    root = etree.Element("testsuites", name="aboveboard")
    found = lines(report.findings)
    if shared := _ids(report, ""):
        _suite(root, "all servers together", [line for line in found if not line.server], shared)
    for server in report.servers:
        own = [line for line in found if line.server == server.name]
        suite = _suite(root, server.name, own, _ids(report, server.name), server)
        for verdict in report.verdicts:
            if verdict.server == server.name:
                _watched(suite, verdict)
        _count(suite)
    for one in report.unread:
        own = [line for line in found if line.server == one.name]
        suite = _suite(root, one.name, own, _ids(report, one.name))
        case = etree.SubElement(suite, "testcase", classname=_xml(one.name), name="can be read")
        etree.SubElement(case, "error", message=_xml(one.problem))
        _count(suite)
    return etree.tostring(root, pretty_print=True, encoding="unicode").rstrip()


def _ids(report: Report, server: str) -> set[str]:
    """Return the rules that judged something of a server: one that nobody ran is no green case."""
    found = {one.rule for one in report.findings if one.server == server}
    return found | {rule for where, rule in report.applied if where == server}


def _suite(root: Any, name: str, found: list[Line], ids: set[str], server: Server | None = None) -> Any:
    suite = etree.SubElement(root, "testsuite", name=_xml(name))
    if server is not None and server.origin:
        properties = etree.SubElement(suite, "properties")
        etree.SubElement(properties, "property", name="origin", value=_xml(server.origin))
    for rule in (one for one in RULES if one.id in ids):
        case = etree.SubElement(suite, "testcase", classname=_xml(name), name=f"{rule.id} {rule.title()}")
        for line in found:
            if line.rule == rule.id:
                _outcome(case, line)
    _count(suite)
    return suite


def _count(suite: Any) -> None:
    suite.set("tests", str(len(suite.findall("testcase"))))
    suite.set("failures", str(len(suite.findall("testcase/failure"))))
    suite.set("skipped", str(len(suite.findall("testcase/skipped"))))
    suite.set("errors", str(len(suite.findall("testcase/error"))))


def _outcome(case: Any, line: Line) -> None:
    who = ", ".join(line.tools) or line.server or "all servers"
    message = _xml(f"{who}: {line.message} [{', '.join(line.profiles)}]")
    if line.severity is Severity.INFO:
        etree.SubElement(case, "system-out").text = message
    else:
        etree.SubElement(case, "failure", type=line.severity.value, message=message)


def _watched(suite: Any, verdict: Verdict) -> None:
    case = etree.SubElement(suite, "testcase", classname=_xml(verdict.tool), name=verdict.hint)
    why = f"{verdict.cause}; {verdict.explained}" if verdict.explained else verdict.cause
    told = _xml(f"{verdict.verdict.value}: {why}".rstrip(": "))
    if verdict.verdict is Ruling.VIOLATED:
        etree.SubElement(case, "failure", type="violated", message=told)
    elif verdict.verdict is not Ruling.HOLDS:
        etree.SubElement(case, "skipped", message=told)


def _xml(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)
