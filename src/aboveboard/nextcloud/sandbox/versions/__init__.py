"""Former contents of files."""
