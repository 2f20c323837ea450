"""Calendars: events, tasks, invitations, when people are free."""
