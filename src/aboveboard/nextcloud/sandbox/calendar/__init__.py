"""Calendars, events and tasks over CalDAV: collections, objects, reports, the bin, sharing, invitations."""
