"""A client for Nextcloud: `nextcloud.files.list(...)` and its kin, one attribute per URL family."""

import base64
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import anyio
import httpx2
from pydantic import SecretStr

from aboveboard.http import Session
from aboveboard.nextcloud.client.ocs import Ocs

if TYPE_CHECKING:  # a start imports none of them: each comes when it is first used
    from aboveboard.nextcloud.client.account import Account
    from aboveboard.nextcloud.client.calendar.availability import Availability
    from aboveboard.nextcloud.client.calendar.bulk import Bulk
    from aboveboard.nextcloud.client.calendar.collections import Collections
    from aboveboard.nextcloud.client.calendar.events import Events
    from aboveboard.nextcloud.client.calendar.objects import Objects, Stored
    from aboveboard.nextcloud.client.calendar.search import EventSearch
    from aboveboard.nextcloud.client.calendar.todos import Todos
    from aboveboard.nextcloud.client.calendar.trash import CalendarTrash
    from aboveboard.nextcloud.client.contacts.contacts import Contacts
    from aboveboard.nextcloud.client.contacts.search import ContactSearch
    from aboveboard.nextcloud.client.cookbook.cookbook import Cookbook
    from aboveboard.nextcloud.client.cookbook.recipes import Recipes
    from aboveboard.nextcloud.client.dav import Dav
    from aboveboard.nextcloud.client.deck.deck import Deck
    from aboveboard.nextcloud.client.files.comments import Comments
    from aboveboard.nextcloud.client.files.files import Files
    from aboveboard.nextcloud.client.files.overwriting import Sleep
    from aboveboard.nextcloud.client.files.search import Search
    from aboveboard.nextcloud.client.files.tags import Tags
    from aboveboard.nextcloud.client.files.trash import Trash
    from aboveboard.nextcloud.client.files.versions import Versions
    from aboveboard.nextcloud.client.finding import Finding
    from aboveboard.nextcloud.client.memory import Memory
    from aboveboard.nextcloud.client.news.feeds import Feeds
    from aboveboard.nextcloud.client.news.items import Items
    from aboveboard.nextcloud.client.notes.attachments import NoteAttachments
    from aboveboard.nextcloud.client.notes.changes import NoteChanges
    from aboveboard.nextcloud.client.notes.notes import Notes
    from aboveboard.nextcloud.client.notes.search import NoteSearch
    from aboveboard.nextcloud.client.notes.texts import NoteTexts
    from aboveboard.nextcloud.client.sharing.shares import Shares
    from aboveboard.nextcloud.client.tables.api import TablesApi
    from aboveboard.nextcloud.client.tables.columns import Columns
    from aboveboard.nextcloud.client.tables.rows import Rows
    from aboveboard.nextcloud.client.tables.tables import Tables
    from aboveboard.search.settings import SearchSettings


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
        sleep: "Sleep" = anyio.sleep,
        search_settings: "Callable[[], SearchSettings] | None" = None,
    ) -> None:
        self.search_settings = search_settings
        """Where what this user has is indexed, read on first use; None leaves it to the environment."""
        self.remembered: dict[str, Any] = {}
        """What tools keep of this user from call to call; it goes when the client goes."""
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
        self._sleep, self._principal = sleep, principal
        self._ocs = Ocs(self._session)

    @cached_property
    def _dav(self) -> "Dav":
        from aboveboard.nextcloud.client.dav import Dav

        return Dav(self._session, self._principal)

    @property
    def url(self) -> str:
        """Where people open this Nextcloud."""
        return self._session.base_url

    def web_url(self, file: int) -> str:
        """Return where people open a file; it needs no pretty URLs."""
        return f"{self.url}/index.php/f/{file}"

    def app_url(self, app: str) -> str:
        """Return where people open an app; it needs no pretty URLs."""
        return f"{self.url}/index.php/apps/{app}/"

    @cached_property
    def finding(self) -> "Finding":
        """What titles in the place of ids mean."""
        from aboveboard.nextcloud.client.finding import Finding

        return Finding(self)

    @cached_property
    def account(self) -> "Account":
        """Who asks, on which Nextcloud."""
        from aboveboard.nextcloud.client.account import Account

        return Account(self._ocs)

    @cached_property
    def files(self) -> "Files":
        """The user's files."""
        from aboveboard.nextcloud.client.files.files import Files

        return Files(self._dav, self._sleep)

    @cached_property
    def search(self) -> "Search":
        """Search over the user's files."""
        from aboveboard.nextcloud.client.files.search import Search

        return Search(self._dav)

    @cached_property
    def trash(self) -> "Trash":
        """What the user deleted."""
        from aboveboard.nextcloud.client.files.trash import Trash

        return Trash(self._dav)

    @cached_property
    def versions(self) -> "Versions":
        """Older versions of the user's files."""
        from aboveboard.nextcloud.client.files.versions import Versions

        return Versions(self._dav)

    @cached_property
    def comments(self) -> "Comments":
        """What people say about files."""
        from aboveboard.nextcloud.client.files.comments import Comments

        return Comments(self._dav)

    @cached_property
    def tags(self) -> "Tags":
        """Labels for files."""
        from aboveboard.nextcloud.client.files.tags import Tags

        return Tags(self._dav)

    @cached_property
    def notes(self) -> "Notes":
        """The user's notes."""
        from aboveboard.nextcloud.client.notes.notes import Notes

        return Notes(self._session)

    @cached_property
    def note_search(self) -> "NoteSearch":
        """Search over the user's notes."""
        from aboveboard.nextcloud.client.notes.search import NoteSearch

        return NoteSearch(self.notes)

    @cached_property
    def note_changes(self) -> "NoteChanges":
        """What became of the user's notes."""
        from aboveboard.nextcloud.client.notes.changes import NoteChanges

        return NoteChanges(self._session)

    @cached_property
    def note_texts(self) -> "NoteTexts":
        """What the user's notes hold, to the byte."""
        from aboveboard.nextcloud.client.notes.texts import NoteTexts

        return NoteTexts(self.notes, self.files)

    @cached_property
    def note_attachments(self) -> "NoteAttachments":
        """Files that belong to notes."""
        from aboveboard.nextcloud.client.notes.attachments import NoteAttachments

        return NoteAttachments(self.notes, self.files, self.search)

    @cached_property
    def deck(self) -> "Deck":
        """The boards that the user sees."""
        from aboveboard.nextcloud.client.deck.deck import Deck

        return Deck(self._session)

    @cached_property
    def shares(self) -> "Shares":
        """Who else sees the user's files."""
        from aboveboard.nextcloud.client.sharing.shares import Shares

        return Shares(self._ocs, self.account)

    @cached_property
    def _calendar_memory(self) -> "Memory[dict[str, Stored]]":
        from aboveboard.nextcloud.client.memory import Memory

        return Memory()

    @cached_property
    def contacts(self) -> "Contacts":
        """The user's address books and contacts."""
        from aboveboard.nextcloud.client.contacts.contacts import Contacts

        return Contacts(self._dav)

    @cached_property
    def contact_search(self) -> "ContactSearch":
        """Search over the user's contacts."""
        from aboveboard.nextcloud.client.contacts.search import ContactSearch

        return ContactSearch(self.contacts)

    @cached_property
    def _tables_api(self) -> "TablesApi":
        from aboveboard.nextcloud.client.tables.api import TablesApi

        return TablesApi(self._session)

    @cached_property
    def tables(self) -> "Tables":
        """The tables that the user may see, and their views."""
        from aboveboard.nextcloud.client.tables.tables import Tables

        return Tables(self._tables_api)

    @cached_property
    def table_columns(self) -> "Columns":
        from aboveboard.nextcloud.client.tables.columns import Columns

        return Columns(self._tables_api)

    @cached_property
    def table_rows(self) -> "Rows":
        from aboveboard.nextcloud.client.tables.rows import Rows

        return Rows(self._tables_api)

    @cached_property
    def calendars(self) -> "Collections":
        """The user's calendars."""
        from aboveboard.nextcloud.client.calendar.collections import Collections

        return Collections(self._dav, self._calendar_memory)

    @cached_property
    def calendar_objects(self) -> "Objects":
        """What is in the user's calendars, as texts."""
        from aboveboard.nextcloud.client.calendar.objects import Objects

        return Objects(self._dav, self._calendar_memory)

    @cached_property
    def events(self) -> "Events":
        """The user's events."""
        from aboveboard.nextcloud.client.calendar.events import Events

        return Events(self.account, self.calendars, self.calendar_objects)

    @cached_property
    def event_search(self) -> "EventSearch":
        """Search over the user's events."""
        from aboveboard.nextcloud.client.calendar.search import EventSearch

        return EventSearch(self.account, self.calendars, self.calendar_objects)

    @cached_property
    def bulk_events(self) -> "Bulk":
        """Many events of the user's at once."""
        from aboveboard.nextcloud.client.calendar.bulk import Bulk

        return Bulk(self.account, self.calendars, self.calendar_objects)

    @cached_property
    def availability(self) -> "Availability":
        """When the user, and others with them, are free."""
        from aboveboard.nextcloud.client.calendar.availability import Availability

        return Availability(self._dav, self.account, self.calendars, self.calendar_objects, self.shares)

    @cached_property
    def calendar_trash(self) -> "CalendarTrash":
        """What the user deleted of calendars."""
        from aboveboard.nextcloud.client.calendar.trash import CalendarTrash

        return CalendarTrash(self._dav, self.calendars)

    @cached_property
    def recipes(self) -> "Recipes":
        """The user's recipes, one by one."""
        from aboveboard.nextcloud.client.cookbook.recipes import Recipes

        return Recipes(self._session)

    @cached_property
    def cookbook(self) -> "Cookbook":
        """The user's recipes as lists, and what the Cookbook is set to."""
        from aboveboard.nextcloud.client.cookbook.cookbook import Cookbook

        return Cookbook(self._session)

    @cached_property
    def feeds(self) -> "Feeds":
        """The feeds that the user reads, and their folders."""
        from aboveboard.nextcloud.client.news.feeds import Feeds

        return Feeds(self._session)

    @cached_property
    def news(self) -> "Items":
        """What the user's feeds brought."""
        from aboveboard.nextcloud.client.news.items import Items

        return Items(self._session, self.feeds)

    @cached_property
    def todos(self) -> "Todos":
        """The user's tasks."""
        from aboveboard.nextcloud.client.calendar.todos import Todos

        return Todos(self.account, self.calendars, self.calendar_objects)

    async def principal(self) -> str:
        """Return the id of the user, which may not be the login name."""
        return await self._dav.principal()

    async def aclose(self) -> None:
        """Close the connections."""
        await self._session.aclose()
