"""The tools: every module here and below is found by itself."""

AREAS = (
    *("context", "files", "notes", "calendar", "tasks", "contacts", "deck", "sharing", "tables", "cookbook", "news"),
    "semantic",
)
"""In the order clients see them."""

FIRST = ("folders", "contents", "moving", "search", "tables", "rows")
"""Modules whose tools come first in their area, in this order."""
