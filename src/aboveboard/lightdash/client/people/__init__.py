"""People: members, groups, roles, attributes."""
