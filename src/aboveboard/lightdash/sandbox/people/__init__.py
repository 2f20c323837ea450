"""People, groups, roles, attributes, and what is one's own."""
