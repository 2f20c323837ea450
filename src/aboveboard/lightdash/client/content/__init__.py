"""Content: what charts, dashboards and spaces have in common."""
