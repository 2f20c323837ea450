"""Where the Nextcloud is and who asks, from the environment; what is wrong with it is said at the start."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from pydantic import SecretStr

from aboveboard.errors import BadInput
from aboveboard.http.base_url import base_url_problem

# As Nextcloud makes them: in its settings, and in the login flow of its clients.
_APP_PASSWORD = re.compile(r"[A-Za-z0-9]{5}(?:-[A-Za-z0-9]{5}){4}|[A-Za-z0-9]{72}")
_PLACES = ("/index.php", "/remote.php", "/ocs")


@dataclass(frozen=True)
class Place:
    """One instance, whoever asks: where this server reaches it, and where people open it."""

    host: str
    public: str

    @classmethod
    def read(cls, environment: Mapping[str, str]) -> "Place":
        """Read where it is, or say what is wrong with that."""
        host = environment.get("NEXTCLOUD_HOST", "").strip()
        public = environment.get("NEXTCLOUD_PUBLIC_URL", "").strip() or host
        found = (_host_problem("NEXTCLOUD_HOST", host), _host_problem("NEXTCLOUD_PUBLIC_URL", public))
        if problems := [problem for problem in found if problem]:
            raise BadInput(problems[0])
        return cls(host.rstrip("/"), public.rstrip("/"))


@dataclass(frozen=True)
class Settings:
    """One instance, and one user's login name with an app password."""

    host: str
    username: str
    password: SecretStr

    @classmethod
    def read(cls, environment: Mapping[str, str]) -> "Settings":
        """Read the settings, or say what is wrong with each of them."""
        host = environment.get("NEXTCLOUD_HOST", "").strip()
        username = environment.get("NEXTCLOUD_USERNAME", "").strip()
        password = environment.get("NEXTCLOUD_PASSWORD", "").strip()
        found = (_host_problem("NEXTCLOUD_HOST", host), _username_problem(username), _password_problem(password))
        if problems := [problem for problem in found if problem]:
            raise BadInput(" ".join(problems))
        return cls(host.rstrip("/"), username, SecretStr(password))

    @property
    def has_app_password(self) -> bool:
        """Tell whether the password looks like an app password; Nextcloud cannot be asked without making one."""
        return _APP_PASSWORD.fullmatch(self.password.get_secret_value()) is not None


def _host_problem(variable: str, host: str) -> str:
    examples = "https://cloud.example.org or https://example.org/nextcloud"
    if problem := base_url_problem(variable, host, service="Nextcloud", examples=examples):
        return problem
    if any(f"{place}/" in f"{urlsplit(host).path}/" for place in _PLACES):
        return f"{variable} must end before index.php, remote.php or ocs: give the address of the start page."
    return ""


def _username_problem(username: str) -> str:
    if not username:
        return "NEXTCLOUD_USERNAME is not set: give the name that you log in with."
    if ":" in username or not username.isprintable():
        return "NEXTCLOUD_USERNAME holds characters that no login name has."
    return ""


def _password_problem(password: str) -> str:
    if not password:
        return (
            "NEXTCLOUD_PASSWORD is not set: create an app password in Nextcloud's settings, under Security,"
            " and give it here."
        )
    if not password.isprintable():
        return "NEXTCLOUD_PASSWORD holds characters that no password has: copy it again."
    return ""
