"""Address books, contacts and their groups."""
