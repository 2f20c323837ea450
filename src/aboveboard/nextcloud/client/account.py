"""Who asks, on which Nextcloud: user, version, apps, room."""

from datetime import UTC, datetime, tzinfo
from typing import Any, cast
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import model_validator

from aboveboard.http import path
from aboveboard.http.once import Once
from aboveboard.nextcloud.client.model import Model
from aboveboard.nextcloud.client.ocs import Ocs


class User(Model):
    """The user whose credentials these are; without a limit, `quota_free` and `quota_total` are None."""

    id: str
    name: str
    email: str | None = None
    groups: list[str]
    language: str = ""
    timezone: str = ""
    """Where days begin and end for this user; empty where nobody said."""
    quota_used: int = 0
    quota_free: int | None = None
    quota_total: int | None = None

    @model_validator(mode="before")
    @classmethod
    def _from_ocs(cls, answer: object) -> object:
        if not isinstance(answer, dict) or "displayname" not in answer:
            return cast("object", answer)
        fields = cast("dict[str, Any]", answer)
        quota = cast("dict[str, Any]", fields["quota"] if isinstance(fields.get("quota"), dict) else {})
        return {
            "id": fields.get("id"),
            "name": fields["displayname"],
            "email": fields.get("email"),
            "groups": fields.get("groups", []),
            "language": fields.get("language") or "",
            "timezone": fields.get("timezone") or "",
            "quota_used": quota.get("used") or 0,
            "quota_free": _limit(quota.get("free")),
            "quota_total": _limit(quota.get("quota")),
        }


class AppInfo(Model):
    """An app that the user can open."""

    id: str
    name: str


class Context(Model):
    """Who asks, where."""

    user: User
    version: str
    apps: list[AppInfo]


_OF_FILES = {"comments": "comments", "files_trashbin": "undelete", "files_versions": "versioning"}
"""Apps that say so among what files can do, and by which word."""


class Capabilities(Model):
    """What an instance says it can do; an app that says nothing here may still be there."""

    version: str
    major: int
    features: dict[str, Any]

    @model_validator(mode="before")
    @classmethod
    def _from_ocs(cls, answer: object) -> object:
        if not isinstance(answer, dict) or "capabilities" not in answer:
            return cast("object", answer)
        fields = cast("dict[str, Any]", answer)
        version = cast("dict[str, Any]", fields["version"])
        return {"version": version["string"], "major": version["major"], "features": fields["capabilities"]}

    def has(self, app: str) -> bool:
        """Tell whether an app says that it is there."""
        files = self.features.get("files")
        within = cast("dict[str, Any]", files) if isinstance(files, dict) else {}
        return app in self.features or within.get(_OF_FILES.get(app, "")) is True


class Account:
    """One user on one instance."""

    def __init__(self, ocs: Ocs) -> None:
        self._ocs = ocs
        self._capabilities = Once(self._ask_capabilities)
        self._apps = Once(self._ask_apps)
        self._profile = Once(self.user)

    async def user(self) -> User:
        return await self._ocs.get(path("/ocs/v2.php/cloud/user"), User)

    async def drop_app_password(self) -> None:
        """Delete the app password with which this is asked; nothing can be asked with it afterwards."""
        await self._ocs.delete(path("/ocs/v2.php/core/apppassword"))

    async def now(self) -> datetime:
        """Tell the time where the user is, by whose days Nextcloud counts; where that is is asked once."""
        return datetime.now(await self.zone())

    async def zone(self) -> tzinfo:
        """Tell in which zone the user's days begin and end; asked once."""
        return _zone_of((await self._profile.get()).timezone)

    async def profile(self) -> User:
        """Tell who the user is, as it was when it was last asked."""
        return await self._profile.get()

    async def capabilities(self) -> Capabilities:
        """Tell what the instance can do; asked once."""
        return await self._capabilities.get()

    async def apps(self) -> list[AppInfo]:
        """List the apps that the user can open; asked once."""
        return await self._apps.get()

    async def has_app(self, app: str) -> bool:
        """Tell whether an app is there: not every app is in the capabilities, nor every one in the navigation."""
        return (await self.capabilities()).has(app) or app in [one.id for one in await self.apps()]

    async def context(self) -> Context:
        capabilities = await self.capabilities()
        return Context(user=await self.user(), version=capabilities.version, apps=await self.apps())

    async def _ask_capabilities(self) -> Capabilities:
        return await self._ocs.get(path("/ocs/v2.php/cloud/capabilities"), Capabilities)

    async def _ask_apps(self) -> list[AppInfo]:
        return await self._ocs.get(path("/ocs/v2.php/core/navigation/apps"), list[AppInfo])


def _zone_of(name: str) -> tzinfo:
    try:
        return ZoneInfo(name) if name else UTC
    except (ZoneInfoNotFoundError, ValueError, OSError):  # a name that this machine does not know
        return UTC


def _limit(number: object) -> int | None:
    return number if isinstance(number, int) and number >= 0 else None
