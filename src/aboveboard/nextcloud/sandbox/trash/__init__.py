"""The bin of deleted files."""
