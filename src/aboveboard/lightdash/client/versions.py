"""Versions of charts and dashboards: what they were, and going back."""

from aboveboard.lightdash.client.api import Model


class Author(Model):
    """Who did it."""

    user_uuid: str
    first_name: str
    last_name: str


class Version(Model):
    """One version in a history, the newest first."""

    version_uuid: str
    created_at: str
    created_by: Author | None = None


class History(Model):
    """What Lightdash answers for a history."""

    history: list[Version]
