"""What is said of an app that Nextcloud does not have: not installed, switched off while we run, or too old."""

from aboveboard.errors import NotFound


class AppMissing(NotFound):
    """The app that a request is for does not answer."""

    advice = "Ask the operator to install it or to switch it on."

    def __init__(self, app: str, *, status: int = 404) -> None:
        super().__init__(
            f"The app {app!r} is not installed on this Nextcloud, switched off, or too old.",
            status=status,
        )
