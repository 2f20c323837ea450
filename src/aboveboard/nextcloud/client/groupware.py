"""What the user has in calendars and address books, over CalDAV and CardDAV: one attribute per URL family."""

from functools import cached_property
from typing import TYPE_CHECKING

from aboveboard.nextcloud.client.connection import Connection

if TYPE_CHECKING:  # a start imports none of them: each comes when it is first used
    from aboveboard.nextcloud.client.calendar.bulk import Bulk
    from aboveboard.nextcloud.client.calendar.collections import Collections
    from aboveboard.nextcloud.client.calendar.events import Events
    from aboveboard.nextcloud.client.calendar.objects import Objects, Stored
    from aboveboard.nextcloud.client.calendar.search import EventSearch
    from aboveboard.nextcloud.client.calendar.todos import Todos
    from aboveboard.nextcloud.client.calendar.trash import CalendarTrash
    from aboveboard.nextcloud.client.contacts.contacts import Contacts
    from aboveboard.nextcloud.client.contacts.search import ContactSearch
    from aboveboard.nextcloud.client.memory import Memory


class Groupware(Connection):
    """Events, tasks and contacts."""

    @cached_property
    def _calendar_memory(self) -> "Memory[dict[str, Stored]]":
        from aboveboard.nextcloud.client.memory import Memory

        return Memory()

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
    def calendar_trash(self) -> "CalendarTrash":
        """What the user deleted of calendars."""
        from aboveboard.nextcloud.client.calendar.trash import CalendarTrash

        return CalendarTrash(self._dav, self.calendars)

    @cached_property
    def todos(self) -> "Todos":
        """The user's tasks."""
        from aboveboard.nextcloud.client.calendar.todos import Todos

        return Todos(self.account, self.calendars, self.calendar_objects)

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
