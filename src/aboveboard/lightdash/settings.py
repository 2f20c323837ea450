"""Where the Lightdash is and who asks, from the environment; what is wrong with it is said at the start."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from pydantic import SecretStr

from aboveboard.errors import BadInput, Failure
from aboveboard.http.path import uuid


@dataclass(frozen=True)
class Settings:
    """One instance, one token, and the projects that tools may touch (none named: all)."""

    url: str
    token: SecretStr
    allowed_projects: frozenset[str] = frozenset()

    @classmethod
    def read(cls, environment: Mapping[str, str]) -> "Settings":
        """Read the settings, or say what is wrong with each of them."""
        url = environment.get("LIGHTDASH_URL", "").strip()
        token = environment.get("LIGHTDASH_API_KEY", "").strip()
        allowed = environment.get("LIGHTDASH_ALLOWED_PROJECTS", "").replace(",", " ").split()
        problems = [
            problem for problem in (_url_problem(url), _token_problem(token), _projects_problem(allowed)) if problem
        ]
        if problems:
            raise BadInput(" ".join(problems), next_step="(--sandbox needs no settings.)")
        return cls(url.rstrip("/"), SecretStr(token), frozenset(project.lower() for project in allowed))


def _url_problem(url: str) -> str:
    if not url:
        return "LIGHTDASH_URL is not set: give the address of your Lightdash, such as https://app.lightdash.cloud."
    try:
        parts = urlsplit(url)
        host = parts.hostname if parts.port != 0 else None
    except ValueError:
        host = None
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not host:
        return "LIGHTDASH_URL must be a web address such as https://app.lightdash.cloud."
    if parts.username or parts.password or parts.query or parts.fragment:
        return "LIGHTDASH_URL must be a plain address, without a user, a query or a fragment."
    return ""


def _token_problem(token: str) -> str:
    if not token:
        return "LIGHTDASH_API_KEY is not set: create a personal access token in Lightdash's settings and give it here."
    if not token.isascii() or not token.isprintable() or " " in token:
        return "LIGHTDASH_API_KEY holds characters that no token has: copy it again."
    return ""


def _projects_problem(projects: list[str]) -> str:
    for project in projects:
        try:
            uuid("project", project)
        except Failure:
            return f"LIGHTDASH_ALLOWED_PROJECTS must list project UUIDs, and {project!r} is none."
    return ""
