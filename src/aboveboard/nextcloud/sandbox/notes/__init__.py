"""The Notes app."""
