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

    @property
    def newest(self) -> str | None:
        """The version that is the current one."""
        return self.history[0].version_uuid if self.history else None
