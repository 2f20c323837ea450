"""What a rule is, and what it finds.

A rule is one class in one file of `rules/`. It judges one kind of evidence, named in `Rule[...]`, and does no I/O.
Its `bad` and `good` are real evidence: the documentation prints them and one test runs them all.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, Generic, TypeVar

E = TypeVar("E")


class Severity(StrEnum):
    """How much a finding matters."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

    @property
    def rank(self) -> int:
        """Order by weight: an error is 2, a warning 1, a note 0."""
        return ("info", "warning", "error").index(self.value)


class Profile(StrEnum):
    """Whose reading of the hints counts: the platforms contradict each other."""

    SPEC = "spec"
    ANTHROPIC = "anthropic"
    OPENAI = "openai"
    GEMINI = "gemini"
    CURSOR = "cursor"
    STRICT = "strict"


_LIKE = {Profile.GEMINI: Profile.SPEC, Profile.CURSOR: Profile.SPEC}
"""Whose weights count where a profile has none: these two set limits, and read hints as the protocol does."""


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One thing that is wrong, where, and by whose measure."""

    rule: str
    severity: Severity
    message: str
    tool: str | None = None
    """None where it is the server as a whole."""
    hint: str | None = None
    """The hint it is about, for the matrix of tools by hints."""
    parameter: str | None = None
    """The parameter it is about, so that each keeps its own history in code scanning."""
    case: str = ""
    """The case of the plan it is about, where each case is a promise of its own."""
    profile: Profile = Profile.SPEC
    server: str = ""


@dataclass(frozen=True)
class Ignored:
    """A finding that someone decided to live with, and why."""

    finding: Finding
    reason: str


def weigh(**profiles: Severity | None) -> Mapping[Profile, Severity | None]:
    """Say how profiles weigh a rule where they differ from its own severity: `weigh(strict=Severity.ERROR)`."""
    return {Profile(name): severity for name, severity in profiles.items()}


class Rule(Generic[E]):
    """A rule, instantiated for one profile."""

    id: ClassVar[str]
    severity: ClassVar[Severity] = Severity.ERROR
    by_profile: ClassVar[Mapping[Profile, Severity | None]] = {}
    """Where a profile weighs it otherwise; None: that profile does not ask for it."""
    why: ClassVar[str]
    fix: ClassVar[str]
    bad: E
    good: E
    shown_under: ClassVar[Profile] = Profile.SPEC
    """The profile under which `bad` is bad."""

    def __init__(self, profile: Profile = Profile.SPEC) -> None:
        self.profile = profile

    @classmethod
    def judges(cls) -> type[Any]:
        """Return the kind of evidence this rule is for."""
        return type(cls.good)

    @classmethod
    def weight(cls, profile: Profile) -> Severity | None:
        """Tell how much a finding weighs under a profile; None where the profile does not ask."""
        alike = profile if profile in cls.by_profile else _LIKE.get(profile, profile)
        return cls.by_profile.get(alike, cls.severity)

    @classmethod
    def name(cls) -> str:
        """Return the class's name in words, as its file is called: `read_only_tool_that_writes`."""
        return re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()

    @classmethod
    def title(cls) -> str:
        """Say in one sentence what is wrong."""
        return (cls.__doc__ or "").strip().partition("\n")[0]

    def applies(self, evidence: E) -> bool:
        """Tell whether a piece of evidence shows what this rule is about: where none does, it was not applied."""
        del evidence
        return True

    def check(self, evidence: E) -> Iterator[Finding]:
        """Judge one piece of evidence."""
        raise NotImplementedError

    def finding(
        self,
        tool: str | None,
        message: str,
        *,
        hint: str | None = None,
        parameter: str | None = None,
        case: str = "",
        severity: Severity | None = None,
        server: str = "",
    ) -> Finding:
        """Make a finding; the severity is the profile's unless this case weighs less or more."""
        weight = severity or self.weight(self.profile) or Severity.INFO
        return Finding(
            rule=self.id,
            severity=weight,
            message=message,
            tool=tool,
            hint=hint,
            parameter=parameter,
            case=case,
            profile=self.profile,
            server=server,
        )
