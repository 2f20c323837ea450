"""Addresses of the web that Nextcloud fetches for a user: a recipe's page, a feed."""

from urllib.parse import urlsplit

from aboveboard.errors import BadInput


def check_address(url: str, noun: str) -> None:
    """Refuse what is no address of the web; which of those it fetches is Nextcloud's to say."""
    try:
        parts = urlsplit(url)
        is_one = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:  # a bracket that does not close
        is_one = False
    if not is_one:
        raise BadInput(f"{url!r} is not the address of a {noun}.", next_step="It begins with https:// and a host name.")
