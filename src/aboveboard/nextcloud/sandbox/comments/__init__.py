"""Comments on files."""
