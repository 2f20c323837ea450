"""Tags that the whole server shares."""
