"""Where the Lightdash is and who asks, from the environment; what is wrong with it is said at the start."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from pydantic import SecretStr

from aboveboard.errors import BadInput, Failure
from aboveboard.http.base_url import base_url_problem
from aboveboard.http.path import uuid


@dataclass(frozen=True)
class Place:
    """One instance, whoever asks, and the projects that tools may touch (none named: all)."""

    url: str
    public: str
    allowed_projects: frozenset[str] = frozenset()
    default_project: str | None = None
    oauth_client: tuple[str, SecretStr] | None = None
    """What this server is to Lightdash's OAuth, where the operator made it known: its id and secret."""

    @classmethod
    def read(cls, environment: Mapping[str, str]) -> "Place":
        """Read where it is, or say what is wrong with that."""
        public = environment.get("LIGHTDASH_PUBLIC_URL", "").strip()
        client = environment.get("LIGHTDASH_OAUTH_CLIENT_ID", "").strip()
        secret = SecretStr(environment.get("LIGHTDASH_OAUTH_CLIENT_SECRET", "").strip())
        if public and (problem := _url_problem("LIGHTDASH_PUBLIC_URL", public)):
            raise BadInput(problem)
        everybody = Settings.read({**environment, "LIGHTDASH_API_KEY": "everybody-has-their-own"})
        return cls(
            everybody.url,
            public.rstrip("/") or everybody.url,
            everybody.allowed_projects,
            everybody.default_project,
            (client, secret) if client else None,
        )


@dataclass(frozen=True)
class Settings:
    """One instance, one token, and the projects that tools may touch (none named: all)."""

    url: str
    token: SecretStr
    allowed_projects: frozenset[str] = frozenset()
    default_project: str | None = None

    @classmethod
    def read(cls, environment: Mapping[str, str]) -> "Settings":
        """Read the settings, or say what is wrong with each of them."""
        url = environment.get("LIGHTDASH_URL", "").strip()
        token = environment.get("LIGHTDASH_API_KEY", "").strip()
        allowed = environment.get("LIGHTDASH_ALLOWED_PROJECTS", "").replace(",", " ").split()
        default = environment.get("LIGHTDASH_PROJECT_UUID", "").strip().lower()
        found = (
            _url_problem("LIGHTDASH_URL", url),
            _token_problem(token),
            _projects_problem("LIGHTDASH_ALLOWED_PROJECTS must list project UUIDs", allowed),
            _projects_problem("LIGHTDASH_PROJECT_UUID must be a project's UUID", [default] if default else []),
            _default_problem(default, allowed),
        )
        if problems := [problem for problem in found if problem]:
            raise BadInput(" ".join(problems))
        only = allowed[0].lower() if len(allowed) == 1 else None
        return cls(url.rstrip("/"), SecretStr(token), frozenset(map(str.lower, allowed)), default or only)


def _url_problem(variable: str, url: str) -> str:
    examples = "https://app.lightdash.cloud"
    if problem := base_url_problem(variable, url, service="Lightdash", examples=examples):
        return problem
    if f"{urlsplit(url).path.rstrip('/')}/".startswith("/api/"):
        return f"{variable} must be the address of the start page, without /api."
    return ""


def _token_problem(token: str) -> str:
    if not token:
        return "LIGHTDASH_API_KEY is not set: create a personal access token in Lightdash's settings and give it here."
    if not token.isascii() or not token.isprintable() or " " in token:
        return "LIGHTDASH_API_KEY holds characters that no token has: copy it again."
    return ""


def _projects_problem(rule: str, projects: list[str]) -> str:
    for project in projects:
        try:
            uuid("project", project)
        except Failure:
            return f"{rule}, and {project!r} is not one."
    return ""


def _default_problem(default: str, allowed: list[str]) -> str:
    if default and allowed and default not in map(str.lower, allowed):
        return "LIGHTDASH_PROJECT_UUID is not among LIGHTDASH_ALLOWED_PROJECTS."
    return ""
