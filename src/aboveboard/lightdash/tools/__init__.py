"""The tools: every module here and below is found by itself."""

AREAS = (
    "context",
    "projects",
    "explores",
    "queries",
    "sql",
    "charts",
    "dashboards",
    "content",
    "code",
    "spaces",
    "people",
    "tags",
    "comments",
    "schedules",
    "validation",
    "agents",
    "library",
)
"""In the order clients see them."""
