"""Saved charts: reading, changing, versions."""
