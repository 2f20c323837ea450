"""What a plan says: how to start the server, where its state is, and how each tool is to be called."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from aboveboard.addresses import is_loopback
from aboveboard.audit.request import RequestKind
from aboveboard.audit.target import Address, Command

BUILT_IN: Final = ("port", "upstream", "server_port", "python", "here", "scratch", "nonce")
"""Names every plan can use: two free ports, the recorder, this Python, the plan's folder, an empty one, a secret."""


class Restart(StrEnum):
    """When the server is started anew."""

    CASE = "case"
    """For each case, and for one walk more; one that keeps its own state, also whenever that is put back."""
    TRIAL = "trial"
    NEVER = "never"


class Record(StrEnum):
    """How the server's requests are recorded."""

    REDIRECT = "redirect"
    PROXY = "proxy"
    NONE = "none"


@dataclass(frozen=True)
class Place:
    """Where something stands in a plan."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}, line {self.line}"


@dataclass(frozen=True)
class Fetch:
    """One HTTP request: `POST /_sandbox/reset`."""

    method: str
    target: str


@dataclass(frozen=True)
class Shell:
    """A command to run; as a state, it prints JSON."""

    argv: tuple[str, ...]


@dataclass(frozen=True)
class Rereads:
    """Collections of the upstream that are read again, past the server."""

    reads: tuple[Fetch, ...]
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)


@dataclass(frozen=True, kw_only=True)
class Step:
    """A call of a tool, and what to keep of its answer."""

    call: str
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])
    keep: Mapping[str, str] = field(default_factory=dict[str, str])
    place: Place | None = None


@dataclass(frozen=True, kw_only=True)
class ForeignRequest:
    """A request to the backend past the server: what another program makes of it before a tool is called."""

    send: Fetch
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    json: Any = None
    content: str | bytes | None = None
    keep: Mapping[str, str] = field(default_factory=dict[str, str])
    place: Place | None = None


@dataclass(frozen=True)
class ToolReads:
    """Read tools of the server itself: the weakest oracle, as a lying server lies here too."""

    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Stored:
    """A place that keeps state and can be read and put back without a script: `{sqlite: app.db}`."""

    kind: str
    place: str = field(repr=False)

    @property
    def hosts(self) -> list[str]:
        """The hosts that it leads to; none for what is a path, or a socket, on this machine."""
        if "://" not in self.place:
            return []
        parts = urlsplit(self.place.replace("${port}", "1"))
        given = parse_qs(parts.query)
        named = [one for key in ("host", "hostaddr", "service") for one in given.get(key, [])]
        named += [parts.netloc] if parts.netloc else []
        hosts = [host.rpartition("@")[2] for one in named for host in one.split(",")]
        return [host for host in hosts if host and not host.startswith("/")]


@dataclass(frozen=True)
class Combined:
    """Several oracles, which together tell the state."""

    parts: "tuple[Fetch | Shell | Rereads | ToolReads | Stored, ...]"


@dataclass(frozen=True)
class Restore:
    """The reset that puts every store back as it was when the run began."""


State = Fetch | Shell | Rereads | ToolReads | Stored | Combined


def parts_of(state: State | None) -> "tuple[Fetch | Shell | Rereads | ToolReads | Stored, ...]":
    """Return the single oracles of a state."""
    if state is None:
        return ()
    return state.parts if isinstance(state, Combined) else (state,)


@dataclass(frozen=True, kw_only=True)
class Case:
    """One way to call a tool: what must be there before, and the arguments."""

    tool: str
    name: str = ""
    arrange: Sequence[Step | ForeignRequest] = ()
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])
    unseen: Mapping[str, str] = field(default_factory=dict[str, str])
    refused: Sequence[str] = ()
    """Where the call must be refused: the words that its answer must contain; an empty one stands for any."""
    may_fail: str = ""
    """Why nothing is missing where the call fails, such as one on a record that is not there; empty: it should work."""
    local: str = ""
    """Why a call that reaches no upstream is right all the same; empty: it would be vacuous."""
    changes: Sequence[str] | None = None
    """Globs of all the facts that the call changes; None where the plan does not say."""
    place: Place | None = None

    @property
    def steps(self) -> list[Step]:
        """The calls of tools that come before the one that counts."""
        return [one for one in self.arrange if isinstance(one, Step)]


@dataclass(frozen=True, kw_only=True)
class Launch:
    """How the server is started or reached."""

    command: tuple[str, ...] = ()
    url: str = ""
    environment: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    restart: Restart = Restart.CASE
    read_only: bool = False
    """It is started in a mode in which it promises to write nothing."""
    settle: float = 0.0
    """How many seconds to wait after each call, for servers that answer first and write afterwards."""
    folder: str | None = None
    own_home: bool = True
    """Whether it is given an empty home of its own, which is watched."""
    sealed: bool = True
    """Whether it is given a network of its own, where that is possible and requests are recorded."""


@dataclass(frozen=True, kw_only=True)
class Backend:
    """What holds the state."""

    command: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    """What resetting it, reading its state and requests past the server take along."""
    reset: Fetch | Shell | Restore | None = None
    state: State | None = None
    record: Record | None = None
    whole: bool = False
    """Whether the state tells all that the backend keeps, so that a write which it does not show was none."""

    @property
    def recording(self) -> Record:
        """How requests are recorded, where the plan does not say."""
        return self.record or (Record.REDIRECT if self.url else Record.NONE)


@dataclass(frozen=True, kw_only=True)
class Plan:
    """A whole plan."""

    server: Launch = Launch()
    backend: Backend = Backend()
    domain: tuple[str, ...] = ()
    reachable: tuple[str, ...] = ()
    bookkeeping: tuple[str, ...] = ()
    routes: Mapping[str, RequestKind] = field(default_factory=dict[str, RequestKind])
    values: Mapping[str, Any] = field(default_factory=dict[str, Any])
    unseen: Mapping[str, str] = field(default_factory=dict[str, str])
    cases: Sequence[Case] = ()
    marathon: int = 0
    """How often a tool that declares itself read-only is called in one session; 0: no marathon."""
    todos: Sequence[Place] = ()
    """What a draft left for a person to complete."""
    here: Path = Path()
    source: str = "the plan"

    @property
    def oracle(self) -> str:
        """Who is asked for the state."""
        kinds: dict[type, str] = {Rereads: "upstream", ToolReads: "tools"}
        return " and ".join(dict.fromkeys(kinds.get(type(one), "backend") for one in parts_of(self.backend.state)))

    @property
    def stores(self) -> list[Stored]:
        """What keeps the state and can be put back."""
        return [one for one in parts_of(self.backend.state) if isinstance(one, Stored)]

    @property
    def server_keeps_state(self) -> bool:
        """Tell whether there is nothing behind the server: what it remembers of an old state would come back."""
        return not self.backend.url and not self.backend.command

    def of(self, tool: str) -> list[Case]:
        """Return the cases of one tool."""
        return [case for case in self.cases if case.tool == tool]

    def starting(self, target: Command | Address) -> "Plan":
        """Return the plan for another server than the one it names; its environment and its restarts stay."""
        old = self.server
        if isinstance(target, Address):
            server = replace(old, command=(), url=target.url, headers=target.headers)
        else:
            environment = {**target.environment, **old.environment}
            server = replace(old, command=target.argv, url="", environment=environment, folder=target.folder)
        return replace(self, server=server)


def on_loopback(url: str) -> bool:
    """Tell whether a URL is on this machine; one with a name still to be filled in for the host is not."""
    host = urlsplit(url.replace("${port}", "1").replace("${server_port}", "1")).hostname or ""
    return is_loopback(host)
