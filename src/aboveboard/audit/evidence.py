"""What rules judge: what servers say of their tools, and what the tools were seen to do.

    Tool            one definition, as it stood on the wire         Fleet        all servers that are audited together
    Server          all that one server said of itself              Drift        a server now and in its baseline
    Source          hints found in a server's source code
    Challenge, ProtectedResource, AuthorizationServer           what it tells those who bring no credentials

    ServerSession   the lines and listings of one or more runs      CallResult   what one call answered
    Trial           a tool called from a known state                Behaviour    all trials of one tool

The upper ones come from reading a server (`audit`), the lower ones from watching it (`verify`). Data only, no I/O.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from aboveboard.audit.authorization import (
    AuthorizationServer,
    Challenge,
    Document,
    ProtectedResource,
    SignIn,
    covers,
    example_challenge,
    example_resource,
    example_sign_in,
    in_the_clear,
    is_here,
    texts,
)
from aboveboard.audit.facts import Change, Facts
from aboveboard.audit.request import Request
from aboveboard.audit.schemas import Schema, mismatch, nodes, resolve_reference, schema_problem
from aboveboard.audit.tool import ADDS, DEFAULTS, DELETES, HINTS, READS, Tool, example
from aboveboard.audit.trial import Behaviour, CallResult, Trial
from aboveboard.audit.words import singular, updating_verb, words

__all__ = [
    "ADDS",
    "DEFAULTS",
    "DELETES",
    "HINTS",
    "READS",
    "AuthorizationServer",
    "Behaviour",
    "CallResult",
    "Challenge",
    "Change",
    "Document",
    "Drift",
    "Evidence",
    "Facts",
    "Fleet",
    "Mention",
    "ProtectedResource",
    "Request",
    "Schema",
    "Server",
    "ServerSession",
    "Source",
    "Tool",
    "Trial",
    "covers",
    "example",
    "example_challenge",
    "example_resource",
    "example_sign_in",
    "in_the_clear",
    "is_here",
    "mismatch",
    "nodes",
    "resolve_reference",
    "schema_problem",
    "singular",
    "texts",
    "updating_verb",
    "words",
]


@dataclass(frozen=True)
class ServerSession:
    """What the lines and listings of one or more runs of a server were."""

    server: str = ""
    stray: Sequence[str] = ()
    """Lines on stdout that were no JSON-RPC, each with when it came: `at start: Loading...`."""
    listings: Sequence[Sequence[Tool]] = ()
    """What tools/list answered, each time it was asked."""
    read_only_mode: bool = False
    """The server was started in a mode in which it promises to write nothing."""
    writes: Sequence[str] = ()
    """What was written all the same: `POST /notes by add_note`."""


@dataclass(frozen=True)
class Server:
    """All that one server said of itself."""

    name: str
    tools: Sequence[Tool] = ()
    protocol: str = ""
    """The revision that was spoken; empty for a saved listing."""
    instructions: str = ""
    info: Mapping[str, Any] = field(default_factory=dict[str, Any])
    session: ServerSession = ServerSession()
    origin: str = ""
    """Where it was read, without secrets."""
    sign_in: Sequence[SignIn] = ()
    """What it tells those who bring no credentials; nothing where it lets everyone in."""

    @property
    def server(self) -> str:
        """The name that findings carry."""
        return self.name

    def by_name(self) -> dict[str, Tool]:
        """Return the tools by name."""
        return {tool.name: tool for tool in self.tools}


@dataclass(frozen=True)
class Fleet:
    """The servers that one client would load together."""

    servers: Sequence[Server]
    token_budget: int | None = None
    """How many tokens all definitions together may cost, where the operator set a budget."""
    server: str = ""


@dataclass(frozen=True)
class Drift:
    """A server as it is, beside what was saved of it."""

    before: Server
    now: Server

    @property
    def server(self) -> str:
        """The name that findings carry."""
        return self.now.name

    def pairs(self) -> Iterator[tuple[Tool, Tool]]:
        """Go through the tools that are in both, then and now."""
        then = self.before.by_name()
        return ((then[tool.name], tool) for tool in self.now.tools if tool.name in then)


@dataclass(frozen=True)
class Mention:
    """A hint in source code: its value, and where it stands."""

    value: bool
    place: str


@dataclass(frozen=True)
class Source:
    """A tool, and the hints that the source code gives it."""

    tool: Tool
    mentions: Mapping[str, Mention]

    @property
    def server(self) -> str:
        """The name that findings carry."""
        return self.tool.server


Evidence = Tool | Server | Fleet | Drift | Source | ServerSession | CallResult | Trial | Behaviour | SignIn
