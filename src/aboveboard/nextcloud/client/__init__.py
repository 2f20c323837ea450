"""A client for Nextcloud: `nextcloud.files.list(...)` and its kin, one attribute per URL family."""

import base64
from functools import cached_property

import anyio
import httpx2
from pydantic import SecretStr

from aboveboard.http import Session
from aboveboard.nextcloud.client.account import Account
from aboveboard.nextcloud.client.comments import Comments
from aboveboard.nextcloud.client.dav import Dav
from aboveboard.nextcloud.client.files import Files
from aboveboard.nextcloud.client.finding import Finding
from aboveboard.nextcloud.client.note_attachments import NoteAttachments
from aboveboard.nextcloud.client.note_search import NoteSearch
from aboveboard.nextcloud.client.note_texts import NoteTexts
from aboveboard.nextcloud.client.notes import Notes
from aboveboard.nextcloud.client.ocs import Ocs
from aboveboard.nextcloud.client.overwriting import Sleep
from aboveboard.nextcloud.client.shares import Shares
from aboveboard.nextcloud.client.tags import Tags
from aboveboard.nextcloud.client.trash import Trash
from aboveboard.nextcloud.client.versions import Versions


class NextcloudClient:
    """One instance, seen with one user's credentials; nothing is opened before the first request."""

    def __init__(
        self,
        host: str,
        username: str,
        password: SecretStr,
        *,
        principal: str | None = None,
        transport: httpx2.AsyncBaseTransport | None = None,
        sleep: Sleep = anyio.sleep,
    ) -> None:
        secret = password.get_secret_value()
        basic = base64.b64encode(f"{username}:{secret}".encode()).decode()
        self._session = Session(
            "Nextcloud",
            host,
            headers={"Authorization": f"Basic {basic}"},
            secrets=[basic, secret],
            transport=transport,
            sleep=sleep,
        )
        self._sleep = sleep
        self._dav = Dav(self._session, principal)
        self._ocs = Ocs(self._session)

    @property
    def url(self) -> str:
        """Where people open this Nextcloud."""
        return self._session.base_url

    def web_url(self, file: int) -> str:
        """Return where people open a file; it needs no pretty URLs."""
        return f"{self.url}/index.php/f/{file}"

    @cached_property
    def account(self) -> Account:
        """Who asks, on which Nextcloud."""
        return Account(self._ocs)

    @cached_property
    def files(self) -> Files:
        """The user's files."""
        return Files(self._dav, self._sleep)

    @cached_property
    def finding(self) -> Finding:
        """Search over the user's files."""
        return Finding(self._dav)

    @cached_property
    def trash(self) -> Trash:
        """What the user deleted."""
        return Trash(self._dav)

    @cached_property
    def versions(self) -> Versions:
        """Older versions of the user's files."""
        return Versions(self._dav)

    @cached_property
    def comments(self) -> Comments:
        """What people say about files."""
        return Comments(self._dav)

    @cached_property
    def tags(self) -> Tags:
        """Labels for files."""
        return Tags(self._dav)

    @cached_property
    def notes(self) -> Notes:
        """The user's notes."""
        return Notes(self._session)

    @cached_property
    def note_search(self) -> NoteSearch:
        """Search over the user's notes."""
        return NoteSearch(self.notes)

    @cached_property
    def note_texts(self) -> NoteTexts:
        """What the user's notes hold, to the byte."""
        return NoteTexts(self.notes, self.files)

    @cached_property
    def note_attachments(self) -> NoteAttachments:
        """Files that belong to notes."""
        return NoteAttachments(self.notes, self.files, self.finding)

    @cached_property
    def shares(self) -> Shares:
        """Who else sees the user's files."""
        return Shares(self._ocs)

    async def principal(self) -> str:
        """Return the id of the user, which may not be the login name."""
        return await self._dav.principal()

    async def aclose(self) -> None:
        """Close the connections."""
        await self._session.aclose()
