"""Shares: who else sees the user's files, and through which links."""

import builtins
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any, Final, cast

from pydantic import model_validator

from aboveboard.errors import ApiError, BadInput, NotFound
from aboveboard.http import Path, path
from aboveboard.nextcloud.client.account import Account
from aboveboard.nextcloud.client.files.entries import plain
from aboveboard.nextcloud.client.model import Model
from aboveboard.nextcloud.client.ocs import Ocs
from aboveboard.nextcloud.client.sharing.refusals import plainly
from aboveboard.nextcloud.client.sharing.words import (
    FOLDERS_ONLY,
    PRESETS,
    permission_bits,
    permission_words,
    type_number,
    type_word,
)

_SHARES: Final = "/ocs/v2.php/apps/files_sharing/api/v1/shares"
_THROUGH_THE_DAY: Final = 34
"""The first Nextcloud whose shares last through the day that they are given (seen on 32.0.1 and 34.0.1)."""
_ONCE: Final = (0, 1)
"""Users and groups: what they have already is not shared with them again, and that share is the answer."""
_WHO: Final = {"users": "user", "groups": "group", "emails": "email", "remotes": "federated", "circles": "team"}


class Share(Model):
    """A share; passwords are never shown."""

    id: int
    type: str
    path: str
    kind: str
    file_id: int
    owner: str
    permissions: list[str]
    shared_with: str | None = None
    shared_with_name: str | None = None
    link: str | None = None
    """Where anyone opens a public link."""
    download_url: str | None = None
    """Where anyone downloads what a link is to, a folder as an archive."""
    token: str | None = None
    """What a link is known by."""
    expires: str | None = None
    """The last day on which it works."""
    label: str | None = None
    note: str | None = None
    has_password: bool | None = None
    """Left out where it has none."""
    existing: bool | None = None
    """Whether it was there before it was to be made; left out where it was not."""

    @model_validator(mode="before")
    @classmethod
    def _from_ocs(cls, answer: object) -> object:
        if not isinstance(answer, dict) or "share_type" not in answer:
            return cast("object", answer)
        fields = cast("dict[str, Any]", answer)
        kind = type_word(int(fields["share_type"]))
        # For a link, share_with holds the hash of its password.
        receiver = None if kind == "link" else fields.get("share_with")
        name = fields.get("share_with_displayname")
        link = fields.get("url") if kind == "link" else None
        return {
            "id": fields["id"],
            "type": kind,
            "path": str(fields["path"]).strip("/"),
            "kind": fields["item_type"],
            "file_id": fields["file_source"],
            "owner": fields["uid_owner"],
            "permissions": permission_words(int(fields["permissions"])),
            "shared_with": receiver,
            "shared_with_name": name if receiver and name != receiver else None,
            "link": link,
            "download_url": f"{link}/download" if link and int(fields["permissions"]) & 1 else None,
            "token": fields.get("token") if kind == "link" else None,
            "expires": _last_day(str(fields["expiration"])) if fields.get("expiration") else None,
            "label": fields.get("label") or None,
            "note": fields.get("note") or None,
            "has_password": bool(fields.get("password")) or None,
        }


class Recipient(Model):
    """Someone to share with."""

    type: str
    id: str
    name: str


class _Value(Model):
    share_with: str


class _Sharee(Model):
    label: str
    value: _Value


class Shares:
    """The shares of one user."""

    def __init__(self, ocs: Ocs, account: Account) -> None:
        self._ocs = ocs
        self._account = account

    async def list(self, file: str | None = None, *, inside: bool = False, with_me: bool = False) -> list[Share]:
        """List what the user shares: all, of one file or folder, of what is in a folder; or what others share."""
        query = {
            "path": None if file is None else f"/{plain(file)}",
            "subfiles": "true" if inside else None,
            "shared_with_me": "true" if with_me else None,
        }
        with plainly():
            return await self._ocs.get(path(_SHARES), list[Share], query)

    async def get(self, share: int) -> Share:
        found = await self._ocs.get(_at(share), list[Share])
        if not found:
            raise NotFound(f"There is no share {share}.", status=404)
        return found[0]

    async def create(
        self,
        file: str,
        kind: str | int,
        receiver: str | None = None,
        *,
        permissions: str | int | Sequence[str] = "read",
        password: str | None = None,
        expires: date | str | None = None,
        label: str | None = None,
        note: str | None = None,
    ) -> Share:
        """Share a file or folder; a link needs no receiver."""
        number = type_number(kind)
        if number != 3 and not receiver:
            raise BadInput(f"A share of type {type_word(number)!r} needs a receiver.")
        body = {
            "path": f"/{plain(file)}",
            "shareType": number,
            "shareWith": receiver,
            "permissions": permission_bits(permissions),
            "password": password,
            "expireDate": await self._end(expires),
            "label": label,
            "note": note,
        }
        before = await self._ids(file) if number in _ONCE else ()
        with plainly(receiver=type_word(number)):
            made = await self._ocs.post(path(_SHARES), Share, _given(body))
        return made.model_copy(update={"existing": True}) if made.id in before else made

    async def _ids(self, file: str) -> builtins.list[int]:
        """List the shares of a file or folder, also those that others made of it."""
        try:
            found = await self._ocs.get(
                path(_SHARES), builtins.list[Share], {"path": f"/{plain(file)}", "reshares": "true"}
            )
        except ApiError:
            return []  # what is wrong with it, sharing it says better
        return [one.id for one in found]

    async def create_link(
        self,
        file: str,
        *,
        permissions: str | int | Sequence[str] = "read",
        password: str | None = None,
        expires: date | str | None = None,
        label: str | None = None,
        note: str | None = None,
    ) -> Share:
        """Make a public link; each call makes another."""
        return await self.create(
            file, "link", permissions=permissions, password=password, expires=expires, label=label, note=note
        )

    async def update(
        self,
        share: int,
        *,
        permissions: str | int | Sequence[str] | None = None,
        password: str | None = None,
        expires: date | str | None = None,
        label: str | None = None,
        note: str | None = None,
    ) -> Share:
        """Change what is given; an empty text clears a password, an expiry, a label or a note."""
        body = _given({
            "permissions": None if permissions is None else await self._bits(share, permissions),
            "password": password,
            "expireDate": await self._end(expires),
            "label": label,
            "note": note,
        })  # fmt: skip
        if not body:
            raise BadInput("There is nothing to change.", next_step="Give at least one new value.")
        with plainly():
            return await self._ocs.put(_at(share), Share, body)

    async def delete(self, share: int) -> None:
        await self._ocs.delete(_at(share))

    async def _end(self, last: date | str | None) -> str | None:
        """Return the day that Nextcloud has to be told for a last one: an older one ends a share when it begins."""
        day = _day(last)
        if not day or (await self._account.capabilities()).major >= _THROUGH_THE_DAY or day == date.max.isoformat():
            return day
        return (date.fromisoformat(day) + timedelta(days=1)).isoformat()

    async def _bits(self, share: int, permissions: str | int | Sequence[str]) -> int:
        """Return the number for permissions; of a file, a preset such as edit is all that a file can have."""
        bits = permission_bits(permissions)
        preset = isinstance(permissions, str) and permissions.strip().lower() in PRESETS
        if preset and bits & FOLDERS_ONLY and (await self.get(share)).kind == "file":
            return bits & ~FOLDERS_ONLY
        return bits

    async def recipients(self, search: str, *, folder: bool = False, limit: int = 20) -> builtins.list[Recipient]:
        """Look for people, groups and others to share with."""
        query = {
            "search": search,
            "itemType": "folder" if folder else "file",
            "perPage": limit,
            "lookup": "false",
            "shareType[]": ["0", "1", "4", "6", "7"],
        }
        at = path("/ocs/v2.php/apps/files_sharing/api/v1/sharees")
        found = await self._ocs.get(at, _Sharees, query)
        return found.recipients()


class _Group(Model):
    users: Sequence[_Sharee] = ()
    groups: Sequence[_Sharee] = ()
    emails: Sequence[_Sharee] = ()
    remotes: Sequence[_Sharee] = ()
    circles: Sequence[_Sharee] = ()

    def each(self) -> list[Recipient]:
        return [
            Recipient(type=word, id=one.value.share_with, name=one.label)
            for name, word in _WHO.items()
            for one in cast("Sequence[_Sharee]", getattr(self, name))
        ]


class _Sharees(_Group):
    exact: _Group

    def recipients(self) -> list[Recipient]:
        """Return all, exact matches first."""
        return [*self.exact.each(), *self.each()]


def _at(share: int) -> Path:
    return path("/ocs/v2.php/apps/files_sharing/api/v1/shares/{share}", share=str(share))


def _given(body: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in body.items() if value is not None}


def _last_day(end: str) -> str:
    """Return the day before a midnight, and otherwise the day itself."""
    day = date.fromisoformat(end[:10])
    return (day - timedelta(days=1) if end[11:19] == "00:00:00" else day).isoformat()


def _day(given: date | str | None) -> str | None:
    if not given:
        return None if given is None else ""
    try:
        return (given if isinstance(given, date) else date.fromisoformat(given[:10])).isoformat()[:10]
    except ValueError:
        raise BadInput(f"{given!r} is not a date.", next_step="Write it as 2030-12-31.") from None
