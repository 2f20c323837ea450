"""What charts, dashboards and spaces have in common: lists, search, moving, deleting, pins, marks, links."""
