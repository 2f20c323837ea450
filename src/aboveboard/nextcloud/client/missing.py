"""What is said of what Nextcloud does not have: an app that is switched off while we run, or room for a file."""

from aboveboard.errors import ApiError, NotFound


class AppMissing(NotFound):
    """The app that a request is for does not answer."""

    advice = "Ask the operator to install it or to switch it on."

    def __init__(self, app: str, *, status: int = 404) -> None:
        super().__init__(
            f"The app {app!r} is not installed on this Nextcloud, switched off, or too old.",
            status=status,
        )


class NoRoom(ApiError):
    """The user's quota is used up."""

    advice = "Nothing was written. get_quota tells how much room is left."

    def __init__(self) -> None:
        super().__init__("There is not enough room for this among the user's files.", status=507)
