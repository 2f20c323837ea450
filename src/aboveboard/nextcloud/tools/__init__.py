"""The tools: every module here and below is found by itself."""

AREAS = (
    *("context", "files", "notes", "calendar", "tasks", "contacts", "deck", "sharing", "tables", "cookbook", "news"),
    "semantic",
)
"""In the order clients see them."""

FIRST = ("files.folders", "files.contents", "files.moving", "files.search", "tables.tables", "tables.rows")
"""Modules whose tools come first in their area, in this order."""
