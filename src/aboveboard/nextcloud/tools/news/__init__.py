"""News."""
