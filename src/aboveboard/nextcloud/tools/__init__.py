"""The tools: every module here and below is found by itself."""

AREAS = ("context", "files", "notes", "calendar", "sharing")
"""In the order clients see them."""

FIRST = ("folders", "contents", "moving", "search")
"""Modules whose tools come first in their area, in this order."""
