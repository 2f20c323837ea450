"""Evidence in a file: written once, judged as often as anyone likes."""

import json
from collections.abc import Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from aboveboard import __version__
from aboveboard.audit import raw
from aboveboard.audit.evidence import Behaviour, CallResult, Request, Server, ServerSession, Tool, Trial
from aboveboard.audit.rule import Finding, Profile, Severity
from aboveboard.audit.verify.proof import Proof
from aboveboard.errors import BadInput

VERSION: Final = 1
T = TypeVar("T")
_PLAIN: Final = ("noise", "seconds", "walks", "walking", "remarks")


def evidence_text(proof: Proof) -> str:
    """Write a proof, a line for each part; definitions stay as they stood on the wire, repeated keys included."""
    answers = [{"tool": one.tool.name, **_some(one, "result", "arguments", "error")} for one in proof.answers]
    parts = {
        "aboveboard": __version__,
        "evidence": VERSION,
        "conducts": [_behaviour(one) for one in proof.behaviours],
        "answers": answers,
        "found": [asdict(one) for one in proof.found],
        **_some(proof, *_PLAIN, "ended"),
    }
    lines = [f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in parts.items()]
    lines.append(f'"servers": {raw.dump([_server(one) for one in proof.servers])}')
    return "{\n" + ",\n".join(lines) + "\n}"


def read_evidence(file: Path) -> Proof:
    """Read a proof."""
    try:
        document = raw.parse(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInput(f"{file} cannot be read: {error.strerror}.") from None
    except ValueError:
        raise BadInput(f"{file} is not JSON.", next_step="It takes what `aboveboard verify --save` wrote.") from None
    if not isinstance(document, Mapping) or "evidence" not in document:
        raise BadInput(f"{file} holds no evidence.", next_step="It takes what `aboveboard verify --save` wrote.")
    given = cast("Mapping[str, Any]", document)
    if given["evidence"] != VERSION:
        said = f"{file} holds evidence of version {given['evidence']!r}; this is aboveboard {__version__}, which reads"
        raise BadInput(f"{said} version {VERSION}.", next_step="Use the aboveboard that wrote it.")
    try:
        return _proof(given)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadInput(f"{file} holds evidence that is damaged ({type(error).__name__}: {error}).") from None


def _proof(given: Mapping[str, Any]) -> Proof:
    servers = [_read_server(one) for one in given["servers"]]
    tools = {(server.name, tool.name): tool for server in servers for tool in server.tools}
    by_name = {name: tool for (_, name), tool in tools.items()}
    return Proof(
        servers=servers,
        behaviours=[_read_behaviour(one, tools) for one in given["conducts"]],
        answers=[_made(CallResult, one, tool=by_name[one["tool"]]) for one in given["answers"]],
        found=[
            _made(Finding, one, severity=Severity(one["severity"]), profile=Profile(one["profile"]))
            for one in given["found"]
        ],
        ended=given.get("ended", ""),
        **{name: given[name] for name in _PLAIN},
    )


def _server(server: Server) -> dict[str, Any]:
    session = server.session
    return {
        **_some(server, "name", "protocol", "instructions", "info", "origin"),
        "tools": [tool.definition for tool in server.tools],
        "session": {
            **_some(session, "stray", "read_only_mode", "writes"),
            "listings": [[tool.definition for tool in listing] for listing in session.listings],
        },
    }


def _read_server(given: Mapping[str, Any]) -> Server:
    name: str = given["name"]
    listings = [[Tool(one, name) for one in listing] for listing in given["session"]["listings"]]
    return _made(
        Server,
        given,
        tools=[Tool(one, name) for one in given["tools"]],
        session=_made(ServerSession, given["session"], server=name, listings=listings),
    )


def _behaviour(behaviour: Behaviour) -> dict[str, Any]:
    return {
        "server": behaviour.server,
        "tool": behaviour.tool.name,
        **_some(
            behaviour, "unseen", "general", "untried", "unreached", "unsettled", "unawaited", "coverage", "problem"
        ),
        "trials": [_trial(one) for one in behaviour.trials],
        "refusals": [_trial(one) for one in behaviour.refusals],
        "unmade": [_trial(one) for one in behaviour.unmade],
    }


def _read_behaviour(given: Mapping[str, Any], tools: Mapping[tuple[str, str], Tool]) -> Behaviour:
    tool = tools[given["server"], given["tool"]]
    return _made(
        Behaviour,
        given,
        tool=tool,
        trials=[_read_trial(one, tool) for one in given["trials"]],
        refusals=[_read_trial(one, tool) for one in given.get("refusals", ())],
        unmade=[_read_trial(one, tool) for one in given.get("unmade", ())],
    )


_TRIAL: Final = [one.name for one in fields(Trial) if one.name not in ("tool", "answer", "requests")]


def _trial(trial: Trial) -> dict[str, Any]:
    answer = trial.answer
    return {
        **_some(trial, *_TRIAL),
        "answer": None if answer is None else _some(answer, "result", "error"),
        "requests": [asdict(one) for one in trial.requests],
    }


def _read_trial(given: Mapping[str, Any], tool: Tool) -> Trial:
    answer = given["answer"]
    return _made(
        Trial,
        given,
        tool=tool,
        answer=None if answer is None else _made(CallResult, answer, tool=tool),
        requests=[_made(Request, one) for one in given["requests"]],
    )


def _some(one: object, *names: str) -> dict[str, Any]:
    return {name: _listed(getattr(one, name)) for name in names}


def _listed(value: Any) -> Any:
    return list(cast("Any", value)) if isinstance(value, tuple | set | frozenset) else value


def _made(kind: type[T], given: Mapping[str, Any], **instead: Any) -> T:
    """Make an object from what stands in the file; a field that the file lacks is a fault of the file."""
    known = {one.name for one in fields(cast("Any", kind))}
    return kind(**{**{key: value for key, value in given.items() if key in known}, **instead})
