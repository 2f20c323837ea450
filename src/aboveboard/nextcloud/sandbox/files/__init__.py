"""Files and folders: how they are stored, seen, read, written, moved, locked, uploaded, found and told."""
