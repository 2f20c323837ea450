"""Sends recorded requests to a sandbox: the same bytes, with the ids of the recording exchanged for ours."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, cast
from urllib.parse import urlencode

from starlette.types import Message
from tests.lightdash.sandbox.recordings import Step
from tests.lightdash.sandbox.shapes import differences

from aboveboard.lightdash.sandbox import Sandbox

# What the recordings keep of the headers.
KEPT_HEADERS = re.compile(
    "content-type|deprecation|sunset|warning|lightdash-version|retry-after|location|www-authenticate|"
    "content-disposition|allow|link"
)


@dataclass(frozen=True)
class Got:
    """What the sandbox answered."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def value(self) -> Any:
        if "json" in self.headers.get("content-type", "") and self.body and b"}\n{" not in self.body:
            return json.loads(self.body)
        return self.body.decode(errors="replace") or None


async def send(
    sandbox: Sandbox, method: str, target: str, headers: Mapping[str, str] | None = None, body: bytes = b""
) -> Got:
    """One request through ASGI, with a path that no HTTP client has tidied up."""
    path, _, query = target.partition("?")
    given = {"content-length": str(len(body)), **(headers or {})}
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode("latin-1"),
        "query_string": query.encode("latin-1"),
        "headers": [(name.encode("latin-1"), value.encode("latin-1")) for name, value in given.items()],
        "client": ("127.0.0.1", 50000),
    }
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    async def collect(message: Message) -> None:
        sent.append(message)

    await sandbox.app(scope, receive, collect)
    names = {name.decode(): value.decode("latin-1") for name, value in sent[0]["headers"]}
    return Got(sent[0]["status"], names, b"".join(message.get("body", b"") for message in sent[1:]))


@dataclass
class Replay:
    """A sandbox under a recorded scenario, and whose id is whose."""

    sandbox: Sandbox = field(default_factory=Sandbox)
    names: dict[str, str] = field(default_factory=dict[str, str])

    async def step(self, step: Step) -> dict[str, str]:
        """Send the recorded request, and again while it is on its way; say where the answer differs."""
        got = await self._answer(step)
        for _ in range(PATIENCE):
            if _state(got.value) not in ON_THE_WAY or _state(step.body) in ON_THE_WAY | {None}:
                break
            got = await self._answer(step)
        wrong: dict[str, str] = {}
        if got.status != step.status:
            return {"status": f"{got.status}, not {step.status}: {got.body[:300]!r}"}
        ours = {name: value for name, value in got.headers.items() if KEPT_HEADERS.fullmatch(name)}
        if _unhashed(ours) != _unhashed(self._ours(step.headers)):
            wrong["headers"] = f"{ours}, not {step.headers}"
        if got.status >= 400:
            expected = self._ours(step.body)
            if _anonymous(got.value) != _anonymous(expected):
                wrong["body"] = f"{got.value}, not {expected}"
            return wrong
        self._learn(step, got)
        return wrong | differences(got.value, step, self._ours(step.body))

    async def _answer(self, step: Step) -> Got:
        method = step.request["method"]
        return await send(self.sandbox, method, self._target(step), self._headers(step), self._body(step))

    def _learn(self, step: Step, got: Got) -> None:
        """A created thing has another id here; later steps mean ours."""
        theirs, ours = (_results(value) for value in (step.body, got.value))
        if step.request["method"] == "POST":
            for key in ("uuid", "queryUuid", "jobUuid", "savedSqlUuid"):
                if theirs.get(key):
                    self.names[theirs[key]] = ours[key]
            if "jobId" in theirs:
                for word in ("job", "runs"):
                    self.names[f"/{word}/{theirs['jobId']}/"] = f"/{word}/{ours['jobId']}/"
        for there, here in _pairs(step, got.value):
            self.names.setdefault(there, here)
        files = [details.get("details", {}).get("fileUrl", "") for details in (theirs, ours)]
        if all("/file/" in url for url in files):
            self.names[files[0].rpartition("/")[2]] = files[1].rpartition("/")[2]

    def _ours(self, value: Any) -> Any:
        text = json.dumps(value, ensure_ascii=False)
        return json.loads(self._renamed(text))

    def _renamed(self, text: str) -> str:
        for theirs, ours in self.names.items():
            for form in (str, str.upper, _all_escaped):
                text = text.replace(form(theirs), form(ours))
        return text

    def _target(self, step: Step) -> str:
        path: str = step.request["path"]
        if "...__trimmed__" in path:
            start, _, length = path.partition("...__trimmed__ ")
            path = start.ljust(int(length.split()[0]), "a")
        query = step.request["query"]
        if query:
            path += "?" + (query if isinstance(query, str) else urlencode(query, doseq=True))
        return self._renamed(path)

    def _headers(self, step: Step) -> dict[str, str]:
        headers = {} if step.person == "anonymous" else {"authorization": f"ApiKey {self.sandbox.tokens[step.person]}"}
        if step.request.get("body_raw") is not None or step.request["body"] is not None:
            headers["content-type"] = "application/json"
        headers["user-agent"] = "replay"
        secrets = {
            "<PAT_ADMIN>": self.sandbox.token,
            "<PAT_ADMIN_WITHOUT_PREFIX>": self.sandbox.token.removeprefix("ldpat_"),
            "<PAT_FAKE>": "ldpat_fake",
            "<20000 chars>": "x" * 20000,
        }
        for name, value in step.request.get("headers", {}).items():
            for mark, secret in secrets.items():
                value = value.replace(mark, secret)
            headers[name] = value
        return headers

    def _body(self, step: Step) -> bytes:
        raw = step.request.get("body_raw")
        if raw is None:
            value = step.request["body"]
            return b"" if value is None else self._renamed(json.dumps(value)).encode()
        if raw.startswith("<"):
            return UNPRINTED[step.name](int(raw[1:].split()[0]))
        return self._renamed(raw).encode()


# The recordings give only the size of these bodies.
UNPRINTED: Mapping[str, Callable[[int], bytes]] = {
    "bodies/charset-latin1": lambda size: b'{"name":"Rec \xe9"}'[:size],
    "bodies/invalid-utf8": lambda size: b'{"name":"Rec \xff\xfe"}'[:size],
    "bodies/too-large": lambda size: b'{"name":"' + b"x" * (size - 11) + b'"}',
    "bodies/much-too-large": lambda size: b'{"name":"' + b"x" * (size - 11) + b'"}',
}


UUID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
NANOID = re.compile(r"(?=.*\d)[-\w]{21}")

# A server that is quick can be done before it is asked; the recordings have each state once.
PATIENCE = 3
ON_THE_WAY = {"pending", "executing", "scheduled", "started", "STARTED", "RUNNING"}


def _unhashed(headers: Mapping[str, str]) -> dict[str, str]:
    """Headers without the part of a file's name that is a hash and a time."""
    return {name: re.sub(r"(csv|xlsx)-[-\w]+", r"\1-...", value) for name, value in headers.items()}


def _pairs(step: Step, got: Any) -> Iterator[tuple[str, str]]:
    """Ids that stand at the same place of both answers, where the answer is about what was just made or looked up."""
    if step.request["method"] == "GET" and not step.request["path"].endswith("/history"):
        return
    for there, here in _leaves(step.body, got):
        if (UUID.fullmatch(there) and UUID.fullmatch(here)) or (NANOID.fullmatch(there) and len(here) == len(there)):
            yield there, here


def _leaves(theirs: Any, ours: Any) -> Iterator[tuple[str, str]]:
    if isinstance(theirs, dict) and isinstance(ours, dict):
        there, here = cast("dict[str, Any]", theirs), cast("dict[str, Any]", ours)
        for key in there.keys() & here.keys():
            yield from _leaves(there[key], here[key])
    elif isinstance(theirs, list) and isinstance(ours, list):
        for one, other in zip(cast("list[Any]", theirs), cast("list[Any]", ours), strict=False):
            yield from _leaves(one, other)
    elif isinstance(theirs, str) and isinstance(ours, str):
        yield theirs, ours


def _results(value: Any) -> dict[str, Any]:
    """The results of an answer, if it is one that has some by name."""
    results: Any = cast("dict[str, Any]", value).get("results") if isinstance(value, dict) else None
    return cast("dict[str, Any]", results) if isinstance(results, dict) else {}


def _state(value: Any) -> str | None:
    """How far a query or a job is."""
    results = _results(value)
    return results.get("jobStatus") or results.get("status")


@cache
def _all_escaped(text: str) -> str:
    return "".join(f"%{ord(letter):02X}" for letter in text)


def _anonymous(value: Any) -> Any:
    """An error without the id of its report, though not without the fact that it has one."""
    return re.sub('"sentryEventId": "[0-9a-f]{32}"', '"sentryEventId": "..."', json.dumps(value, sort_keys=True))
