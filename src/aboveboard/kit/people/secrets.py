"""Secrets that are handed out: 256 random bits behind a prefix that scanners know, kept only as their hash."""

import hashlib
import secrets
from typing import Final

ACCESS_PREFIX: Final = "ab_at_"
REFRESH_PREFIX: Final = "ab_rt_"
CODE_PREFIX: Final = "ab_co_"


def new_secret(prefix: str = "") -> str:
    """Make one."""
    return prefix + secrets.token_urlsafe(32)


def new_id() -> str:
    """Make the id of a row, which is no secret."""
    return secrets.token_urlsafe(16)


def hash_secret(secret: str) -> str:
    """Return what is kept of it."""
    return hashlib.sha256(secret.encode()).hexdigest()
