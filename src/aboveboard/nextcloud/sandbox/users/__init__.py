"""People, groups, and whether they are there."""
