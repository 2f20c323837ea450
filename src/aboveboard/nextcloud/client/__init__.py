"""A client for Nextcloud: `nextcloud.files.list(...)` and its kin, one attribute per URL family."""

from functools import cached_property
from typing import TYPE_CHECKING

from aboveboard.nextcloud.client.groupware import Groupware

if TYPE_CHECKING:  # a start imports none of them: each comes when it is first used
    from aboveboard.nextcloud.client.calendar.availability import Availability
    from aboveboard.nextcloud.client.cookbook.cookbook import Cookbook
    from aboveboard.nextcloud.client.cookbook.recipes import Recipes
    from aboveboard.nextcloud.client.deck.deck import Deck
    from aboveboard.nextcloud.client.files.comments import Comments
    from aboveboard.nextcloud.client.files.files import Files
    from aboveboard.nextcloud.client.files.search import Search
    from aboveboard.nextcloud.client.files.tags import Tags
    from aboveboard.nextcloud.client.files.trash import Trash
    from aboveboard.nextcloud.client.files.versions import Versions
    from aboveboard.nextcloud.client.name_lookup import NameLookup
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


class NextcloudClient(Groupware):
    """All that one user has on one instance."""

    @cached_property
    def names(self) -> "NameLookup":
        """The ids that titles stand for."""
        from aboveboard.nextcloud.client.name_lookup import NameLookup

        return NameLookup(self)

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
    def availability(self) -> "Availability":
        """When the user, and others with them, are free."""
        from aboveboard.nextcloud.client.calendar.availability import Availability

        return Availability(self._dav, self.account, self.calendars, self.calendar_objects, self.shares)

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
