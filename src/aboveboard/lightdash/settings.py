"""Where the Lightdash is and who asks, from the environment; what is wrong with it is said at the start."""

from collections.abc import Mapping
from dataclasses import dataclass

import httpx2
from pydantic import SecretStr

from aboveboard.errors import BadInput, Failure
from aboveboard.http.path import uuid


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
            _url_problem(url),
            _token_problem(token),
            _projects_problem("LIGHTDASH_ALLOWED_PROJECTS must list project UUIDs", allowed),
            _projects_problem("LIGHTDASH_PROJECT_UUID must be a project's UUID", [default] if default else []),
            _default_problem(default, allowed),
        )
        if problems := [problem for problem in found if problem]:
            raise BadInput(" ".join(problems))
        only = allowed[0].lower() if len(allowed) == 1 else None
        return cls(url.rstrip("/"), SecretStr(token), frozenset(map(str.lower, allowed)), default or only)


def _url_problem(url: str) -> str:
    if not url:
        return "LIGHTDASH_URL is not set: give the address of your Lightdash, such as https://app.lightdash.cloud."
    try:
        parts = httpx2.URL(url)
    except httpx2.InvalidURL:
        parts = httpx2.URL("")
    possible = parts.host and " " not in url and (parts.port is None or 0 < parts.port < 65536)
    if parts.scheme not in ("http", "https") or not possible:
        return "LIGHTDASH_URL must be a web address such as https://app.lightdash.cloud."
    if f"{parts.path.rstrip('/')}/".startswith("/api/"):
        return "LIGHTDASH_URL must be the address of the start page, without /api."
    if parts.userinfo or "?" in url or "#" in url:
        return "LIGHTDASH_URL must be a plain address, without a user, a query or a fragment."
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
            return f"{rule}, and {project!r} is none."
    return ""


def _default_problem(default: str, allowed: list[str]) -> str:
    if default and allowed and default not in map(str.lower, allowed):
        return "LIGHTDASH_PROJECT_UUID is not among LIGHTDASH_ALLOWED_PROJECTS."
    return ""
